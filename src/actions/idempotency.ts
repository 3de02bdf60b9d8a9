// `idempotency_key`: a write that is sent again gets the first answer again, for a day and for the same caller only (attack 86).

import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import { Failure } from '../failure.ts'
import { ownerOf } from '../identity/caller.ts'
import { canonical, JsonText, jsonText } from '../json.ts'
import { compileOnce, insertOf, shapeOf, withValues } from '../store/compile-once.ts'
import type { Db } from '../store/database.ts'
import { queueWrite } from '../store/queued-writes.ts'
import type { IdempotencyRow, Schema } from '../store/schema.ts'
import type { Call } from './call.ts'

/** The time for which a key is stored, in milliseconds. */
export const keptMs = 24 * 60 * 60 * 1000

export interface Keyed {
  readonly owner: string
  readonly key: string
  readonly call: Call
  readonly now: number
}

export { ownerOf }

/**
 * The stored answer of a key; undefined for a new key.
 * @throws Failure `key_reused` when the key came with another call, `unavailable` while the first call with it still runs
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
  const at = new Date(row.at).toISOString()
  throw new Failure('key_reused', `This idempotency_key was used at ${at} for another call. Use a new key for a new call.`, {
    at,
  })
}

/** The stored answer of a key, whatever the call was that it came with; undefined for an unknown key. */
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

/** Stores an answer under its key, in the transaction of the change, without waiting for it. */
export function rememberAnswer(db: Transaction<Schema>, keyed: Keyed & { answer: unknown }): void {
  putRow(db, keyed, jsonText(keyed.answer))
}

/** Adds the row of a key, in place of one that is no longer kept. `expired-rows.ts` removes the others. */
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

/** Replaces a stored answer by the complete one, which includes what was read after the commit. */
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

/** Stored while the call with the key still runs. No answer is the empty text. */
const pending = ''

/** After this time, the process of an unfinished call is taken to have died. */
const abandonedMs = 60_000

/** Claims a key for a call that runs outside a transaction. Until the call ends, others with this key fail with `unavailable`. */
export function claimKey(db: Transaction<Schema>, keyed: Keyed): void {
  putRow(db, keyed, pending)
}

/** Releases a claimed key. */
export async function dropAnswer(db: Transaction<Schema>, { owner, key }: Pick<Keyed, 'owner' | 'key'>): Promise<void> {
  await db.deleteFrom('idempotency').where('owner', '=', owner).where('key', '=', key).execute()
}

/** The hash of a call without its key. The options count: a call with another `if_revision` is another call. */
export function hashOf({ name, input, options }: Call): string {
  const { idempotencyKey: _key, select: _select, ...rest } = options
  return createHash('sha256')
    .update(canonical([name, input, rest]))
    .digest('base64url')
}
