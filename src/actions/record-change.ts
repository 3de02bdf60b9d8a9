// A change that no action makes, such as a password set or an app connected: in a transaction of its own caller, with its record, and told
// to the caches after the commit.

import { type Ran, recordActivity } from '../activity/record.ts'
import type { Services } from './services.ts'
import { type Caller, nameOf } from '../identity/caller.ts'
import { areasOf, type Change, createChange } from '../store/change.ts'
import { newId } from '../store/ids.ts'
import type { Schema } from '../store/schema.ts'
import { bump } from '../store/versions.ts'
import type { Transaction } from 'kysely'

/** What is written down of a change. `effect` is never `write`: undo brings back no credential. */
export interface Recording {
  readonly caller: Caller
  readonly call: string
  readonly effect: 'act' | 'destroy'
  readonly summary: string
  readonly input: Readonly<Record<string, unknown>>
  readonly now: number
}

/** What is to be done once the transaction is committed. */
export type AfterCommit = () => Promise<void>

/** Runs a change and records it, in a transaction that is open. */
export async function recordChange<T>(
  site: Pick<Services, 'freshness'>,
  db: Transaction<Schema>,
  { caller, call, effect, summary, input, now }: Recording,
  run: (change: Change) => Promise<T>,
): Promise<{ readonly value: T; readonly afterCommit: AfterCommit }> {
  const author = { accountId: caller.account?.id ?? null, name: nameOf(caller), door: caller.door, action: call }
  const change = createChange(db, { now, author })
  const value = await run(change)
  const runs: readonly Ran[] = [{ name: call, tier: 'admin', effect }]
  await recordActivity(db, { id: newId(now), call, runs, summary, caller, input, records: change.records, now })
  const counters = await bump(db, areasOf(change.records))
  return { value, afterCommit: () => site.freshness.committed(counters, change.records) }
}
