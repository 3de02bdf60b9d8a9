// Tables, columns and indexes as migrations write them. The words are those of SQL, with three shortcuts: a column is `not null`
// unless its type ends in `?`, `key` alone is a primary key of text, and `of TABLE` refers to the column `id` of a table, whose
// deletion deletes this row as well. The SQL that these functions produce never changes, because released migrations use them.
//
//     id key, email text unique, account_id text of account, limits text = {}, used_at bigint?

import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

type Make = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

/** The last columns of each table whose rows have revisions. */
export const revisioned = 'created_at bigint, updated_at bigint, revision integer'

/** Creates tables. A primary key of several columns follows the columns: `; primary key (entry_id, name)`. */
export async function createTables(db: Kysely<unknown>, tables: Readonly<Record<string, string>>): Promise<void> {
  for (const [table, definition] of Object.entries(tables)) {
    const [columns = '', primaryKey] = definition.split(/;\s*primary key \(|\)$/)
    let made = db.schema.createTable(table)
    for (const { name, type, make } of readColumns(columns)) made = made.addColumn(name, type, make)
    const keyName = table === 'media_use' ? 'media_use_pk' : `${table}_key`
    if (primaryKey) made = made.addPrimaryKeyConstraint(keyName, words(primaryKey) as never[])
    await made.execute()
  }
}

/** Adds columns to a table. */
export async function addColumns(db: Kysely<unknown>, table: string, columns: string): Promise<void> {
  for (const { name, type, make } of readColumns(columns)) await db.schema.alterTable(table).addColumn(name, type, make).execute()
}

/** Creates indexes of a table: the columns of each by its name. */
export async function createIndexes(
  db: Kysely<unknown>,
  table: string,
  indexes: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, columns] of Object.entries(indexes))
    await db.schema.createIndex(name).on(table).columns(words(columns)).execute()
}

const words = (text: string): string[] => text.split(',').map((word) => word.trim())

const pattern =
  /^(?<name>\w+) (?:(?<type>text|integer|bigint|double precision)(?<empty>\?)? ?)?(?<key>key ?)?(?:of (?<table>\w+) ?)?(?<unique>unique ?)?(?:= ?(?<value>.*))?$/

function readColumns(columns: string): { name: string; type: 'text'; make: Make }[] {
  return words(columns).map((column) => {
    const { name = '', type = 'text', empty, key, table, unique, value } = pattern.exec(column)?.groups ?? {}
    if (!name) throw new Error(`Not a column: ${column}`)
    return {
      name,
      type: type as 'text',
      make: (made) => {
        if (key) made = made.primaryKey()
        else if (!empty) made = made.notNull()
        if (unique) made = made.unique()
        if (table) made = made.references(`${table}.id`).onDelete('cascade')
        return value === undefined ? made : made.defaultTo(type === 'text' ? value.replace("''", '') : Number(value))
      },
    }
  })
}
