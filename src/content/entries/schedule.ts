// Publishes scheduled entries and unpublishes expired ones when they are due, with the same actions as callers. With several
// processes, the entry's revision ensures that only one of them succeeds. While nothing is due and nothing changes, no query runs.

import type { ExpressionBuilder } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import type { Failure } from '../../base/failure.ts'
import type { Log } from '../../base/log.ts'
import { repeat, type Repeating } from '../../base/repeating.ts'
import type { Store } from '../../store/core/database.ts'
import type { Schema } from '../../store/core/schema.ts'

/** The parts of a site that the schedule needs. */
export interface ScheduledSite {
  readonly store: Pick<Store, 'read'>
  readonly clock: Clock
  readonly log: Log
  /** `generation` grows with every change. */
  readonly freshness: { readonly generation: number }
}

/** A call that is due, to be dispatched as `system`. */
export interface DueCall {
  readonly name: 'SVC_Content.publish' | 'SVC_Content.unpublish'
  readonly input: { readonly id: string }
  readonly options: { readonly ifRevision: number }
}

export type RunDue = (call: DueCall) => Promise<{ readonly ok: true } | { readonly ok: false; readonly failure: Failure }>

const everyMs = 500
/** The wait after a failed call (see `runAll`). */
const retryMs = 10_000
/** The most calls per run. If more are due, the next run follows at once. */
const maxAtOnce = 100

/** Starts looking for due entries, twice a second. The timer doesn't keep the process alive. */
export function startSchedule(site: ScheduledSite, dispatch: RunDue): Repeating {
  let seen = -1
  let nextDue = 0

  const look = async () => {
    const now = site.clock.now()
    if (site.freshness.generation === seen && now < nextDue) return
    const generation = site.freshness.generation
    const calls = await listDueCalls(site.store, now)
    const failed = await runAll(calls, dispatch, site.log)
    seen = generation
    nextDue = failed ? now + retryMs : calls.length > 0 ? now : await nextDueTime(site.store, now)
  }
  return repeat(everyMs, look, (error) => site.log.error('schedule failed', { error }))
}

async function listDueCalls({ read }: Pick<Store, 'read'>, now: number): Promise<readonly DueCall[]> {
  const due = read.selectFrom('entry').select(['id', 'revision']).limit(maxAtOnce)
  const expired = await due.where(mayEnd).where('unpublish_at', '<=', now).orderBy('unpublish_at').execute()
  const ready = await due
    .where('status', '=', 'scheduled')
    .where('published_at', '<=', now)
    .where((eb) => eb.or([eb('unpublish_at', 'is', null), eb('unpublish_at', '>', now)]))
    .orderBy('published_at')
    .execute()
  const call =
    (name: DueCall['name']) =>
    ({ id, revision }: { id: string; revision: number }): DueCall => ({ name, input: { id }, options: { ifRevision: revision } })
  return [...expired.map(call('SVC_Content.unpublish')), ...ready.map(call('SVC_Content.publish'))]
}

/** @returns true if a call failed. A call doesn't count as failed if another process was faster or the entry has changed */
async function runAll(calls: readonly DueCall[], dispatch: RunDue, log: Log): Promise<boolean> {
  let failed = false
  for (const call of calls) {
    const outcome = await dispatch(call)
    if (outcome.ok || outcome.failure.code === 'conflict' || outcome.failure.code === 'not_found') continue
    failed = true
    log.warn('scheduled call failed', { call: call.name, id: call.input.id, failure: outcome.failure })
  }
  return failed
}

/** A condition that no index can serve. Otherwise SQLite would read all public entries instead of the few with an end. */
const mayEnd = (eb: ExpressionBuilder<Schema, 'entry'>) =>
  eb(eb.fn.coalesce('status', eb.val('')), 'in', ['published', 'scheduled'])

/** Returns the time at which the next entry is due, if none is due now; far in the future if none is scheduled. */
async function nextDueTime({ read }: Pick<Store, 'read'>, now: number): Promise<number> {
  const next = read.selectFrom('entry').limit(1)
  const publish = await next
    .select('published_at as at')
    .where('status', '=', 'scheduled')
    .orderBy('published_at')
    .executeTakeFirst()
  const unpublish = await next
    .select('unpublish_at as at')
    .where(mayEnd)
    .where('unpublish_at', '>', now)
    .orderBy('unpublish_at')
    .executeTakeFirst()
  const moments = [publish?.at, unpublish?.at].filter((at) => at !== null && at !== undefined)
  return Math.max(now + 1, Math.min(Number.MAX_SAFE_INTEGER, ...moments))
}
