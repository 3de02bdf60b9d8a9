// `search` of a list of entries: the search index finds the entries that contain all words, and the newest 2,000 of them are sorted, by rank or
// by a field. So a search costs about the same however many entries there are.

import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { type SearchHit, searchOf } from '../store/search.ts'
import { freshenWithin } from '../store/search-index.ts'
import { phrasesIn } from '../store/search-text.ts'
import type { Context } from './action.ts'
import type { Position } from './cursor.ts'
import {
  type AnyQuery,
  countUpTo,
  isAfter,
  type ListTotal,
  type Positioned,
  positioned,
  type Reading,
  selected,
  sortedRows,
} from './list-read.ts'

/** The most entries with all words that are sorted. */
export const maxCandidates = 2000

/** What a search has looked through. */
export interface Searched {
  /** The number of entries whose latest text is not found yet. */
  readonly behind: number
  /** Whether more entries have these words than were sorted. */
  readonly capped: boolean
}

export interface SearchPage<Row> {
  readonly rows: readonly Positioned<Row>[]
  readonly searched: Searched
  readonly total: ListTotal | undefined
}

/** What to read of the entries that contain these words. */
export interface SearchAsked {
  readonly words: readonly string[]
  readonly after: Position | undefined
  readonly limit: number
  readonly count: boolean
  /** Whether to sort by rank, and not by the order of `reading`. */
  readonly byRank: boolean
}

/** Reads a page of the entries that contain all words. */
export async function readSearch<Row>(context: Context, reading: Reading, asked: SearchAsked): Promise<SearchPage<Row>> {
  const { db } = context
  const behind = context.inTransaction ? await freshenWithin(db as never) : await context.site.search.freshen()
  const phrases = phrasesIn(asked.words)
  const found = phrases.length === 0 ? 0 : await searchOf(db).count(db, phrases, maxCandidates + 1)
  const searched = { behind, capped: found > maxCandidates }
  if (found === 0) return { rows: [], searched, total: { total: 0, atLeast: false } }
  const hits = searchOf(db).matching(phrases, maxCandidates)
  const candidates = candidatesOf(reading, hits)
  const rows = asked.byRank ? await readRanked<Row>(reading, candidates, hits, asked) : await readSorted<Row>(reading, candidates, asked)
  if (!asked.count) return { rows, searched, total: undefined }
  const { total, atLeast } = await countUpTo(db, candidates)
  return { rows, searched, total: { total, atLeast: atLeast || searched.capped } }
}

/** The entries that were found, as far as the caller may see them and they meet the other conditions. */
function candidatesOf({ db, table, key, plan, narrow }: Reading, hits: RawBuilder<SearchHit>): AnyQuery {
  // `cross join` makes SQLite look up each hit. Otherwise it could ask the search index anew for each entry.
  const joined = db.selectFrom(hits.as('list_hit')).crossJoin(table) as unknown as AnyQuery
  const matched = sql<SqlBool>`${sql.ref(`${table}.${key}`)} = list_hit.entry_id`
  return [matched, ...plan.tested].reduce((query, condition) => query.where(condition), narrow(joined))
}

async function readRanked<Row>(
  reading: Reading,
  candidates: AnyQuery,
  hits: RawBuilder<SearchHit>,
  { after, limit }: SearchAsked,
): Promise<readonly Positioned<Row>[]> {
  const [rank, key] = [sql`list_hit.rank`, sql.ref(`${reading.table}.${reading.key}`)]
  // The index changes between two pages, and with it each rank. So the page continues where its last entry is now.
  const rankNow = (after?: Position) => sql`coalesce((select rank from ${hits} as before where entry_id = ${after?.key}), ${after?.value})`
  const rest = after ? candidates.where(sql<SqlBool>`(${rank}, ${key}) > (${rankNow(after)}, ${after.key})`) : candidates
  return (await selected(reading, rest)
    .select([rank.$castTo<Position['value']>().as('list_value'), key.$castTo<Position['key']>().as('list_key')])
    .orderBy(rank)
    .orderBy(key)
    .limit(limit)
    .execute()) as unknown as readonly Positioned<Row>[]
}

async function readSorted<Row>(
  reading: Reading,
  candidates: AnyQuery,
  { after, limit }: SearchAsked,
): Promise<readonly Positioned<Row>[]> {
  const rest = after ? candidates.where(isAfter(reading, after)) : candidates
  return (await sortedRows(reading, positioned(reading, selected(reading, rest)))
    .limit(limit)
    .execute()) as unknown as readonly Positioned<Row>[]
}
