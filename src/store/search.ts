// The search index of entries: which words occur in which entry, and how well an entry matches. Each database has an index of its own
// (`sqlite/search.ts`), and a table `entry_search_due` with the entries whose text is not in the index yet. Triggers fill it, whichever release or
// statement changes a text. `search-index.ts` keeps it up to date, and `search-text.ts` folds texts and queries in the same way.

import type { Kysely, RawBuilder, Transaction } from 'kysely'
import type { Db } from './database.ts'
import { type Engine, engineOf } from './engine.ts'
import { postgresSearch } from './postgres/search.ts'
import type { Schema } from './schema.ts'
import { sqliteSearch } from './sqlite/search.ts'

/** The folded text of an entry. A word in the title counts ten times as much as one in the text. */
export interface SearchDocument {
  readonly id: string
  readonly title: string
  readonly text: string
}

/** A match: the entry's id, and its rank. A lower rank is a better match. */
export interface SearchHit {
  readonly entry_id: string
  readonly rank: number
}

/** The search index of a database. */
export interface EntrySearch {
  /** Creates the tables and triggers of the index, and marks all entries as not indexed yet. For migrations. */
  create(db: Kysely<unknown>): Promise<void>
  /** Puts documents into the index, or replaces them, without waiting for it. */
  put(db: Transaction<Schema>, documents: readonly SearchDocument[]): void
  /** Takes entries out of the index, without waiting for it. */
  drop(db: Transaction<Schema>, ids: readonly string[]): void
  /**
   * Keeps the index small after texts were put into it, in short steps between which other writers get their turn.
   * @param length the number of characters that were put
   */
  merge(write: Db, length: number): Promise<void>
  /** Empties the index, and marks all entries as not indexed. */
  reset(db: Db): Promise<void>
  /** The number of entries that contain all phrases, or `most` where there are more. */
  count(db: Db, phrases: readonly string[], most: number): Promise<number>
  /** A query for the entries that contain these phrases, all or any of them: the newest `most`, each with its rank. */
  matching(phrases: readonly string[], most: number, which?: 'all' | 'any'): RawBuilder<SearchHit>
  /** Creates the table of terms (`search-terms.ts`). For migrations. */
  createTerms(db: Kysely<unknown>): Promise<void>
  /** Marks entries as not indexed, those after `after` in the order of their ids. Returns the last of them; undefined at the end. */
  markNext(db: Db, after: string, most: number): Promise<string | undefined>
  /** Marks as due what the index has of entries that are gone. */
  markGone(db: Db): Promise<void>
  /** Which of these words occur in no entry. */
  absentOf(db: Db, terms: readonly string[]): Promise<readonly string[]>
}

const indexes: Readonly<Record<Engine, EntrySearch>> = { sqlite: sqliteSearch, postgres: postgresSearch }

/** The search index of the database that answers these queries. */
export const searchOf = (db: Db): EntrySearch => indexes[engineOf(db)]

/** Creates the table of terms, and marks all entries as not indexed yet, so that their terms get there. For migrations. */
export const createTermTable = (db: Kysely<unknown>): Promise<void> => indexes[engineOf(db)].createTerms(db)

/** Creates the tables of the index, for migrations. */
export const createSearchTables = (db: Kysely<unknown>): Promise<void> => indexes[engineOf(db)].create(db)
