// Loads the driver when the first database is opened, so that a site on SQLite doesn't load it at all.

import type pg from 'pg'

export async function loadDriver(): Promise<typeof pg> {
  return (await import('pg')).default
}

/** PostgreSQL's numbers of types whose values become numbers here: int8, numeric, and truth as SQLite has it. */
const parsers: Readonly<Record<number, (text: string) => number>> = {
  16: (text) => (text === 't' ? 1 : 0),
  20: Number,
  1700: Number,
}

/** Parsers of values, by which the driver returns what SQLite would. */
export function typesOf(driver: typeof pg): pg.CustomTypesConfig {
  return {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
      (format === 'binary' ? undefined : parsers[oid]) ??
      driver.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
  }
}
