// Options for tests of what only SQLite has: its file, its write-ahead log, damage to its pages. A run with `TEST_DATABASE=postgres` skips them.

import { usesPostgres } from './postgres.ts'

/** @param what SQLite has and PostgreSQL does not, such as "the write-ahead log in the home" */
export const onlySqlite = (what: string): { readonly skip: string | false } => ({
  skip: usesPostgres && `only SQLite has ${what}`,
})
