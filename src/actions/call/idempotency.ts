// `idempotency_key`: a repeated write gets the first answer, for a day and for the same caller only (attack 86).

import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import { Failure } from '../../base/failure.ts'
import { canonical, JsonText, jsonText } from '../../base/json.ts'
import { formatDate } from '../../settings/time-zone.ts'
import { compileOnce, insertOf, shapeOf, withValues } from '../../store/core/compile-once.ts'
import type { Db } from '../../store/core/database.ts'
import { queueWrite } from '../../store/core/queued-writes.ts'
import type { IdempotencyRow, Schema } from '../../store/core/schema.ts'
import type { Call } from './call.ts'

/** The time for which a key is stored, in milliseconds. */
export const keptMs = 24 * 60 * 60 * 1000

export interface Keyed {
  readonly owner: string
  readonly key: string
  readonly call: Call
  readonly now: number
}

/**
 * Returns the stored answer of a key; undefined for a new key.
 * @throws Failure `key_reused` if another call used the key; `unavailable` while the first call with it is running
 */
export async function findReplay(db: Transaction<Schema>, { owner, key, call, now }: Keyed): Promise<JsonText | undefined> {
  const query = compileOnce(db, 'a key', () =>
    db.selectFrom('idempotency').selectAll().where('owner', '=', owner).where('key', '=', key),
  )
  const [row] = (await db.executeQuery(withValues(query, owner, key))).rows
  if (!row || row.at <= now - keptMs) return undefined
  if (row.input_hash === hashOf(call)) {
    if (row.answer !== pending) return new JsonText(row.answer)
    if (row.at > now - abandonedMs)
      throw new Failure('unavailable', 'The first call with this idempotency_key is still running.', { retry_after: 1 })
    await dropAnswer(db, { owner, key })
    return undefined
  }
  throw keyReused(row.at)
}

/** The failure of a call whose key another call used at this time. */
export function keyReused(ms: number): Failure {
  const at = formatDate(ms)
  return new Failure('key_reused', `This idempotency_key was used at ${at} for another call. Use a new key for a new call.`, {
    at,
  })
}

/** Returns the stored answer of a key for any call; undefined for an unknown key. */
export async function findAnswer(db: Db, { owner, key, now }: Omit<Keyed, 'call'>): Promise<object | undefined> {
  const row = await db
    .selectFrom('idempotency')
    .select('answer')
    .where('owner', '=', owner)
    .where('key', '=', key)
    .where('at', '>', now - keptMs)
    .executeTakeFirst()
  return row === undefined || row.answer === pending ? undefined : (JSON.parse(row.answer) as object)
}

/** Queues the storing of an answer under its key, in the transaction of the change. */
export function rememberAnswer(db: Transaction<Schema>, keyed: Keyed & { answer: unknown }): void {
  putRow(db, keyed, jsonText(keyed.answer))
}

/** Queues the row of a key, which replaces an expired row. `expired-rows.ts` deletes other expired rows. */
function putRow(db: Transaction<Schema>, keyed: Keyed, answer: string): void {
  const oldest = keyed.now - keptMs
  const { owner, key } = keyed
  const dropOld = compileOnce(db, `drop an old key${shapeOf(oldest)}`, () =>
    db.deleteFrom('idempotency').where('owner', '=', owner).where('key', '=', key).where('at', '<=', oldest),
  )
  queueWrite(db, { query: withValues(dropOld, owner, key, oldest) })
  queueWrite(db, { query: insertOf(db, 'idempotency', rowOf(keyed, answer)) })
}

const rowOf = ({ owner, key, call, now }: Keyed, answer: string): IdempotencyRow => ({
  owner,
  key,
  input_hash: hashOf(call),
  answer,
  at: now,
})

/** Replaces a stored answer with the complete one, which includes reads after the commit. */
export async function completeAnswer(
  db: Transaction<Schema>,
  { owner, key, answer }: Pick<Keyed, 'owner' | 'key'> & { answer: unknown },
): Promise<void> {
  await db
    .updateTable('idempotency')
    .set({ answer: jsonText(answer) })
    .where('owner', '=', owner)
    .where('key', '=', key)
    .execute()
}

/** The stored answer while the call is running. No real answer is empty. */
const pending = ''

/** The time after which the process of an unfinished call is considered dead. */
const abandonedMs = 60_000

/**
 * Claims a key for a call that runs outside a transaction. Until the call ends, other calls with this key fail with `unavailable`.
 */
export function claimKey(db: Transaction<Schema>, keyed: Keyed): void {
  putRow(db, keyed, pending)
}

/** Releases a claimed key. */
export async function dropAnswer(db: Transaction<Schema>, { owner, key }: Pick<Keyed, 'owner' | 'key'>): Promise<void> {
  await db.deleteFrom('idempotency').where('owner', '=', owner).where('key', '=', key).execute()
}

/** Returns the hash of a call without its key. The options count: a different `if_revision` makes a different call. */
export function hashOf({ name, input, options }: Call): string {
  const { idempotencyKey: _key, select: _select, ...rest } = options
  return createHash('sha256')
    .update(canonical([name, input, rest]))
    .digest('base64url')
}
