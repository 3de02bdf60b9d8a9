// The settings of PostgreSQL's driver, which is loaded when the first database is opened: a site on SQLite doesn't need it.

import type pg from 'pg'

/** The ids of types whose values become numbers: int8, numeric, and booleans, which are 0 or 1 as in SQLite. */
const parsers: Readonly<Record<number, (text: string) => number>> = {
  16: (text) => (text === 't' ? 1 : 0),
  20: Number,
  1700: Number,
}

/** Returns parsers of values, so that the driver returns the same values as SQLite. */
export function typesOf(driver: typeof pg): pg.CustomTypesConfig {
  return {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
      (format === 'binary' ? undefined : parsers[oid]) ??
      driver.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
  }
}
