// `search` of a list of entries. The search index finds the entries that contain all words, and the newest 2,000 of them are
// sorted, by rank or by a field. The cost of a search therefore hardly depends on the number of entries. `search-ranking.ts`
// defines the rank.

import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { type Matching, type SearchHit, searchOf } from '../../store/search/search.ts'
import type { Context } from '../call/action.ts'
import type { Position } from './cursor.ts'
import {
  countUpTo,
  isAfter,
  type ListTotal,
  maxCountedIfTested,
  type ListedRow,
  positioned,
  selected,
  sortedRows,
} from './read.ts'
import type { AnyQuery, Reading } from './stretch.ts'
import { rankingOf } from './search-ranking.ts'

/** The most entries with all words that are sorted. */
export const maxCandidates = 2000

/** The completeness of a search. */
export interface Searched {
  /** The number of entries whose latest text is not indexed yet. */
  readonly behind: number
  /** True if more entries contain these words than were sorted. */
  readonly capped: boolean
}

export interface SearchPage<Row> {
  readonly rows: readonly ListedRow<Row>[]
  readonly searched: Searched
  readonly total: ListTotal | undefined
}

/** The requested part of the entries that contain these phrases. */
export interface SearchAsked {
  /** Phrases of `phrasesOfQuery`. */
  readonly phrases: readonly string[]
  /** `all`: an entry must contain all phrases. `any`: one phrase is enough. The default is `all`. */
  readonly which?: 'all' | 'any'
  readonly after: Position | undefined
  readonly limit: number
  readonly count: boolean
  /** True to sort by rank instead of the order of `reading`. */
  readonly byRank: boolean
}

/** Reads a page of the entries that contain the phrases. */
export async function readSearch<Row>(context: Context, reading: Reading, asked: SearchAsked): Promise<SearchPage<Row>> {
  const { db, site } = context
  const behind = await site.search.freshen()
  const { phrases, which = 'all' } = asked
  if (phrases.length === 0) return { rows: [], searched: { behind, capped: false }, total: { total: 0, atLeast: false } }
  const searching = { phrases, which, shownAfter: reading.shownAfter }
  const { found, frequent, ranked } = await rankingOf(db, site.search, searching)
  const matching: Matching = { ...searching, most: maxCandidates, frequent, ranked: [] }
  const unranked = searchOf(db).matching(matching)
  const rows = asked.byRank
    ? await readRanked<Row>(reading, searchOf(db).matching({ ...matching, ranked }), asked)
    : await readSorted<Row>(reading, unranked, asked)
  const searched = { behind, capped: which === 'all' && found > maxCandidates }
  if (!asked.count) return { rows, searched, total: undefined }
  const { total, atLeast } = await countUpTo(db, candidatesOf(reading, unranked), maxCountedIfTested)
  return { rows, searched, total: { total, atLeast: atLeast || searched.capped } }
}

/** The most newest matches that are checked if only some entries are needed. */
const someCandidates = 200

/** Returns the keys of some entries that contain all phrases, at most `most`. */
export async function findSome(reading: Reading, phrases: readonly string[], most: number): Promise<readonly string[]> {
  if (phrases.length === 0) return []
  const key = sql.ref<string>(`${reading.table}.${reading.key}`)
  const searching = { phrases, which: 'all', shownAfter: reading.shownAfter } as const
  const hits = searchOf(reading.db).matching({ ...searching, most: someCandidates, ranked: [] })
  const rows = await candidatesOf(reading, hits).select(key.as('list_key')).limit(most).execute()
  return rows.map((row) => row.list_key)
}

/** Returns the found entries that the caller may see and that meet the other conditions. */
function candidatesOf({ db, table, key, plan, narrow }: Reading, hits: RawBuilder<SearchHit>): AnyQuery {
  // With `cross join`, SQLite looks up each hit. Otherwise it could query the search index again for each entry.
  const joined = db.selectFrom(hits.as('list_hit')).crossJoin(table) as unknown as AnyQuery
  const matched = sql<SqlBool>`${sql.ref(`${table}.${key}`)} = list_hit.entry_id`
  return [matched, ...plan.tested].reduce((query, condition) => query.where(condition), narrow(joined))
}

/**
 * Reads entries from the best match on. Looking up an entry costs more than finding it, so the first round looks up only about as
 * many as the page has. The second round looks up the others, if the page is not full.
 */
async function readRanked<Row>(
  reading: Reading,
  hits: RawBuilder<SearchHit>,
  { after, limit }: SearchAsked,
): Promise<readonly ListedRow<Row>[]> {
  const rows: ListedRow<Row>[] = []
  let last = after && (await currentPosition(reading, hits, after))
  for (const most of [limit + 20, maxCandidates]) {
    const ranked = await listRanked(reading, hits, last, most)
    rows.push(...(await entriesOf<Row>(reading, ranked)))
    if (rows.length >= limit || ranked.length < most) break
    last = ranked.at(-1)
  }
  return rows.slice(0, limit)
}

/**
 * Returns the present position of an entry, because ranks change with each added text. An entry that is no longer found keeps its
 * position.
 */
async function currentPosition({ db }: Reading, hits: RawBuilder<SearchHit>, position: Position): Promise<Position> {
  const { rows } = await sql<SearchHit>`select entry_id, rank from ${hits} as hit where entry_id = ${position.key}`.execute(db)
  return { ...position, value: rows[0]?.rank ?? position.value }
}

/** Returns the entries from the best match on; of two equal matches, the newer one first. Ids sort by creation time. */
async function listRanked(
  { db }: Reading,
  hits: RawBuilder<SearchHit>,
  after: Position | undefined,
  most: number,
): Promise<readonly Position[]> {
  const rest = after ? sql`where rank > ${after.value} or (rank = ${after.value} and entry_id < ${after.key})` : sql``
  const { rows } = await sql<SearchHit>`select entry_id, rank from ${hits} as hit ${rest}
    order by rank, entry_id desc limit ${most}`.execute(db)
  return rows.map(({ entry_id: key, rank: value }) => ({ key, value }))
}

/** Drops entries that the caller may not see or that fail another condition. The order stays. */
async function entriesOf<Row>(reading: Reading, ranked: readonly Position[]): Promise<readonly ListedRow<Row>[]> {
  if (ranked.length === 0) return []
  const { db, table, plan, narrow } = reading
  const key = sql.ref(`${table}.${reading.key}`)
  const among = sql<SqlBool>`${key} in (${sql.join(ranked.map((one) => one.key))})`
  const all = narrow(db.selectFrom(table))
  const query = [among, ...plan.tested].reduce((limited, condition) => limited.where(condition), all)
  const rows = (await selected(reading, query)
    .select(key.$castTo<string>().as('list_key'))
    .execute()) as unknown as readonly ListedRow<Row>[]
  const byKey = new Map(rows.map((row) => [row.list_key, row]))
  return ranked.flatMap(({ key: one, value }) => {
    const row = byKey.get(one)
    return row ? [{ ...row, list_value: value }] : []
  })
}

async function readSorted<Row>(
  reading: Reading,
  hits: RawBuilder<SearchHit>,
  { after, limit }: SearchAsked,
): Promise<readonly ListedRow<Row>[]> {
  const candidates = candidatesOf(reading, hits)
  const rest = after ? candidates.where(isAfter(reading, after)) : candidates
  return (await sortedRows(reading, positioned(reading, selected(reading, rest)))
    .limit(limit)
    .execute()) as unknown as readonly ListedRow<Row>[]
}
