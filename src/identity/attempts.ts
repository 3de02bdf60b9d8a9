// Counts attempts to guess a password or a code, in the database, which all processes share. An attempt is counted before it is
// checked, and uncounted if it was right, so that simultaneous attempts don't escape the count.

import { createHmac, hash } from 'node:crypto'
import { sql } from 'kysely'
import { rateKey } from '../http/addresses.ts'
import type { Db } from '../store/core/database.ts'
import type { SiteKey } from './site-key.ts'

/** The time for which failures count, in milliseconds. */
export const windowMs = 15 * 60_000

/** A counter of attempts, such as that of an account or an address, and the number that may fail in a window. */
export interface Bucket {
  readonly name: string
  readonly limit: number
}

/** The name of a bucket. It is a hash, so that mistyped addresses are never stored. */
export const bucketName = (...parts: readonly string[]): string => hash('sha256', JSON.stringify(parts), 'base64url')

/** The address of a sender for the name of a bucket: a hash that nobody but this site can make. */
export const keyedAddress = (key: SiteKey, purpose: string, address: string): string =>
  createHmac('sha256', key.derive(purpose)).update(rateKey(address)).digest('base64url')

/**
 * Counts an attempt in all buckets. If a bucket is full, counts nothing and returns the time at which the bucket ends.
 * @param ms the time for which a new bucket counts
 */
export async function countAttempt(
  db: Db,
  buckets: readonly Bucket[],
  now: number,
  ms: number = windowMs,
): Promise<number | undefined> {
  const names = buckets.map(({ name }) => name)
  if (names.length > 0) await db.deleteFrom('sign_in_attempt').where('bucket', 'in', names).where('ends_at', '<=', now).execute()
  const taken: Bucket[] = []
  for (const bucket of buckets) {
    const { count, ends_at: endsAt } = await db
      .insertInto('sign_in_attempt')
      .values({ bucket: bucket.name, count: 1, ends_at: now + ms })
      .onConflict((on) => on.column('bucket').doUpdateSet({ count: sql<number>`sign_in_attempt.count + 1` }))
      .returning(['count', 'ends_at'])
      .executeTakeFirstOrThrow()
    taken.push(bucket)
    if (count <= bucket.limit) continue
    await giveBack(db, taken)
    return endsAt
  }
  return undefined
}

/** Removes a counted attempt from all buckets. */
export async function giveBack(db: Db, buckets: readonly Bucket[]): Promise<void> {
  const names = buckets.map(({ name }) => name)
  await db
    .updateTable('sign_in_attempt')
    .set({ count: sql<number>`count - 1` })
    .where('bucket', 'in', names)
    .where('count', '>', 0)
    .execute()
}

/** The seconds until a bucket ends, at least one. */
export const secondsUntil = (endsAt: number, now: number): number => Math.max(1, Math.ceil((endsAt - now) / 1000))
