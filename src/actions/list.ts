// The engine of every list: `where, search, sort, limit, cursor, count` over one table. Pages continue after sort value and key of the last
// row, so that every page costs the same. The action makes the items.

import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely'
import { type TOptional, type TSchema, type TString, Type } from 'typebox'
import { jsonText } from '../json.ts'
import type { Schema } from '../store/schema.ts'
import type { Context } from './action.ts'
import { decodeCursor, encodeCursor, maxCursorLength, type Position } from './cursor.ts'
import { maxAnswerBytes } from './answer.ts'
import { filterable, getField, type ListFields, sortable } from './list-field.ts'
import { compileSearch, maxSearchLength } from './search-words.ts'
import { project } from './select.ts'
import { compileWhere } from './where.ts'

export type { ListFields } from './list-field.ts'

type Table = keyof Schema
type Column<T extends Table> = keyof Schema[T] & string

/** The table and the fields of a list. */
export interface ListSpec<T extends Table> {
  readonly table: T
  /** A column without nulls that orders rows of the same sort value; unique among the rows that `narrow` leaves. */
  readonly key: Column<T>
  readonly fields: ListFields
  /** The default order, such as `-created_at`. */
  readonly sort: string
  /** Columns that `search` reads. */
  readonly search: readonly Column<T>[]
}

/** The arguments of a list. An action may add its own; cursors are bound to those too. */
export interface ListInput {
  readonly where?: Readonly<Record<string, unknown>>
  readonly search?: string
  readonly sort?: string
  readonly limit?: number
  readonly cursor?: string
  readonly count?: boolean
}

export type ListQuery<T extends Table> = SelectQueryBuilder<Schema, T, object>

export interface ListOptions<T extends Table, C extends Column<T>> {
  /** Columns to read; the default is all. A list of entries does not need their bodies. */
  readonly columns?: readonly C[]
  /** Limits the rows to those that the caller may see. Qualify columns with the table name. */
  readonly narrow?: (query: ListQuery<T>) => ListQuery<T>
}

/** One page of rows. */
export interface ListPage<Row> {
  readonly rows: readonly Row[]
  /** Whether there are more rows after this page. */
  readonly more: boolean
  /** The cursor of the page that begins after the row with this index. */
  cursorAfter(index: number): string
  /** The number of rows on all pages, where `count` asks for it. */
  readonly total?: number
}

const defaultLimit = 20
const maxLimit = 100

/** Properties of a list's input, to be spread into its `Type.Object`. */
export function listProperties(spec: Pick<ListSpec<Table>, 'fields' | 'sort'>) {
  const filters = filterable(spec.fields)
  const sorts = sortable(spec.fields)
  return {
    where: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: `Conditions on fields: \`{field: value}\` or \`{field: {operator: value}}\` with eq, ne, in, not_in, lt, lte, gt, gte, has, exists; all of them, or one of \`any: [{…}, {…}]\`. Dates may be relative: \`-7d\`, \`-1mo\`. Fields: ${filters.join(', ')}.`,
      }),
    ),
    search: optionalText('Only items that contain each of these words.', maxSearchLength),
    sort: optionalText(
      `The field to sort by, with a leading \`-\` for descending order: ${sorts.join(', ')}. Default \`${spec.sort}\`.`,
      100,
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxLimit, description: `The most items to return. The default is ${defaultLimit}.` }),
    ),
    cursor: optionalText('`next_cursor` of the previous page. Keep all other arguments unchanged.', maxCursorLength),
    count: Type.Optional(Type.Boolean({ description: 'Whether the answer includes `total`.' })),
  }
}

const optionalText = (description: string, maxLength: number): TOptional<TString> =>
  Type.Optional(Type.String({ description, maxLength }))

/** The answer of a list of such items. */
export function listOutput<I extends TSchema>(item: I) {
  return Type.Object({
    items: Type.Array(item),
    next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'Cursor of the next page; null at the end.' }),
    total: Type.Optional(Type.Integer({ description: 'The number of items on all pages, with `count` only.' })),
  })
}

interface Order {
  /** As in the input: `-created_at`. */
  readonly text: string
  readonly column: string
  readonly down: boolean
}

/** A row with its position: `list_value` and `list_key`. */
type Positioned<Row> = Row & { readonly list_value: Position['value']; readonly list_key: Position['key'] }

/**
 * The rows of a page.
 * @throws Failure `invalid` for a field that can't be filtered or sorted by, a value of the wrong kind, or a cursor of another list
 */
export async function listRows<T extends Table, C extends Column<T> = Column<T>>(
  context: Context,
  spec: ListSpec<T>,
  input: ListInput,
  options: ListOptions<T, C> = {},
): Promise<ListPage<Pick<Schema[T], C>>> {
  const order = orderOf(spec, input.sort)
  const identity = identityOf(spec, input, order)
  const key = context.site.key.derive('cursor')
  const after = input.cursor === undefined ? undefined : decodeCursor(key, identity, input.cursor)
  const limit = Math.min(input.limit ?? defaultLimit, maxLimit)
  const matching = await matchingRows(context, spec, input, options.narrow)
  const read = await readRows<Pick<Schema[T], C>>(matching, order, {
    table: spec.table,
    key: spec.key,
    columns: options.columns,
    after,
    limit: limit + 1,
  })
  const shown = read.slice(0, limit)
  return {
    rows: shown.map(({ list_value: _value, list_key: _key, ...row }) => row as unknown as Pick<Schema[T], C>),
    more: read.length > limit,
    cursorAfter: (index) => encodeCursor(key, identity, positionOf(shown[index])),
    ...(input.count === true ? { total: await countRows(matching) } : {}),
  }
}

/**
 * The answer of a list. It ends early, with a cursor, before the limit of 80 KB. A single item that is longer is answered; `dispatch` then
 * refuses it.
 */
export async function listAnswer<Row, Item extends object>(
  context: Context,
  page: ListPage<Row>,
  toItem: (row: Row) => Item | Promise<Item>,
): Promise<{ items: Item[]; next_cursor: string | null; total?: number }> {
  const items: Item[] = []
  let bytes = maxCursorLength + 200 // room for the rest of the answer
  for (const row of page.rows) {
    const item = await toItem(row)
    bytes += sizeOf(item, context.select)
    if (bytes > maxAnswerBytes && items.length > 0) break
    items.push(item)
  }
  const more = page.more || items.length < page.rows.length
  const total = page.total === undefined ? {} : { total: page.total }
  return { items, next_cursor: more ? page.cursorAfter(items.length - 1) : null, ...total }
}

/** Bytes of an item in the answer, with its comma. */
function sizeOf(item: object, select: readonly string[] | undefined): number {
  const kept = select ? project({ item }, select)['item'] : item
  return Buffer.byteLength(jsonText(kept ?? item)) + 1
}

function orderOf<T extends Table>({ fields, sort: usual }: ListSpec<T>, asked: string = usual): Order {
  const down = asked.startsWith('-')
  const { column } = getField(fields, sortable(fields), down ? asked.slice(1) : asked, 'sort', 'sort')
  return { text: asked, column, down }
}

/** Everything that decides the rows of a list and their order: all arguments except those of the page. */
function identityOf<T extends Table>({ table, key }: ListSpec<T>, input: ListInput, { text }: Order): unknown {
  const { limit: _limit, cursor: _cursor, count: _count, where = {}, search = '', ...others } = input
  return { ...others, table, key, where, search, sort: text }
}

type AnyQuery = SelectQueryBuilder<Schema, Table, object>

async function matchingRows<T extends Table>(
  context: Context,
  { table, fields, search: columns }: ListSpec<T>,
  { where = {}, search = '' }: ListInput,
  narrow: ListOptions<T, Column<T>>['narrow'],
): Promise<AnyQuery> {
  const conditions = [await compileWhere(context, table, fields, where), ...compileSearch(table, columns, search, fields)]
  const all = context.db.selectFrom(table) as unknown as ListQuery<T>
  const seen = (narrow ? narrow(all) : all) as unknown as AnyQuery
  return conditions.reduce((query, condition) => query.where(condition), seen)
}

interface Page {
  readonly table: Table
  readonly key: string
  readonly columns: readonly string[] | undefined
  readonly after: Position | undefined
  readonly limit: number
}

async function readRows<Row>(matching: AnyQuery, order: Order, page: Page): Promise<readonly Positioned<Row>[]> {
  const value = sql.ref(`${page.table}.${order.column}`)
  const key = sql.ref(`${page.table}.${page.key}`)
  // Nulls sort as the smallest value, as SQLite does by default. An explicit `nulls last` would keep it from using its indexes.
  const direction = order.down ? sql`desc` : sql`asc`
  const query = page.after ? matching.where(isAfter(value, key, order.down, page.after)) : matching
  const chosen = page.columns?.map((column) => sql.ref(`${page.table}.${column}`).as(column))
  const rows = await (chosen ? query.select(chosen) : query.selectAll(page.table))
    .select([value.as('list_value'), key.as('list_key')])
    .orderBy(sql`${value} ${direction}`)
    .orderBy(sql`${key} ${direction}`)
    .limit(page.limit)
    .execute()
  return rows as unknown as readonly Positioned<Row>[]
}

type Compared = RawBuilder<unknown>

function isAfter(value: Compared, key: Compared, down: boolean, { value: last, key: lastKey }: Position): RawBuilder<SqlBool> {
  const beyond = down ? sql`<` : sql`>`
  const keyBeyond = sql`${key} ${beyond} ${lastKey}`
  if (last === null) {
    const rest = down ? sql`1 = 0` : sql`${value} is not null`
    return sql<SqlBool>`((${value} is null and ${keyBeyond}) or ${rest})`
  }
  const nulls = down ? sql`${value} is null` : sql`1 = 0`
  return sql<SqlBool>`(${value} ${beyond} ${last} or (${value} = ${last} and ${keyBeyond}) or ${nulls})`
}

async function countRows(matching: AnyQuery): Promise<number> {
  const { total } = await matching.select(sql<number | string>`count(*)`.as('total')).executeTakeFirstOrThrow()
  return Number(total)
}

function positionOf<Row>(row: Positioned<Row> | undefined): Position {
  if (!row) throw new RangeError('A cursor stands after a row of its page.')
  return { value: row.list_value, key: row.list_key }
}
