// Writes the counts of a process into the database. A visitor counts once, whichever process saw it first: the database has the ids
// of the day, and an id that it has already adds nothing. Transactions are small, so other writers don't wait.

import { sql, type Transaction } from 'kysely'
import type { Store } from '../store/core/database.ts'
import { jsonRows } from '../store/core/json-rows.ts'
import type { Schema } from '../store/core/schema.ts'
import type { DayCell, CountBatch } from './day-counts.ts'
import { joined, maxValues, type Part, parts } from './parts.ts'

type Db = Transaction<Schema>

/** The most ids and cells in a transaction. Each takes about ten microseconds. */
const maxAtOnce = 500

/**
 * Writes a batch, and takes out of it what is written. After a failure the rest is still in it.
 * @throws Failure, ConstraintError, QueryError as a transaction does
 */
export async function writeCounts(store: Pick<Store, 'read' | 'transaction'>, batch: CountBatch): Promise<void> {
  const { day, salt, ids, cells } = batch
  // Neighbours in the index are written together, which dirties fewer pages of the database.
  ids.sort((a, b) => a.id - b.id)
  while (ids.length > 0) {
    const slice = ids.slice(0, maxAtOnce)
    const touched = await store.transaction(async (db) => {
      const added = await addIds(
        db,
        salt,
        slice.map(({ id }) => id),
      )
      const visitors = new Map<DayCell, number>()
      for (const { id, cells: counted } of slice)
        if (added.has(id)) for (const cell of counted) visitors.set(cell, (visitors.get(cell) ?? 0) + 1)
      const rows = [...visitors].map(([cell, count]) => ({ ...cell, visitors: count }))
      await addRows(db, day, rows)
      return visitors.keys()
    })
    ids.splice(0, slice.length)
    for (const cell of touched) cell.views = 0
  }
  const viewed = cells.filter(({ views }) => views > 0)
  for (let at = 0; at < viewed.length; at += maxAtOnce) {
    const slice = viewed.slice(at, at + maxAtOnce)
    await store.transaction((db) => addRows(db, day, slice))
    for (const cell of slice) cell.views = 0
  }
  for (const part of await listFullParts(store, day)) await store.transaction((db) => joinRare(db, day, part))
}

/** The parts of a day that have more values than they may. */
async function listFullParts({ read }: Pick<Store, 'read'>, day: string): Promise<readonly Part[]> {
  const found = await read
    .selectFrom('visit_count')
    .select((eb) => ['part', eb.fn.countAll<number>().as('values')])
    .where('day', '=', day)
    .where('value', '!=', joined)
    .groupBy('part')
    .execute()
  return parts.filter((part) => found.some((one) => one.part === part && one.values > maxValues[part]))
}

/**
 * Adds ids to those of the day, and returns the new ones. If another process has replaced the salt at midnight, the ids are of the
 * day before. They are nowhere any more, and count as new.
 */
async function addIds(db: Db, salt: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const row = await db.selectFrom('visit_salt').select('salt').executeTakeFirst()
  if (row?.salt !== salt) return new Set(ids)
  // One parameter, since a statement with a parameter for each id takes longer to make than to run.
  const given = jsonRows(
    db,
    [{ name: 'id', kind: 'number' }],
    ids.map((id) => [id]),
  )
  const { rows } = await sql<{ id: number }>`insert into visitor_seen (id) select cast(id as bigint) from (${given}) as given
    where true on conflict (id) do nothing returning id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

async function addRows(
  db: Db,
  day: string,
  cells: readonly Pick<DayCell, 'part' | 'value' | 'views' | 'visitors'>[],
): Promise<void> {
  if (cells.length === 0) return
  const given = jsonRows(
    db,
    columns,
    cells.map(({ part, value, views, visitors }) => [part, value, views, visitors]),
  )
  await sql`insert into visit_count (day, part, value, views, visitors)
    select ${day}, part, value, cast(views as integer), cast(visitors as integer) from (${given}) as given
    where true on conflict (day, part, value) do update set views = visit_count.views + excluded.views,
      visitors = visit_count.visitors + excluded.visitors`.execute(db)
}

const columns = [
  { name: 'part', kind: 'text' },
  { name: 'value', kind: 'text' },
  { name: 'views', kind: 'number' },
  { name: 'visitors', kind: 'number' },
] as const

/** Joins the rarest values of a part, if a day has more than it may. A flood of made values so replaces none that is frequent. */
async function joinRare(db: Db, day: string, part: Part): Promise<void> {
  const most = maxValues[part]
  const rare = await db
    .selectFrom('visit_count')
    .select(['value', 'views', 'visitors'])
    .where('day', '=', day)
    .where('part', '=', part)
    .where('value', '!=', joined)
    .orderBy('views', 'desc')
    .orderBy('value')
    .limit(1_000_000)
    .offset(most)
    .execute()
  if (rare.length === 0) return
  const sum = (of: (row: { views: number; visitors: number }) => number) => rare.reduce((all, row) => all + of(row), 0)
  await db
    .deleteFrom('visit_count')
    .where('day', '=', day)
    .where('part', '=', part)
    .where(
      'value',
      'in',
      rare.map(({ value }) => value),
    )
    .execute()
  await addRows(db, day, [{ part, value: joined, views: sum(({ views }) => views), visitors: sum(({ visitors }) => visitors) }])
}
