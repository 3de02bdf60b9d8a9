// The turns of recurring work: the due time, and the process that takes it. A single statement decides which process gets a turn.

import type { Db } from '../store/core/database.ts'
import type { JobRow } from '../store/core/schema.ts'
import { startedBy } from './job-store.ts'

export type TurnRow = Pick<JobRow, 'id' | 'name' | 'state' | 'lease_until' | 'next_at' | 'result' | 'finished_at'>

/** Returns the rows of recurring work, by name. New work has no row yet. */
export async function listTurns(db: Db, names: readonly string[]): Promise<ReadonlyMap<string, TurnRow>> {
  const rows = await db
    .selectFrom('job')
    .select(['id', 'name', 'state', 'lease_until', 'next_at', 'result', 'finished_at'])
    .where('name', 'in', names)
    .execute()
  return new Map(rows.map((row) => [row.name ?? '', row]))
}

/** Returns the time at which the work is due next, in UTC milliseconds; null if it is never due. */
export async function nextTurnAt(db: Db, name: string): Promise<number | null> {
  const row = await db.selectFrom('job').select('next_at').where('name', '=', name).executeTakeFirst()
  return row?.next_at ?? null
}

/** Sets when work is due; null for never. `call` is its name in lists. */
export async function setTurn(db: Db, name: string, call: string, nextAt: number | null, now: number): Promise<void> {
  await db
    .insertInto('job')
    .values({ ...newTurn(name, call, now), next_at: nextAt })
    .onConflict((on) => on.column('name').doUpdateSet({ next_at: nextAt }))
    .execute()
}

/** Adds new work. If another process has already added it, that process's time stays. */
export async function addTurn(db: Db, name: string, call: string, nextAt: number, now: number): Promise<void> {
  await db
    .insertInto('job')
    .values({ ...newTurn(name, call, now), next_at: nextAt })
    .onConflict((on) => on.doNothing())
    .execute()
}

/** Moves a turn from one time to another. @returns false if the turn is no longer due at `from` */
export async function moveTurn(db: Db, name: string, from: number, to: number): Promise<boolean> {
  const moved = await db
    .updateTable('job')
    .set({ next_at: to })
    .where('name', '=', name)
    .where('next_at', '=', from)
    .returning('id')
    .executeTakeFirst()
  return moved !== undefined
}

/**
 * Takes a due turn, unless a living process has taken it. The process that gets `true` runs the work.
 * @param turn `from` is the due time, `again` the next due time if this run fails or its process dies
 */
export async function takeTurn(
  db: Db,
  name: string,
  turn: { readonly from: number; readonly again: number },
  runner: string,
  now: number,
): Promise<boolean> {
  const taken = await db
    .updateTable('job')
    .set(({ eb }) => ({
      ...startedBy(runner, now),
      attempts: eb('attempts', '+', 1),
      next_at: turn.again,
    }))
    .where('name', '=', name)
    .where('next_at', '=', turn.from)
    .where((eb) => eb.or([eb('state', '=', 'waiting'), eb('lease_until', '<', now)]))
    .returning('id')
    .executeTakeFirst()
  return taken !== undefined
}

/** Ends a turn with its result or error. Both texts are JSON. */
export async function endTurn(
  db: Db,
  name: string,
  runner: string,
  ended: Pick<JobRow, 'result' | 'error'>,
  now: number,
): Promise<void> {
  await db
    .updateTable('job')
    .set({ ...ended, state: 'waiting', runner: null, lease_until: null, progress: null, finished_at: now })
    .where('name', '=', name)
    .where('runner', '=', runner)
    .execute()
}

/** Deletes recurring work whose name starts with this prefix. */
export async function dropTurns(db: Db, prefix: string): Promise<void> {
  await db.deleteFrom('job').where('name', '>=', prefix).where('name', '<', `${prefix}\u{10ffff}`).execute()
}

function newTurn(name: string, call: string, now: number): Omit<JobRow, 'next_at'> {
  const nobody = { arguments: null, account_id: null, token_id: null, by_name: 'Postern', owner: null, key: null }
  const never = { progress: null, result: null, error: null, attempts: 0, cancel: 0, runner: null, lease_until: null }
  // The name is also the id, because it never equals the id of a call's job.
  return { id: name, name, call, ...nobody, ...never, state: 'waiting', created_at: now, started_at: null, finished_at: null }
}
