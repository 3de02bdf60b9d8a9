// The search index of entries: which words occur in which entry, and how well an entry matches. Each engine has its own index (such
// as `sqlite/search.ts`). Triggers add each entry whose text changes to the table `entry_search_due`, whichever release or
// statement changes it. `search-index.ts` indexes these entries, and `search-text.ts` folds texts and queries in the same way.

import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Db } from '../core/database.ts'
import { type Engine, engineOf } from '../core/engine.ts'
import { postgresSearch } from '../postgres/search.ts'
import type { Schema } from '../core/schema.ts'
import { sqliteSearch } from '../sqlite/search.ts'

/** The folded text of an entry. A word in the title has ten times the weight of a word in the text. */
export interface SearchDocument {
  readonly id: string
  readonly title: string
  readonly text: string
}

/** A match: the entry's id and its rank. A lower rank is a better match; of two equal ranks, the newer entry comes first. */
export interface SearchHit {
  readonly entry_id: string
  readonly rank: number
}

/**
 * The entries that a search covers. Entries that a caller may not see have no effect on the caller's answer. The index has the end
 * of each entry's public time, in UTC milliseconds: 0 for an entry that only callers with access to drafts may see, and no value
 * for an entry in the trash.
 */
export interface SearchAmong {
  /** Only entries whose public time ends later; undefined for all entries. */
  readonly shownAfter: number | undefined
}

export interface Searching extends SearchAmong {
  /** Phrases of `phrasesOfQuery`. */
  readonly phrases: readonly string[]
  /** `all`: an entry must contain all phrases. `any`: one phrase is enough. */
  readonly which: 'all' | 'any'
}

/** A word for the rank of an entry. The rank depends only on the entry and these words. */
export interface RankedWord {
  /** A word, or a prefix. */
  readonly phrase: string
  /** The factor of the word in the rank. */
  readonly weight: number
}

/** The order and the number of the entries that a search finds. */
export interface Matching extends Searching {
  /** The number of entries to find, the newest first. */
  readonly most: number
  /** Empty to give all entries the rank 0. */
  readonly ranked: readonly RankedWord[]
  /** True if thousands of entries contain the phrases. */
  readonly frequent?: boolean
}

/** The search index of a database. */
export interface EntrySearch {
  /** Creates the tables and triggers of the index, and marks all entries as due. For migrations. */
  create(db: Kysely<unknown>): Promise<void>
  /** Queues the indexing of documents, which replaces their earlier texts. */
  put(db: Transaction<Schema>, documents: readonly SearchDocument[]): void
  /** Queues the removal of entries from the index. */
  drop(db: Transaction<Schema>, ids: readonly string[]): void
  /**
   * Compacts the index after documents were added, in short steps between which other writers get their turn.
   * @param length the number of added characters
   */
  merge(write: Db, length: number): Promise<void>
  /** Empties the index, and marks all entries as due. */
  reset(db: Db): Promise<void>
  /** Returns the number of entries for each search, at most `most`. */
  count(db: Db, searches: readonly Searching[], most: number): Promise<readonly number[]>
  /** Returns a query for entries with their ranks. */
  matching(asked: Matching): RawBuilder<SearchHit>
  /** Creates the table of terms (`search-terms.ts`), and marks all entries as due, to add their terms. For migrations. */
  createTerms(db: Kysely<unknown>): Promise<void>
  /** Adds the end of each entry's public time, and marks entries whose folded text may have changed as due. For migrations. */
  addShown(db: Kysely<unknown>): Promise<void>
  /** Makes entries with a password invisible to visitors' searches. Called by a migration, after the column was added. */
  addPasswords(db: Kysely<unknown>): Promise<void>
  /** The table with the indexed entries. */
  readonly documents: 'entry_search_doc' | 'entry_search'
  /** Returns the words that occur in no entry. */
  absentOf(db: Db, terms: readonly string[]): Promise<readonly string[]>
}

const indexes: Readonly<Record<Engine, EntrySearch>> = { sqlite: sqliteSearch, postgres: postgresSearch }

/** Returns the search index of the engine that answers these queries. */
export const searchOf = (db: Pick<Db, 'getExecutor'>): EntrySearch => indexes[engineOf(db)]

/** Marks up to `most` entries as due, in the order of ids after `after`. Returns the last id; undefined at the end. */
export async function markNext(db: Db, after: string, most: number): Promise<string | undefined> {
  const { rows } = await sql<{ last: string | null }>`
    select max(id) as last from (select id from entry where id > ${after} order by id limit ${most}) as next`.execute(db)
  const last = rows[0]?.last ?? undefined
  if (last !== undefined)
    await sql`insert into entry_search_due (entry_id) select id from entry where id > ${after} and id <= ${last}
      on conflict do nothing`.execute(db)
  return last
}

/** Marks deleted entries that the index still has as due. */
export async function markGone(db: Db): Promise<void> {
  const documents = sql.table(searchOf(db).documents)
  await sql`insert into entry_search_due (entry_id) select entry_id from ${documents} as indexed
    where not exists (select 1 from entry where entry.id = indexed.entry_id) on conflict do nothing`.execute(db)
}
