// Inserts of one row, whose SQL is compiled once per table and set of columns. Compiling costs more than the statement itself.

import { type CompiledQuery, InsertQueryNode, type Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from './database.ts'
import type { Schema } from './schema.ts'

type Row = Readonly<Record<string, string | number | null>>

const maxTexts = 200

/** The compiled inserts of each database, by its adapter. */
const compiled = new WeakMap<object, LRUCache<string, CompiledQuery>>()

/** Stands for the node of a compiled insert, which would keep the values of the first row in memory. */
const node = InsertQueryNode.createWithoutInto()

/** The insert of a row, compiled for the database of `db`. Undefined values are left out. */
export function insertOf(db: Db, table: keyof Schema, row: object): CompiledQuery {
  const { adapter } = db.getExecutor()
  let known = compiled.get(adapter)
  if (!known) compiled.set(adapter, (known = new LRUCache({ max: maxTexts })))
  let key: string = table
  const parameters: unknown[] = []
  for (const [column, value] of Object.entries(row)) {
    if (value === undefined) continue
    key += ` ${column}`
    parameters.push(value)
  }
  const found = known.get(key)
  if (found) return { ...found, parameters }
  // Kysely can't follow the name of a table that is a variable.
  const tables = db as unknown as Kysely<Record<string, Row>>
  const query = tables
    .insertInto(table)
    .values(row as Row)
    .compile()
  known.set(key, { ...query, query: node, parameters: [] })
  return query
}
