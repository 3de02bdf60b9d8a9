// Turns values into rows of a query, so that conditions of a list can be applied to values that are in no table.

import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { engineOf } from './engine.ts'
import type { Schema } from './schema.ts'

export interface JsonColumn {
  readonly name: string
  readonly kind: 'text' | 'number'
}

/** Returns a query of all rows, with their place as `key`, for the `from` of another query. */
export function jsonRows(
  db: Kysely<Schema> | Transaction<Schema>,
  columns: readonly JsonColumn[],
  rows: readonly (readonly (string | number | null)[])[],
): RawBuilder<unknown> {
  if (engineOf(db) === 'sqlite') {
    const cells = columns.map(({ name }, at) => sql`json_extract(value, ${sql.lit(`$[${at}]`)}) as ${sql.ref(name)}`)
    return sql`select key, ${sql.join(cells)} from json_each(${JSON.stringify(rows)})`
  }
  const cells = columns.map(({ name, kind }, at) => {
    const cell = sql`value ->> ${sql.lit(at)}`
    return kind === 'number' ? sql`cast(${cell} as float8) as ${sql.ref(name)}` : sql`${cell} as ${sql.ref(name)}`
  })
  const text = JSON.stringify(rows.map((row) => row.map(storable)))
  return sql`select place - 1 as key, ${sql.join(cells)} from json_array_elements(cast(${text} as json)) with ordinality as r (value, place)`
}

/**
 * Returns a query of texts with a single parameter, so that the text of a query by many keys is the same for any number of keys.
 */
export function jsonTexts(db: Kysely<Schema> | Transaction<Schema>, texts: readonly string[]): RawBuilder<string> {
  const value = JSON.stringify(texts)
  return engineOf(db) === 'sqlite'
    ? sql<string>`(select value from json_each(${value}))`
    : sql<string>`(select json_array_elements_text(cast(${value} as json)))`
}

/** PostgreSQL accepts neither NUL nor lone surrogates. */
const storable = (cell: string | number | null): string | number | null =>
  typeof cell === 'string' ? cell.replaceAll('\0', '').toWellFormed() : cell
