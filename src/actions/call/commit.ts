// The one commit path: every change of the site commits here. One transaction has the change, its activity record, and the counters
// by which other processes find stale caches. After the commit, the caches of this process are refreshed. Nothing else writes a
// record. Only the search index also raises a counter, for rows that an older release wrote.

import type { Transaction } from 'kysely'
import { type ActivityFacts, type Ran, recordActivity } from '../../activity/record.ts'
import { type Caller, nameOf } from '../../identity/caller.ts'
import { areasOf, type Author, type Change, createChange } from '../../store/change/change.ts'
import { changedRows } from '../../store/change/changed-rows.ts'
import { newId } from '../../store/core/ids.ts'
import type { Area } from '../../store/change/kinds.ts'
import { type ChangedRow, countersOf } from '../../store/change/page-areas.ts'
import type { Schema } from '../../store/core/schema.ts'
import { raiseCounters } from '../../store/change/versions.ts'
import type { Services } from './services.ts'

/** Work to do after the commit. */
type AfterCommit = () => void | Promise<void>

/** An open transaction, with the record and the work that belong to its commit. */
export interface Commit {
  readonly db: Transaction<Schema>
  /**
   * Queues the activity record. At the end of the transaction, the counters of all changed areas are raised; after the commit, the
   * caches are refreshed.
   * @param stale more areas that every process must reload
   * @param others changed rows that pages show and that have no record
   * @returns false if nothing had changed; then there is no record
   */
  record(facts: ActivityFacts, stale?: readonly Area[], others?: readonly ChangedRow[]): boolean
  /** Adds work for after the commit. It runs after the caches are refreshed, in the order of these calls. */
  afterCommit(run: AfterCommit): void
}

interface Recorded {
  readonly facts: ActivityFacts
  readonly areas: readonly Area[]
  readonly rows: readonly ChangedRow[]
  readonly stale: readonly Area[]
}

type CommitSite = Pick<Services, 'store' | 'freshness' | 'log' | 'webhooks' | 'mail'>

/**
 * Runs `work` in a write transaction, and refreshes the caches after the commit. If `work` throws, the transaction is rolled back.
 * An error after the commit only goes to the log: the change is saved, and a caller who saw a failure would repeat the call.
 * @param call names the work in the log
 * @param signal ends the transaction when it aborts
 * @throws the error of `work`; Failure `unavailable` as `Store.transaction` does
 */
export async function commit<T>(
  site: CommitSite,
  call: string,
  work: (commit: Commit) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const recorded: Recorded[] = []
  const later: AfterCommit[] = []
  let hasEvents = false
  let hasMails = false
  const { value, counters } = await site.store.transaction(async (db) => {
    const done = await work({
      db,
      afterCommit: (run) => void later.push(run),
      record(facts, stale = [], others = []) {
        const rows = [...changedRows(facts.records), ...others]
        recorded.push({ facts, areas: [...areasOf(facts.records), ...countersOf(others), ...stale], rows, stale })
        const isRecorded = recordActivity(db, facts)
        if (isRecorded && site.webhooks.note(db, facts)) hasEvents = true
        return isRecorded
      },
    })
    for (const { facts } of recorded) if (await site.mail.note(db, facts.records, facts.now)) hasMails = true
    // This comes last, because it waits for a result, and everything queued is sent with it.
    const raised = await raiseCounters(
      db,
      recorded.flatMap(({ areas }) => areas),
    )
    site.freshness.note(db, {
      counters: raised,
      records: recorded.flatMap(({ facts }) => facts.records),
      rows: recorded.flatMap(({ rows }) => rows),
      stale: recorded.flatMap(({ stale }) => stale),
    })
    return { value: done, counters: raised }
  }, signal)
  for (const { facts, areas, rows, stale } of recorded) {
    const own = new Map([...counters].filter(([area]) => areas.includes(area)))
    const { records, caller, partOf } = facts
    const change = { counters: own, records, rows, stale, plugin: caller.plugin, isQuiet: partOf !== undefined }
    await runAfterCommit(site, call, () => site.freshness.committed(change))
  }
  if (hasEvents) site.webhooks.wake()
  if (hasMails) site.mail.ring()
  for (const run of later) await runAfterCommit(site, call, run)
  return value
}

/** Runs work that follows a commit; a failure goes to the log. */
export async function runAfterCommit({ log }: Pick<Services, 'log'>, call: string, run: AfterCommit): Promise<void> {
  try {
    await run()
  } catch (error) {
    log.error('not done after the commit', { call, error })
  }
}

/** The author of a caller's change in the history. @param call such as `SVC_Content.update` */
export function authorOf(caller: Caller, call: string): Author {
  return { accountId: caller.account?.id ?? null, name: nameOf(caller), door: caller.door, action: call }
}

/** The record of a change that no action makes. `effect` is never `write`, because undo restores no credential. */
export interface Recording extends Pick<ActivityFacts, 'caller' | 'call' | 'summary' | 'input' | 'now'> {
  readonly effect: 'act' | 'destroy'
}

/** Runs and records a change that no action makes, such as a new password or a connected app. */
export async function recordChange<T>(
  { db, record }: Commit,
  { effect, ...recording }: Recording,
  run: (change: Change) => Promise<T>,
): Promise<T> {
  const { caller, call, now } = recording
  const change = createChange(db, { now, author: authorOf(caller, call) })
  const value = await run(change)
  const runs: readonly Ran[] = [{ name: call, tier: 'admin', effect }]
  record({ ...recording, id: newId(now), runs, records: change.records })
  return value
}
