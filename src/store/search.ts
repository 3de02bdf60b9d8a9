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

/** A match: the entry's id, and its rank. A lower rank is a better match; of two equal ones, the newer entry is better. */
export interface SearchHit {
  readonly entry_id: string
  readonly rank: number
}

/**
 * The entries that a search is about: entries which a caller may not see have no effect on what the caller is answered. The index has for each entry
 * until when it is shown, in UTC milliseconds: 0 for an entry that only callers who may see drafts are shown, and nothing for one in the trash.
 */
export interface SearchAmong {
  /** Only entries that are shown later than this; undefined for all entries. */
  readonly shownAfter: number | undefined
}

/** The query of a search. */
export interface Searching extends SearchAmong {
  /** As `phrasesOfQuery` makes them. */
  readonly phrases: readonly string[]
  /** `all`: an entry must contain all phrases. `any`: one is enough. */
  readonly which: 'all' | 'any'
}

/** A word that decides the rank of an entry. The rank depends on nothing but the entry and these words. */
export interface RankedWord {
  /** A word, or the beginning of one. */
  readonly phrase: string
  /** The weight of the word. */
  readonly weight: number
}

/** Which of the entries that are looked for are found, and in which order. */
export interface Matching extends Searching {
  /** The number of entries. The newest are found. */
  readonly most: number
  /** Without any of them, all entries have the rank 0. */
  readonly ranked: readonly RankedWord[]
  /** True if thousands of entries contain the phrases. */
  readonly frequent?: boolean
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
  /** The number of entries for each search, or `most` where there are more. */
  count(db: Db, searches: readonly Searching[], most: number): Promise<readonly number[]>
  /** A query for entries, each with its rank. */
  matching(asked: Matching): RawBuilder<SearchHit>
  /** Creates the table of terms (`search-terms.ts`). For migrations. */
  createTerms(db: Kysely<unknown>): Promise<void>
  /** Adds until when each entry is shown, and marks the entries whose folded text may have changed. For migrations. */
  addShown(db: Kysely<unknown>): Promise<void>
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

/** Adds to the index until when each entry is shown, and marks the entries whose folded text may have changed. For migrations. */
export const addShownEntries = (db: Kysely<unknown>): Promise<void> => indexes[engineOf(db)].addShown(db)
