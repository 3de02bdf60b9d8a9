// Counts calls of actions by token, action and door, with the time that they took. As visits, they gather in memory.

import { sql } from 'kysely'
import type { Store } from '../store/core/database.ts'
import type { CallCountRow } from '../store/core/schema.ts'
import { joined } from './parts.ts'

/** A call that was answered. */
export interface CountedCall {
  /** The id and the name of the token or app; null for a caller without one. */
  readonly token: { readonly id: string; readonly name: string } | null
  /** `CLASS.ACTION`; `joined` for a name that no action has. */
  readonly action: string
  readonly door: string
  readonly failed: boolean
  readonly tookMs: number
}

/** The upper bounds of the times, by their columns. */
export const timeBounds = [
  ['ms_10', 10],
  ['ms_50', 50],
  ['ms_200', 200],
  ['ms_1000', 1000],
  ['ms_5000', 5000],
  ['ms_more', Infinity],
] as const

/** The most rows of a process between two writes, and the most of a day. Others are joined by door. */
const maxRows = 200
const maxRowsOfDay = 200

export class CallCounts {
  #rows = new Map<string, CallCountRow>()

  add(day: string, { token, action, door, failed, tookMs }: CountedCall): void {
    const row = this.#row(day, token?.id ?? joined, action, door)
    if (row.token !== joined && token) row.token_name = token.name
    row.calls += 1
    if (failed) row.errors += 1
    const [column] = timeBounds.find(([, bound]) => tookMs <= bound) ?? timeBounds[0]
    row[column] += 1
  }

  /** Writes the counts. After a failure they join the next ones. */
  async write(store: Pick<Store, 'read' | 'transaction'>): Promise<void> {
    if (this.#rows.size === 0) return
    const rows = this.#rows
    this.#rows = new Map()
    try {
      await store.transaction((db) => addRows(db, [...rows.values()]))
    } catch (error) {
      for (const row of rows.values()) addTo(this.#row(row.day, row.token, row.action, row.door), row)
      throw error
    }
    for (const day of new Set([...rows.values()].map((row) => row.day))) await joinRare(store, day)
  }

  #row(day: string, token: string, action: string, door: string): CallCountRow {
    const key = `${day} ${token} ${action} ${door}`
    const known = this.#rows.get(key)
    if (known) return known
    if (this.#rows.size >= maxRows && (token !== joined || action !== joined)) return this.#row(day, joined, joined, door)
    const made = emptyRow(day, token, action, door)
    this.#rows.set(key, made)
    return made
  }
}

const numbers = ['calls', 'errors', ...timeBounds.map(([column]) => column)] as const

function emptyRow(day: string, token: string, action: string, door: string): CallCountRow {
  const none = { calls: 0, errors: 0, ms_10: 0, ms_50: 0, ms_200: 0, ms_1000: 0, ms_5000: 0, ms_more: 0 }
  return { day, token, action, door, token_name: '', ...none }
}

function addTo(row: CallCountRow, more: CallCountRow): void {
  if (more.token_name !== '') row.token_name = more.token_name
  for (const column of numbers) row[column] += more[column]
}

type Db = Parameters<Parameters<Store['transaction']>[0]>[0]

async function addRows(db: Db, rows: readonly CallCountRow[]): Promise<void> {
  await db
    .insertInto('call_count')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.columns(['day', 'token', 'action', 'door']).doUpdateSet({
        token_name: (eb) => eb.ref('excluded.token_name'),
        ...Object.fromEntries(
          numbers.map((column) => [column, sql`${sql.ref(`call_count.${column}`)} + ${sql.ref(`excluded.${column}`)}`]),
        ),
      }),
    )
    .execute()
}

/** Joins the rows with the fewest calls, if a day has more than it may. */
async function joinRare(store: Pick<Store, 'read' | 'transaction'>, day: string): Promise<void> {
  const rareIn = (db: Store['read'] | Db) =>
    db
      .selectFrom('call_count')
      .selectAll()
      .where('day', '=', day)
      .where((eb) => eb.or([eb('token', '!=', joined), eb('action', '!=', joined)]))
      .orderBy('calls', 'desc')
      .orderBy('token')
      .orderBy('action')
      .orderBy('door')
      .limit(1_000_000)
      .offset(maxRowsOfDay)
      .execute()
  if ((await rareIn(store.read)).length === 0) return
  await store.transaction(async (db) => {
    const byDoor = new Map<string, CallCountRow>()
    for (const row of await rareIn(db)) {
      const { token, action, door } = row
      await db
        .deleteFrom('call_count')
        .where('day', '=', day)
        .where('token', '=', token)
        .where('action', '=', action)
        .where('door', '=', door)
        .execute()
      const into = byDoor.get(door) ?? emptyRow(day, joined, joined, door)
      byDoor.set(door, into)
      addTo(into, { ...row, token_name: '' })
    }
    await addRows(db, [...byDoor.values()])
  })
}
