// The only way to run an action, for calls from every door. The steps below are all that a call goes through, and their order is
// the security argument. Errors are caught in one place, so the outcome is an answer or a Failure, never an exception.

import { withChangesSince } from '../../activity/since.ts'
import type { Caller } from '../../identity/caller.ts'
import type { JsonText } from '../../base/json.ts'
import type { JobControl } from '../../jobs/jobs.ts'
import { type Soon, whenThere } from '../../base/soon.ts'
import type { Shown, WriteContext } from './action.ts'
import { finish } from './answer.ts'
import { asFailure } from './as-failure.ts'
import type { Around, Call, Outcome } from './call.ts'
import { CallState } from './call-state.ts'
import { viewerOf } from './viewer.ts'
import { checkInput } from './check-input.ts'
import { checkOptions } from './options.ts'
import { concernsProposed, mayConcernProposed, propose } from './propose-call.ts'
import { needsApproval } from './proposing.ts'
import { runAsJob } from './run-as-job.ts'
import { claimOrAnswer, runOutside } from './run-outside.ts'
import type { Services } from './services.ts'
import { HeldTooLong, InParts, runParts, runSlices, tooLongForOne } from './slices.ts'
import { type Answering, walk } from './steps.ts'
import {
  checkRevision,
  checkTime,
  complete,
  endDryRun,
  findStored,
  inTransaction,
  makeAnswer,
  recordWrite,
  runWrite,
  storeAnswer,
} from './write-steps.ts'

/** The steps of every call, in order, until one of them answers. */
const steps: Answering<CallState> = [
  findAction, // first: nothing may reveal to a caller that a hidden action exists
  checkCallOptions,
  checkCallInput, // the schema, then the limits of the caller
  waitForApproval, // a call that needs an approval is stored, and none of it runs
  runInJob, // work that may outlast the call runs the next step in a job
  workOrSlices, // work that would hold the writer for too long is rolled back, and runs in slices
]

/** The steps of the work, by its kind. */
const workSteps: Readonly<Record<'read' | 'write' | 'outside', Answering<CallState>>> = {
  read: [prepare, read],
  write: [
    start,
    prepare, // requests and rendering, while the one writer is free for others
    inTransaction([
      // All of these, or none.
      findStored, // inside, so that a change and its idempotency key commit together
      checkTime, // the wait for the writer may have taken all the time
      runWrite,
      checkTime, // nothing is done for a caller who has disconnected
      checkRevision,
      endDryRun, // rolls back; after the action, so that a dry run fails as the call would
      recordWrite,
      storeAnswer,
      makeAnswer, // before the commit, so that nothing is done if the answer can't be given
    ]),
    complete,
  ],
  outside: [
    start,
    claimOrAnswer, // before the action, so that a second call with the key doesn't run it again
    runOutside,
  ],
}

/**
 * Runs a call for a caller. Never throws: an unexpected error becomes the failure `failed`, whose `reference` is also in the log.
 * The outcome of a call that is answered from memory is not a promise.
 */
export function dispatch(site: Services, given: Caller, call: Call, around: Around): Soon<Outcome> {
  // Parts of a call and trials of proposals are no calls of their own.
  if (around.isSlice === true || around.onTried !== undefined) return run(site, given, call, around)
  const began = performance.now()
  return whenThere(run(site, given, call, around), (outcome) => {
    countCall(site, given, call, outcome, performance.now() - began)
    return outcome
  })
}

function countCall(site: Services, { token, door }: Caller, { name }: Call, outcome: Outcome, tookMs: number): void {
  const isUnknown = !outcome.ok && outcome.failure.code === 'unknown_action'
  site.statistics.called({ token, action: isUnknown ? '' : name, door, failed: !outcome.ok, tookMs })
}

function run(site: Services, given: Caller, call: Call, around: Around): Soon<Outcome> {
  const caller = given.unproven && call.options.dryRun === true ? proven(given) : given
  const state = new CallState(site, caller, call, around)
  const succeed = (data: JsonText): Outcome => (state.pending ? { ok: true, data, pending: true } : { ok: true, data })
  const fail = (error: unknown): Outcome => ({ ok: false, failure: asFailure(site, caller, call, error) })
  try {
    const data = walk(steps, state)
    return data instanceof Promise ? data.then(succeed, fail) : succeed(data)
  } catch (error) {
    return fail(error)
  }
}

/** A dry run changes nothing, so it needs no re-authentication. */
const proven = ({ unproven: _unproven, ...caller }: Caller): Caller => caller

/** @throws Failure `unknown_action` */
function findAction(state: CallState): void {
  void state.action
}

/** @throws Failure `invalid` */
function checkCallOptions({ action, call }: CallState): void {
  checkOptions(action, call.options)
}

/** @throws Failure `invalid`, `refused` */
function checkCallInput({ caller, action, call, around }: CallState): void {
  // The dry run of a proposal is no count: its calls run later as they are.
  checkInput(caller, action, call.input, call.options.dryRun === true && around.onTried === undefined)
}

/** A call about an object that only exists in a proposal joins that proposal, whether it needs an approval itself or not. */
function waitForApproval(state: CallState): Soon<JsonText | void> {
  const { caller, action, call } = state
  if (needsApproval(state.site.registry, caller, action, call)) return wait(state)
  if (!mayConcernProposed(caller, action, call)) return undefined
  return concernsProposed(state.site, caller, call).then((concerns) => (concerns ? wait(state) : undefined))
}

function wait(state: CallState): Promise<JsonText> {
  const { site, caller, call, around } = state
  state.pending = true
  return propose({ site, caller, origin: around.origin }, call, (as, tried, onTried) =>
    dispatch(site, as, tried, { ...around, onTried }),
  )
}

function runInJob(state: CallState): Promise<JsonText> | undefined {
  if (state.action.job !== true || state.call.options.dryRun === true) return undefined
  return runAsJob(state, async (job) => work(state.inJob(job)))
}

function workOrSlices(state: CallState): Soon<JsonText> {
  const done = work(state)
  return (state.action.slices || state.action.inParts) && done instanceof Promise
    ? done.catch((error: unknown) => cutToSlices(state, error))
    : done
}

/** @throws the error, if it is another one; Failure `refused` for a call that must not be cut */
function cutToSlices(state: CallState, error: unknown): Promise<JsonText> {
  const { site, caller, call, around } = state
  if (error instanceof InParts) {
    const part = (input: Shown, partOf: string) =>
      dispatch(site, caller, { ...call, input, options: {} }, { origin: around.origin, isSlice: true, partOf })
    return runAsJob(state, (job) => {
      const running = state.inJob(job)
      return runParts(running, job, error.parts, part).finally(() => running.clear())
    })
  }
  if (!(error instanceof HeldTooLong)) throw error
  if (call.options.dryRun === true || call.input['on_error'] !== 'skip') throw tooLongForOne(state, error)
  const slice = (input: Shown) =>
    dispatch(site, caller, { ...call, input, options: {} }, { origin: around.origin, isSlice: true })
  const inJob = (job: JobControl) => {
    const running = state.inJob(job)
    return runSlices(running, job, error.written, slice).finally(() => running.clear())
  }
  return runAsJob(state, inJob, false)
}

/** Runs the steps of the work, and ends its time limit. */
function work(state: CallState): Soon<JsonText> {
  let done: Soon<JsonText> | undefined
  try {
    done = walk(workSteps[kindOfWork(state)], state)
    return done instanceof Promise ? awaitWork(state, done) : done
  } finally {
    if (!(done instanceof Promise)) state.clear()
  }
}

/** Waits for the work, and ends its time limit. A conflict about a stale revision gets the changes since that revision. */
async function awaitWork(state: CallState, working: Promise<JsonText>): Promise<JsonText> {
  try {
    return await working
  } catch (thrown) {
    const { site, call, context } = state
    throw await withChangesSince(site.store.read, call.options.ifRevision, thrown, viewerOf(state), context.now)
  } finally {
    state.clear()
  }
}

function kindOfWork({ action, site, call }: CallState): keyof typeof workSteps {
  if (action.effect === 'read' || action.writes?.(site.registry, call.input) === false) return 'read'
  return action.outside ? 'outside' : 'write'
}

function start(state: CallState): void {
  state.start()
}

function prepare(state: CallState): Promise<void> | undefined {
  return state.action.prepare ? prepareNow(state) : undefined
}

async function prepareNow(state: CallState): Promise<void> {
  state.prepared = await state.action.prepare?.(state.context, state.call.input)
}

function read({ action, context, call, prepared }: CallState): Soon<JsonText> {
  const data = action.run(context as WriteContext, call.input, prepared)
  return whenThere(data, (there) => finish(there, call.options, context.longAnswer))
}
