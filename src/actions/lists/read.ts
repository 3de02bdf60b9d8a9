// Reads one page of a list by its plan (`plan.ts`), and counts its rows up to a limit.

import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Db } from '../../store/core/database.ts'
import type { Position } from './cursor.ts'
import {
  type AnyQuery,
  beyond,
  boundsOf,
  foundIn,
  keyOf,
  positionIn,
  type Reading,
  rowsIn,
  type ListStretch,
  stretchesOf,
  valueOf,
  valuesIn,
} from './stretch.ts'

type Condition = RawBuilder<SqlBool>
/**
 * The most rows that one page reads in the order of the list. A page that needs more is shorter, and the next page continues there.
 */
const maxWalked = 20_000
/** The most consecutive walks that find nothing for a page. */
const maxEmptyWalks = 10

/** The most rows that a list counts: along an index, and if each row must be read. */
export const maxCounted = 10_000
export const maxCountedIfTested = 1000

/** A row with its position: `list_value` and `list_key`. */
export type ListedRow<Row> = Row & { readonly list_value: Position['value']; readonly list_key: Position['key'] }

/** Rows in the order of the list. */
export interface ReadRows<Row> {
  readonly rows: readonly ListedRow<Row>[]
  /** The position at which reading stopped before the page was full, although there may be more rows. */
  readonly stopped?: Position
}

export interface ListTotal {
  readonly total: number
  /** True if there may be more than `total`. */
  readonly atLeast: boolean
}

/**
 * Reads the next rows after a position, at most `limit`. A walk that finds nothing is repeated from its end, up to `maxEmptyWalks`
 * times. So an empty page with a cursor, which a caller could take for the end, is rare.
 */
export async function readPage<Row>(reading: Reading, after: Position | undefined, limit: number): Promise<ReadRows<Row>> {
  if (reading.plan.way === 'few') return { rows: await readFew(reading, after, limit) }
  let from = after
  for (let walks = 1; ; walks++) {
    const read = await walk<Row>(reading, from, limit)
    if (read.rows.length > 0 || read.stopped === undefined || walks === maxEmptyWalks) return read
    from = read.stopped
  }
}

/** Reads at most `maxWalked` rows of each stretch. */
async function walk<Row>(reading: Reading, after: Position | undefined, limit: number): Promise<ReadRows<Row>> {
  const rows: ListedRow<Row>[] = []
  for (const stretch of stretchesOf(reading, after)) {
    const end = reading.plan.sparse ? await findEnd(reading, stretch) : undefined
    rows.push(...(await readStretch<Row>(reading, stretch, end, limit - rows.length)))
    if (rows.length >= limit) break
    if (end) return { rows, stopped: end }
  }
  return { rows }
}

/** Counts the rows that a first page may read, up to a limit. */
export async function countRows(reading: Reading): Promise<ListTotal> {
  const { plan, db } = reading
  const most = plan.tested.length > 0 ? maxCountedIfTested : maxCounted
  if (plan.way === 'few' || !plan.sparse) return countUpTo(db, conditioned(reading, []), most)
  let total = 0
  for (const stretch of stretchesOf(reading, undefined)) {
    const end = await findEnd(reading, stretch)
    const counted = await countUpTo(db, conditioned(reading, boundsOf(reading, stretch, end), stretch), most - total)
    total += counted.total
    if (end || counted.atLeast) return { total, atLeast: true }
  }
  return { total, atLeast: false }
}

/** Counts the rows of a query up to `most`. */
export async function countUpTo(db: Db, query: AnyQuery, most: number): Promise<ListTotal> {
  const some = query.select(sql<number>`1`.as('one')).limit(most + 1)
  const { rows } = await sql<{ found: number | string }>`select count(*) as found from ${some} as counted`.execute(db)
  const found = Number(rows[0]?.found ?? 0)
  return { total: Math.min(found, most), atLeast: found > most }
}

/** Returns all rows that the caller may see and that meet all conditions, of the stretch if one is given. */
function conditioned(reading: Reading, also: readonly Condition[], stretch?: ListStretch): AnyQuery {
  const { db, table, plan, narrow } = reading
  const all = narrow(stretch ? rowsIn(reading, stretch) : db.selectFrom(table))
  const found = stretch ? foundIn(reading, stretch) : plan.found.map(({ plain }) => plain)
  return withConditions(all, [...found, ...also, ...plan.tested])
}

const withConditions = (query: AnyQuery, conditions: readonly Condition[]): AnyQuery =>
  conditions.reduce((limited, condition) => limited.where(condition), query)

/** Returns the position of the last row that a page may read of a stretch; undefined if the stretch is shorter. */
async function findEnd(reading: Reading, stretch: ListStretch): Promise<Position | undefined> {
  // The position of a row needs no column of its entry.
  const rows = stretch.beside ? valuesIn(reading) : reading.db.selectFrom(reading.table)
  const read = withConditions(rows, [...foundIn(reading, stretch), ...stretch.start])
  const [row] = await inOrder(reading, stretch, positioned(reading, read, stretch))
    .limit(1)
    .offset(maxWalked)
    .execute()
  return row && { value: row.list_value, key: row.list_key }
}

async function readStretch<Row>(
  reading: Reading,
  stretch: ListStretch,
  end: Position | undefined,
  limit: number,
): Promise<readonly ListedRow<Row>[]> {
  const query = conditioned(reading, boundsOf(reading, stretch, end), stretch)
  return (await inOrder(reading, stretch, positioned(reading, selected(reading, query), stretch))
    .limit(limit)
    .execute()) as unknown as readonly ListedRow<Row>[]
}

/** Adds the columns of `reading` to a query. */
export const selected = ({ columns, table }: Reading, query: AnyQuery): AnyQuery =>
  columns ? query.select(columns.map((column) => sql.ref(`${table}.${column}`).as(column))) : query.selectAll(table)

/** Adds the position of each row as `list_value` and `list_key`. */
export const positioned = (reading: Reading, query: AnyQuery, stretch?: ListStretch) => {
  const { value, key } = stretch ? positionIn(reading, stretch) : { value: valueOf(reading), key: keyOf(reading) }
  return query.select([value.$castTo<Position['value']>().as('list_value'), key.$castTo<Position['key']>().as('list_key')])
}

type PositionedQuery = ReturnType<typeof positioned>

/**
 * Sorts the rows of a stretch. The order names all columns of the index, even columns with one value: after a null column,
 * PostgreSQL considers the rows of an index sorted only if the order names that column.
 */
function inOrder(reading: Reading, stretch: ListStretch, query: PositionedQuery): PositionedQuery {
  const { table, key: keyColumn, order, plan } = reading
  const { value, key } = positionIn(reading, stretch)
  const direction = order.down ? sql`desc` : sql`asc`
  const ahead = plan.ahead === undefined ? query : query.orderBy(sql`${sql.ref(`${table}.${plan.ahead}`)} ${direction}`)
  const hasValue = order.field.column !== keyColumn && (order.field.beside === undefined || stretch.beside)
  const byValue = hasValue ? ahead.orderBy(sql`${value} ${direction}`) : ahead
  return byValue.orderBy(sql`${key} ${direction}`)
}

/**
 * Reads a page by sorting all found rows. The sort expression keeps the database from reading in the order of the sorted column.
 */
async function readFew<Row>(reading: Reading, after: Position | undefined, limit: number): Promise<readonly ListedRow<Row>[]> {
  const query = conditioned(reading, after ? [isAfter(reading, after)] : [])
  return (await sortedRows(reading, positioned(reading, selected(reading, query)))
    .limit(limit)
    .execute()) as unknown as readonly ListedRow<Row>[]
}

/** Sorts the rows of a query. Rows without a value count as the smallest, or come last if the values are in `entry_value`. */
export function sortedRows<Q extends { orderBy(by: RawBuilder<unknown>): Q }>(reading: Reading, query: Q): Q {
  const [value, key] = [valueOf(reading), keyOf(reading)]
  const direction = reading.order.down ? sql`desc` : sql`asc`
  return query
    .orderBy(
      sql`case when ${value} is null then ${nullsLast(reading) ? sql`2` : sql`0`} else 1 end ${nullsLast(reading) ? sql`asc` : direction}`,
    )
    .orderBy(sql`${value} ${direction}`)
    .orderBy(sql`${key} ${direction}`)
}

const nullsLast = ({ order }: Reading): boolean => order.field.beside !== undefined

/** The condition for rows after a position, in the order of `sortedRows`. */
export function isAfter(reading: Reading, { value: last, key: lastKey }: Position): Condition {
  const [value, key] = [valueOf(reading), keyOf(reading)]
  const keyBeyond = sql`${key} ${beyond(reading)} ${lastKey}`
  if (last === null) {
    const rest = reading.order.down || nullsLast(reading) ? sql`1 = 0` : sql`${value} is not null`
    return sql<SqlBool>`((${value} is null and ${keyBeyond}) or ${rest})`
  }
  const nulls = reading.order.down || nullsLast(reading) ? sql`${value} is null` : sql`1 = 0`
  return sql<SqlBool>`(${value} ${beyond(reading)} ${last} or (${value} = ${last} and ${keyBeyond}) or ${nulls})`
}
