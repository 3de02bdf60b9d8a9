// The engine of every list: `where, search, sort, limit, cursor, count` over one table. `plan.ts` chooses how the rows are found,
// `read.ts` reads a page, and `search.ts` reads a page of a search. The action makes the items.

import type { SelectQueryBuilder } from 'kysely'
import { type TOptional, type TSchema, type TString, Type } from 'typebox'
import { follow } from '../../content/types/followed-schemas.ts'
import { jsonText } from '../../base/json.ts'
import { flag } from '../../base/schema.ts'
import type { Schema } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'
import { decodeCursor, encodeCursor, maxCursorLength, type Position } from './cursor.ts'
import { maxAnswerBytes } from '../call/answer.ts'
import { filterable, getField, type ListFields, plainSort, sortable } from './field.ts'
import { planList, testAll } from './plan.ts'
import { countRows, maxCounted, maxCountedIfTested, type ListedRow, readPage } from './read.ts'
import type { ListOrder, Reading } from './stretch.ts'
import { findSome, maxCandidates, readSearch, type SearchAsked, type Searched } from './search.ts'
import { compileSearch, maxSearchLength, phrasesFor } from './search-words.ts'
import { project } from '../call/select.ts'
import { nullable } from '../call/write-answer.ts'
import { compileWhere } from './where.ts'
import type { WherePart } from './where-part.ts'

export type { ListFields } from './field.ts'
export { onlyValues } from './where-part.ts'

type Table = keyof Schema
type Column<T extends Table> = keyof Schema[T] & string

/** The table and the fields of a list. */
export interface ListSpec<T extends Table> {
  readonly table: T
  /** A column without nulls that orders rows with the same sort value. It is unique among the rows that `narrow` allows. */
  readonly key: Column<T>
  readonly fields: ListFields
  /** The default order, such as `-created_at`. */
  readonly sort: string
  /** The columns that `search` reads. With `indexed`, the search index has their words. */
  readonly search: readonly Column<T>[]
  /** True if `search` uses the search index, which has entries only. It then finds whole words, and sorts by rank by default. */
  readonly indexed?: boolean
  /** True if the list also has the fields that the owner marks `filter`. */
  readonly follows?: true
}

/** The arguments of a list. An action may add others; cursors are bound to those too. */
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
  /** The columns to read; the default is all. A list of entries does not need their bodies. */
  readonly columns?: readonly C[]
  /** Conditions that an index may serve, such as those of `onlyValues`. */
  readonly only?: readonly WherePart[]
  /** The phrases for the search index, if the action reads them from an argument other than `search`. */
  readonly searching?: Pick<SearchAsked, 'phrases' | 'which'>
  /** The `shownAfter` of a search with the search index, as in `Searching`. */
  readonly shownAfter?: number | undefined
  /**
   * Limits the rows to those that the caller may see, by conditions that most rows meet. Columns must be qualified with the table
   * name.
   */
  readonly narrow?: (query: ListQuery<T>) => ListQuery<T>
}

export interface ListPage<Row> {
  readonly rows: readonly Row[]
  readonly more: boolean
  /** Returns the cursor of the page after the row with this index. */
  cursorAfter(index: number): string
  /** The number of rows on all pages, if `count` is true. */
  readonly total?: number
  /** True if there may be more rows than `total`. */
  readonly total_at_least?: true
  /** The completeness of a search with the search index. */
  readonly searched?: Searched
  /** The sort value of each row: its rank in a search without `sort`. */
  readonly values?: readonly Position['value'][]
}

const defaultLimit = 20
const maxLimit = 100

/** Returns the properties of a list's input, to be spread into its `Type.Object`. */
export function listProperties(spec: Pick<ListSpec<Table>, 'fields' | 'sort' | 'indexed' | 'follows'>) {
  const filters = filterable(spec.fields)
  const sorts = sortable(spec.fields)
  return {
    where: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: `Conditions on fields: \`{field: value}\` or \`{field: {operator: value}}\` with eq, ne, in, not_in, lt, lte, gt, gte, has, exists; all of them, or one of \`any: [{…}, {…}]\`. Dates may be relative: \`-30min\`, \`-7d\`, \`-1mo\`. Fields: ${filters.join(', ')}.`,
        ...(spec.follows && follow('filters')),
      }),
    ),
    search: optionalText(
      spec.indexed
        ? `Only items that contain each of these words, as whole words; case and accents don't matter. Words in quotation marks must follow each other. Without \`sort\`, the best match comes first. At most the ${maxCandidates.toLocaleString('en')} newest matches are found.`
        : 'Only items that contain each of these words.',
      maxSearchLength,
    ),
    sort: optionalText(
      `The field to sort by, with a leading \`-\` for descending order: ${sorts.join(', ')}. Default \`${spec.sort}\`.`,
      100,
      spec.follows && follow('sorts'),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxLimit, description: `The most items to return. The default is ${defaultLimit}.` }),
    ),
    cursor: optionalText('`next_cursor` of the previous page. Keep all other arguments unchanged.', maxCursorLength),
    count: flag('Whether the answer includes `total`.'),
  }
}

const optionalText = (description: string, maxLength: number, more: object = {}): TOptional<TString> =>
  Type.Optional(Type.String({ description, maxLength, ...more }))

/** Returns the schema of a list's answer. */
export function listOutput<I extends TSchema>(item: I) {
  return Type.Object({
    items: Type.Array(item),
    next_cursor: nullable(Type.String(), 'Cursor of the next page; null at the end.'),
    total: Type.Optional(Type.Integer({ description: 'The number of items on all pages, with `count` only.' })),
    total_at_least: Type.Optional(
      Type.Literal(true, {
        description: `True where there may be more than \`total\`: at most ${maxCounted.toLocaleString('en')} items are counted, and ${maxCountedIfTested.toLocaleString('en')} where a condition has no index for the order.`,
      }),
    ),
    searched: Type.Optional(
      Type.Object(
        {
          behind: Type.Integer({ description: 'The number of entries whose latest text is not found yet; usually 0.' }),
          capped: Type.Boolean({ description: 'Whether there are more matches than the newest ones, which were found.' }),
        },
        { description: 'What `search` has looked through, where it uses the search index.' },
      ),
    ),
  })
}

/**
 * Returns the rows of a page.
 * @throws Failure `invalid` for a field that can't be filtered or sorted by, a value of the wrong kind, or a cursor of another list
 */
export async function listRows<T extends Table, C extends Column<T> = Column<T>>(
  context: Context,
  spec: ListSpec<T>,
  input: ListInput,
  options: ListOptions<T, C> = {},
): Promise<ListPage<Pick<Schema[T], C>>> {
  type Row = Pick<Schema[T], C>
  const searching = options.searching ?? (spec.indexed ? phrasesFor(input.search ?? '') : undefined)
  const byRank = searching !== undefined && input.sort === undefined
  const order = orderOf(spec, input.sort)
  const identity = identityOf(spec, input, byRank ? '' : order.text)
  const key = context.site.key.derive('cursor')
  const after = input.cursor === undefined ? undefined : decodeCursor(key, identity, input.cursor)
  const limit = Math.min(input.limit ?? defaultLimit, maxLimit)
  const parts = await partsOf(context, spec, input, options.only)
  if (parts.some(({ never }) => never)) return pageOf<Row>(input.count ? noRows : { rows: [] }, limit, () => '')
  const readingBy = readerOf(context, spec, order, options)
  const asked = { phrases: [], ...searching, after, limit: limit + 1, count: input.count === true, byRank }
  const found =
    searching !== undefined
      ? await readSearch<Row>(context, readingBy(testAll(parts)), asked)
      : await readPlanned<Row>(readingBy(await planList(context.db, { ...spec, sort: order.field, parts })), asked)
  return pageOf(found, limit, (position) => encodeCursor(key, identity, position))
}

/** Returns the keys of at most `most` rows of a list that contain all phrases, in no particular order. */
export async function findSomeRows<T extends Table, C extends Column<T> = Column<T>>(
  context: Context,
  spec: ListSpec<T>,
  input: ListInput,
  options: ListOptions<T, C> & { readonly phrases: readonly string[]; readonly most: number },
): Promise<readonly string[]> {
  const parts = await partsOf(context, spec, input, options.only)
  if (parts.some(({ never }) => never)) return []
  const reading = readerOf(context, spec, orderOf(spec, input.sort), options)(testAll(parts))
  return findSome(reading, options.phrases, options.most)
}

async function partsOf<T extends Table>(
  context: Context,
  { table, fields, search: columns, indexed }: ListSpec<T>,
  { where = {}, search = '' }: ListInput,
  only: readonly WherePart[] = [],
): Promise<readonly WherePart[]> {
  const searched = indexed ? [] : compileSearch(context.db, table, columns, search)
  return [...only, ...(await compileWhere(context, table, fields, where)), ...searched]
}

const readerOf =
  <T extends Table>(
    { db }: Context,
    { table, key }: ListSpec<T>,
    order: ListOrder,
    { columns, shownAfter, narrow = (query) => query }: ListOptions<T, Column<T>>,
  ) =>
  (plan: Reading['plan']): Reading => ({ db, table, key, order, plan, columns, shownAfter, narrow })

/** The rows that were read for a page, with one more if there are more. */
interface Found<Row> {
  readonly rows: readonly ListedRow<Row>[]
  readonly stopped?: Position
  readonly total?: { readonly total: number; readonly atLeast: boolean } | undefined
  readonly searched?: Searched
}

const noRows = { rows: [], total: { total: 0, atLeast: false } }

async function readPlanned<Row>(
  reading: Reading,
  { after, limit, count }: { readonly after: Position | undefined; readonly limit: number; readonly count: boolean },
): Promise<Found<Row>> {
  const read = await readPage<Row>(reading, after, limit)
  return { ...read, total: count ? await countRows(reading) : undefined }
}

function pageOf<Row>(
  { rows, stopped, total, searched }: Found<Row>,
  limit: number,
  encode: (position: Position) => string,
): ListPage<Row> {
  const shown = rows.slice(0, limit)
  return {
    rows: shown.map(({ list_value: _value, list_key: _key, ...row }) => row as unknown as Row),
    values: shown.map((row) => row.list_value),
    more: rows.length > limit || stopped !== undefined,
    cursorAfter: (index) => encode(stopped && index === shown.length - 1 ? stopped : positionOf(shown[index])),
    ...(total && { total: total.total, ...(total.atLeast && { total_at_least: true as const }) }),
    ...(searched && { searched }),
  }
}

/**
 * Returns the answer of a list. It ends early, with a cursor, before the limit of 80 KB. A single longer item is included, and
 * `dispatch` then refuses the answer.
 */
export async function listAnswer<Row, Item extends object>(
  context: Context,
  page: ListPage<Row>,
  toItem: (row: Row) => Item | Promise<Item>,
): Promise<{ items: Item[]; next_cursor: string | null } & Pick<ListPage<Row>, 'total' | 'total_at_least' | 'searched'>> {
  const items: Item[] = []
  let bytes = maxCursorLength + 200 // room for the rest of the answer
  for (const row of page.rows) {
    const item = await toItem(row)
    bytes += sizeOf(item, context.select)
    if (bytes > maxAnswerBytes && items.length > 0) break
    items.push(item)
  }
  const more = page.more || items.length < page.rows.length
  const { total, total_at_least, searched } = page
  return {
    items,
    next_cursor: more ? page.cursorAfter(items.length - 1) : null,
    ...(total !== undefined && { total }),
    ...(total_at_least && { total_at_least }),
    ...(searched && { searched }),
  }
}

/** Returns the bytes of an item in the answer, including its comma. */
function sizeOf(item: object, select: readonly string[] | undefined): number {
  const kept = select ? project({ item }, select)['item'] : item
  return Buffer.byteLength(jsonText(kept ?? item)) + 1
}

function orderOf<T extends Table>({ fields, sort: usual }: ListSpec<T>, asked: string = usual): ListOrder {
  const text = plainSort(asked)
  const down = text.startsWith('-')
  return { text, field: getField(fields, sortable(fields), down ? text.slice(1) : text, 'sort', 'sort'), down }
}

/** Returns all arguments that decide the rows and their order: all except those of the page. */
function identityOf<T extends Table>({ table, key }: ListSpec<T>, input: ListInput, sort: string): unknown {
  const { limit: _limit, cursor: _cursor, count: _count, where = {}, search = '', ...others } = input
  return { ...others, table, key, where, search, sort }
}

function positionOf<Row>(row: ListedRow<Row> | undefined): Position {
  if (!row) throw new RangeError('A page has no row with this index.')
  return { value: row.list_value, key: row.list_key }
}
