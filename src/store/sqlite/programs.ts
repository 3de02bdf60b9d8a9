// Runs several statements as one. Each trip to the database's thread costs about as much as a small statement, and the driver takes
// one statement per trip. A program is a temporary view without rows. Its trigger runs the statements with the values that are
// inserted into the view, so one insert runs all of them. If a statement fails, SQLite undoes all of them, and the transaction
// continues. A query can follow in the same trip: the insert returns its rows as one text.

import { quoted } from '../core/copy-tables.ts'
import { AliasNode, ColumnNode, CompiledQuery, IdentifierNode, InsertQueryNode, ReferenceNode, SelectQueryNode } from 'kysely'

/** A program, and a call of it with values. */
export interface Program {
  readonly key: string
  /** Statements to run before the call; none if the program exists already. */
  readonly definitions: readonly CompiledQuery[]
  readonly call: CompiledQuery
}

/** The most programs per connection. Each sequence of statements has one, and Postern's actions have few sequences. */
const maxPrograms = 100

/** The most values per program. SQLite allows 2,000 columns. */
const maxValues = 1000

/** The programs of one connection. */
export class Programs {
  /** The text of a call, by the texts of its statements; undefined for a sequence that has appeared only once. */
  readonly #known = new Map<string, string | undefined>()
  #made = 0

  /**
   * Returns the program for these statements; undefined if they can't be a program, or if the sequence appears for the first time.
   * @param after the query that follows the statements
   */
  of(queries: readonly CompiledQuery[], after?: FollowingQuery): Program | undefined {
    const key = [...queries, ...(after ? [after.query] : [])].map(({ sql }) => sql).join(';\n')
    if (!this.#known.has(key)) {
      // A sequence gets a program at its second appearance, because most sequences appear only once.
      if (this.#known.size < maxPrograms) this.#known.set(key, undefined)
      return undefined
    }
    const values = queries.flatMap(({ parameters }) => parameters)
    if (values.length === 0 || values.length > maxValues) return undefined
    const known = this.#known.get(key)
    if (known !== undefined) return { key, definitions: [], call: callOf(known, values, after) }
    const body = bodyOf(queries)
    if (body === undefined) return undefined
    const name = `program_${++this.#made}`
    const callText = `insert into ${name} values (${values.map(() => '?').join()})${after ? returningOf(after) : ''}`
    this.#known.set(key, callText)
    const columns = values.map((_, place) => `null as v${place}`)
    return {
      key,
      definitions: [
        CompiledQuery.raw(`create temp view ${name} as select ${columns.join()}`),
        CompiledQuery.raw(`create temp trigger ${name}_run instead of insert on ${name} begin ${body}; end`),
      ],
      call: callOf(callText, values, after),
    }
  }

  /** Removes a program that failed, for example because its definition was rolled back. */
  forget({ key }: Program): void {
    this.#known.delete(key)
  }
}

const node = InsertQueryNode.createWithoutInto()

function callOf(sql: string, values: readonly unknown[], after: FollowingQuery | undefined): CompiledQuery {
  if (after) return CompiledQuery.raw(sql, [...values, ...after.query.parameters])
  return { ...CompiledQuery.raw(sql, [...values]), query: node }
}

/** A query that can follow a program's statements. */
export interface FollowingQuery {
  readonly query: CompiledQuery
  readonly columns: readonly string[]
}

/** Returns the query with its columns; undefined if it is not a `select`, or doesn't name its columns. */
export function toFollowing(query: CompiledQuery): FollowingQuery | undefined {
  if (!SelectQueryNode.is(query.query)) return undefined
  const columns = query.query.selections?.map(({ selection }) => {
    if (ReferenceNode.is(selection) && ColumnNode.is(selection.column)) return selection.column.column.name
    return AliasNode.is(selection) && IdentifierNode.is(selection.alias) ? selection.alias.name : undefined
  })
  const known = new Set(columns)
  known.delete(undefined)
  return known.size > 0 && known.size === columns?.length ? { query, columns: [...known] as string[] } : undefined
}

/** SQLite evaluates `returning` after the statements have run. */
const returningOf = ({ query, columns }: FollowingQuery): string =>
  ` returning (select json_group_array(json_array(${columns.map(quoted).join()})) from (${query.sql})) as found`

/** Returns the rows of the following query. @param returned the rows that the program's call returned */
export function rowsFound({ columns }: FollowingQuery, [returned]: readonly unknown[]): readonly unknown[] {
  const { found } = returned as { readonly found: string }
  const rows = JSON.parse(found) as readonly (readonly unknown[])[]
  return rows.map((values) => Object.fromEntries(columns.map((column, place) => [column, values[place]])))
}

/** Matches placeholders, and quoted texts and names, which may contain question marks. */
const quotedOrPlaceholder = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g

/**
 * Returns the statements with the view's columns in place of the placeholders; undefined if the numbers of placeholders and values
 * differ.
 */
function bodyOf(queries: readonly CompiledQuery[]): string | undefined {
  let place = 0
  const texts = queries.map(({ sql, parameters }) => {
    const end = place + parameters.length
    const text = sql.replace(quotedOrPlaceholder, (found) => (found === '?' ? `new.v${place++}` : found))
    return place === end ? text : undefined
  })
  return texts.includes(undefined) ? undefined : texts.join(';\n')
}
