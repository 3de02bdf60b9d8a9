// Deletes expired rows as recurring work, in transactions of a few milliseconds each, between which other writers get their turn.
// Readers of these tables compare the time themselves, so an expired row that still exists has no effect.

import { type RawBuilder, sql } from 'kysely'
import { keptMs as jobsKeptMs } from '../../jobs/job-store.ts'
import { toldMs } from '../../media/upload-link.ts'
import type { Recurring } from '../../jobs/recurring.ts'
import type { Schema } from '../../store/core/schema.ts'
import { keptMs as keysKeptMs } from './idempotency.ts'
import { removedKeptMs } from '../../content/comments/comment-rules.ts'
import { confirmMs } from '../../mail/newsletter/subscriber-store.ts'
import { keptMs as mailsKeptMs } from '../../mail/mail-queue.ts'
import { keptMs as deliveriesKeptMs } from '../../webhooks/endpoint-store.ts'
import type { Services } from './services.ts'

type Site = Pick<Services, 'store' | 'clock'>

interface ExpiringDay {
  readonly table: 'visit_count' | 'call_count'
  readonly key: readonly string[]
  /** The days for which a row is stored. */
  readonly keptDays: number
  readonly where?: RawBuilder<unknown>
}

/** Rows of days. The sums of each day are kept for good: a row a day. */
const dayTables: readonly ExpiringDay[] = [
  { table: 'visit_count', key: ['day', 'part', 'value'], keptDays: 2 * 366, where: sql`and part <> 'all'` },
  { table: 'call_count', key: ['day', 'token', 'action', 'door'], keptDays: 90 },
]

interface Expiring {
  readonly table: keyof Schema
  readonly key: readonly string[]
  /** The column with the time, and the time after it for which a row is stored. */
  readonly column: string
  readonly keptMs?: number
  readonly where?: RawBuilder<unknown>
}

const tables: readonly Expiring[] = [
  { table: 'preview', key: ['id'], column: 'expires_at' },
  { table: 'upload_link', key: ['id'], column: 'expires_at', keptMs: toldMs },
  { table: 'idempotency', key: ['owner', 'key'], column: 'at', keptMs: keysKeptMs },
  { table: 'consent_answer', key: ['id'], column: 'expires_at' },
  { table: 'spent_challenge', key: ['id'], column: 'expires_at' },
  { table: 'sign_in_attempt', key: ['bucket'], column: 'ends_at' },
  { table: 'webhook_delivery', key: ['id'], column: 'created_at', keptMs: deliveriesKeptMs },
  { table: 'form_submission', key: ['id'], column: 'expires_at' },
  { table: 'subscriber', key: ['id'], column: 'updated_at', keptMs: confirmMs, where: sql`and state = 'pending'` },
  { table: 'mail', key: ['id'], column: 'created_at', keptMs: mailsKeptMs },
  { table: 'comment', key: ['id'], column: 'updated_at', keptMs: removedKeptMs, where: sql`and state in ('spam', 'trash')` },
  // Sent ones stay, so that a page that was told of an entry learns of its change.
  {
    table: 'webmention',
    key: ['id'],
    column: 'created_at',
    keptMs: removedKeptMs,
    where: sql`and state <> 'waiting' and not (direction = 'out' and state = 'done')`,
  },
  { table: 'job', key: ['id'], column: 'finished_at', keptMs: jobsKeptMs, where: sql`and name is null` },
]

/** The number of rows per transaction. */
const atOnce = 500
/** The most stored answers per caller. The oldest are deleted first. */
const maxKeys = 20_000

/** The turn, every minute. */
export const expiredRowsTurn = (site: Site): Recurring => ({
  name: 'expired rows',
  call: 'SVC_Health.clear-caches',
  everyMs: 60_000,
  run: (signal) => removeExpired(site, signal),
})

/** @returns the number of deleted rows */
export async function removeExpired({ store, clock }: Site, signal?: AbortSignal): Promise<{ readonly removed: number }> {
  const now = clock.now()
  let removed = 0
  for (const { keptMs = 0, where = sql``, ...expiring } of tables)
    removed += await removeSlices(store, expiring, sql`${sql.ref(expiring.column)} <= ${now - keptMs} ${where}`, Infinity, signal)
  for (const { keptDays, where = sql``, ...expiring } of dayTables) {
    const last = new Date(now - keptDays * 86_400_000).toISOString().slice(0, 10)
    removed += await removeSlices(store, { ...expiring, column: 'day' }, sql`day <= ${last} ${where}`, Infinity, signal)
  }
  for (const { owner, keys } of await listFullOwners(store))
    removed += await removeSlices(store, keysTable, sql`owner = ${owner}`, keys - maxKeys, signal)
  return { removed }
}

const keysTable = { table: 'idempotency', key: ['owner', 'key'], column: 'at' } as const

async function listFullOwners({ read }: Site['store']): Promise<readonly { readonly owner: string; readonly keys: number }[]> {
  return read
    .selectFrom('idempotency')
    .select((eb) => ['owner', eb.fn.countAll<number>().as('keys')])
    .groupBy('owner')
    .having((eb) => eb.fn.countAll(), '>', maxKeys)
    .execute()
}

/** Deletes at most `most` of the rows that meet a condition, the oldest first. */
async function removeSlices(
  store: Site['store'],
  { table, key, column }: Pick<Expiring, 'table' | 'key' | 'column'>,
  condition: RawBuilder<unknown>,
  most: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const columns = sql.join(key.map((name) => sql.ref(name)))
  let removed = 0
  while (removed < most) {
    signal?.throwIfAborted()
    const slice = Math.min(atOnce, most - removed)
    const oldest = sql`select ${columns} from ${sql.table(table)} where ${condition} order by ${sql.ref(column)} limit ${slice}`
    const { numAffectedRows = 0n } = await store.transaction((db) =>
      sql`delete from ${sql.table(table)} where (${columns}) in (${oldest})`.execute(db),
    )
    removed += Number(numAffectedRows)
    if (Number(numAffectedRows) < slice) break
  }
  return removed
}
