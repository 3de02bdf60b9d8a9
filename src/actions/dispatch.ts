// The only way to run an action, for calls from every door. The order of the steps below is the security argument. Errors are caught in one
// place, so the outcome is an answer or a Failure, never an exception.

import { setMaxListeners } from 'node:events'
import { autosaveMark, joinAutosave } from '../activity/join-autosave.ts'
import type { Ran } from '../activity/record.ts'
import { cutDiff } from '../activity/diff.ts'
import { withChangesSince } from '../activity/since.ts'
import { Failure } from '../failure.ts'
import type { Caller } from '../identity/caller.ts'
import type { JobControl } from '../jobs/jobs.ts'
import type { JsonText } from '../json.ts'
import { type Soon, whenThere } from '../soon.ts'
import { createChange } from '../store/change.ts'
import { newId } from '../store/ids.ts'
import type { Area } from '../store/kinds.ts'
import { settle } from '../store/queued-writes.ts'
import { type Action, callName, type Context, storable, type WriteAction, type WriteContext } from './action.ts'
import { finish } from './answer.ts'
import type { Around, Call, Outcome } from './call.ts'
import { authorOf, type Commit, commit, runAfterCommit } from './commit.ts'
import { checkDeadline, createDeadline, type Deadline } from './deadline.ts'
import { completeAnswer, findReplay, ownerOf, rememberAnswer } from './idempotency.ts'
import { runAsJob } from './run-as-job.ts'
import { runOutside } from './run-outside.ts'
import { checkInput } from './check-input.ts'
import { checkOptions } from './options.ts'
import { asksFirst, propose } from './proposing.ts'
import { getVisible } from './registry.ts'
import type { Services } from './services.ts'

/**
 * Runs a call for a caller. Never throws: an unexpected error becomes the failure `failed`, whose `reference` is also in the log. The outcome of a call
 * that is answered from memory is not a promise.
 */
export function dispatch(site: Services, given: Caller, call: Call, around: Around): Soon<Outcome> {
  const caller = given.unproven && call.options.dryRun === true ? proven(given) : given
  const fail = (error: unknown): Outcome => ({ ok: false, failure: asFailure(site, caller, call, error) })
  try {
    const action = getVisible(site.registry, caller, call.name) // first: nothing may tell a caller that a hidden action exists
    checkOptions(action, call.options)
    checkInput(caller, action, call.input)
    if (asksFirst(caller, action, call)) return proposeCall(site, caller, call, around).then(succeedPending, fail)
    const context = new CallContext(site, caller, call, around)
    const data = isJob(action, call) ? asJob(action, context, call, around) : runOnce(action, context, call)
    return data instanceof Promise ? data.then(succeed, fail) : succeed(data)
  } catch (error) {
    return fail(error)
  }
}

/** A dry run changes nothing, so it needs no proof of who is there. */
const proven = ({ unproven: _unproven, ...caller }: Caller): Caller => caller

const succeed = (data: JsonText): Outcome => ({ ok: true, data })
const succeedPending = (data: JsonText): Outcome => ({ ok: true, data, pending: true })

const proposeCall = (site: Services, caller: Caller, call: Call, around: Around): Promise<JsonText> =>
  propose(site, caller, call, (as, tried, onTried) => dispatch(site, as, tried, { ...around, onTried }))

/** A class, because each object literal with a getter would have a hidden class of its own, which keeps the request in memory for a while. */
class CallContext implements Context {
  readonly caller: Caller
  readonly now: number
  readonly inTransaction = false
  readonly site: Services
  readonly origin: string
  readonly select: Context['select']
  readonly dryRun: boolean
  readonly progress: JobControl['progress'] | undefined
  readonly onTried: Around['onTried']
  readonly autosave: Around['autosave']
  readonly longAnswer: Around['longAnswer']
  readonly #around: Around
  readonly #maxMs: number
  #deadline: Deadline | undefined
  #db: Context['db'] | undefined

  /** @param job gives the call hours instead of seconds, and ends it when the job is cancelled */
  constructor(site: Services, caller: Caller, { options }: Call, around: Around, job?: JobControl) {
    this.caller = caller
    this.now = site.clock.now()
    this.site = site
    this.origin = around.origin
    this.select = options.select
    this.dryRun = options.dryRun === true
    this.progress = job?.progress
    this.onTried = around.onTried
    this.autosave = around.autosave
    this.longAnswer = around.longAnswer
    this.#maxMs = job ? maxJobMs : site.config.POSTERN_ACTION_SECONDS * 1000
    this.#around = job ? { ...around, signal: job.signal } : around
  }

  /** Created on first use, because most reads are answered from memory and need neither a timer nor a reader. */
  get signal(): AbortSignal {
    this.#deadline ??= createDeadline(this.#around.signal ?? neverAborted, this.#maxMs)
    return this.#deadline.signal
  }

  get db(): Context['db'] {
    return (this.#db ??= this.site.store.readFor(this.signal, this.caller.tier === 'any' ? 'unknown' : 'known'))
  }

  /** Clears the deadline. */
  clear(): void {
    this.#deadline?.clear()
  }
}

/** The signal of callers who can't disconnect. Any number of writes may listen to it at the same time. */
const neverAborted = new AbortController().signal
setMaxListeners(0, neverAborted)

const isJob = (action: Action, { options }: Call): boolean => action.job === true && options.dryRun !== true

function asJob(action: Action, context: Context, call: Call, around: Around): Promise<JsonText> {
  const { site, caller } = context
  return runAsJob(action, context, call, around, async (job) =>
    runOnce(action, new CallContext(site, caller, call, around, job), call),
  )
}

const maxJobMs = 6 * 60 * 60_000

function runOnce(action: Action, context: CallContext, call: Call): Soon<JsonText> {
  let data: Soon<JsonText> | undefined
  try {
    data = runWith(action, context, call)
    return data instanceof Promise ? data.finally(() => context.clear()) : data
  } finally {
    if (!(data instanceof Promise)) context.clear()
  }
}

function runWith(action: Action, context: Context, call: Call): Soon<JsonText> {
  if (!needsWriter(action, context, call)) return read(action, context, call)
  return action.outside ? runOutside(action, context, call) : write(action, context, call)
}

function needsWriter(action: Action, context: Context, call: Call): action is WriteAction<never, never, unknown> & Action {
  return action.effect !== 'read' && (action.writes?.(context.site, context.caller, call.input) ?? true)
}

function read(action: Action, context: Context, { input, options }: Call): Soon<JsonText> {
  const prepared: Soon<unknown> = action.prepare ? action.prepare(context, input) : undefined
  return whenThere(prepared, (ready) =>
    whenThere(action.run(context as WriteContext, input, ready), (data) => finish(data, options, context.longAnswer)),
  )
}

/** The default `hint` of a diff that is cut. */
const diffHint = 'Dry-run this for one thing alone, such as one `id`, to see what would change in it.'

/** Thrown at the end of a dry run. It rolls the transaction back and carries the answer out of it. */
class DryRun {
  readonly answer: JsonText
  constructor(answer: JsonText) {
    this.answer = answer
  }
}

async function write(action: WriteAction<never, never, unknown> & Action, context: Context, call: Call): Promise<JsonText> {
  const { site } = context
  const { signal, db: reader } = context
  const limited = { ...context, signal, db: reader }
  try {
    const prepared = action.prepare ? await action.prepare(limited, call.input) : undefined
    const running = commit(site, call.name, (open) => inTransaction(open, action, limited, call, prepared), signal)
    const done = await running.catch((thrown: unknown) => abandon(action, limited, call, prepared, thrown))
    return await complete(action, limited, call, prepared, done)
  } catch (thrown) {
    if (thrown instanceof DryRun) return thrown.answer
    throw await withChangesSince(site.store.read, call.options.ifRevision, thrown)
  }
}

/** The answer of a committed write, as text and as an object. There is no object if the text is the stored answer of an earlier call. */
interface Done {
  readonly text: JsonText
  readonly answer: Readonly<Record<string, unknown>> | undefined
}

/** Runs `complete` of the action, and replaces both the answer and the answer stored under the idempotency key. */
async function complete(
  action: WriteAction<never, never, unknown> & Action,
  context: Context,
  call: Call,
  prepared: unknown,
  { text, answer }: Done,
): Promise<JsonText> {
  const whole = answer && (await action.complete?.(context, call.input as never, prepared, answer as never))
  if (whole === undefined) return text
  const { site, caller } = context
  const key = call.options.idempotencyKey
  if (key !== undefined) {
    const kept = { owner: ownerOf(caller), key, answer: storable(site, action, call.input, whole).result }
    await runAfterCommit(site, call.name, () => site.store.transaction((db) => completeAnswer(db, kept)))
  }
  return finish(whole, call.options)
}

/** After a failed call, removes what `prepare` left on the disk. In a dry run `prepare` leaves nothing there. */
async function abandon(
  action: WriteAction<never, never, unknown>,
  context: Context,
  call: Call,
  prepared: unknown,
  thrown: unknown,
): Promise<never> {
  try {
    if (!(thrown instanceof DryRun)) await action.abandon?.(context, prepared)
  } catch (error) {
    context.site.log.error('leftovers stay', { call: call.name, error })
  }
  throw thrown
}

/** Finds the stored answer of an earlier call. Else makes the change, its record and its stored answer, which commit together. */
async function inTransaction(
  { db, record, afterCommit }: Commit,
  action: WriteAction<never, never, unknown> & Action,
  context: Context,
  call: Call,
  prepared: unknown,
): Promise<Done> {
  const { caller, now, site, dryRun } = context
  const { input, options } = call
  const keyed =
    options.idempotencyKey === undefined ? undefined : { owner: ownerOf(caller), key: options.idempotencyKey, call, now }
  const replay = keyed && (await findReplay(db, keyed))
  if (replay) return { text: finish(replay, options), answer: undefined }
  checkDeadline(context)
  const change = createChange(db, { now, author: authorOf(caller, callName(action)), ifRevision: options.ifRevision })
  const id = newId(now)
  const runs: Ran[] = []
  const ran: WriteContext['ran'] = ({ tier, effect, ...named }) => void runs.push({ name: callName(named), tier, effect })
  let noted: Readonly<Record<string, unknown>> = {}
  const noteInput: WriteContext['noteInput'] = (more) => void (noted = { ...noted, ...more })
  const stale: Area[] = []
  const makeStale: WriteContext['makeStale'] = (areas) => void stale.push(...areas)
  const result = await action.run(
    { ...context, db, inTransaction: true, change, activityId: id, ran, noteInput, makeStale, afterCommit },
    input,
    prepared,
  )
  checkDeadline(context)
  change.checkRevisionUsed()
  if (dryRun) {
    // A dry run fails where the call would.
    await settle(db)
    context.onTried?.(change.records, now)
    const shown = storable(site, action, input, result)
    throw new DryRun(
      finish({ ...shown.result, activity_id: null, ...cutDiff(change.records, action.diffHint ?? diffHint) }, options),
    )
  }
  if (runs.length === 0) ran(action)
  const made = { id, call: callName(action), runs, summary: action.summary, caller, records: change.records, now }
  const facts = context.autosave === true ? await joinAutosave(db, made) : made
  if (context.autosave === true) noteInput(autosaveMark)
  const recorded = record({ ...facts, input: { ...storable(site, action, input, {}).input, ...noted } }, stale)
  const answer = { ...result, activity_id: recorded ? facts.id : null }
  if (keyed) rememberAnswer(db, { ...keyed, answer: storable(site, action, input, answer).result })
  // Made before the commit, so that the change is rolled back if the answer fails, for example at an unknown field in `select`.
  return { text: finish(answer, options), answer }
}

/** Makes a failure of anything thrown. Unexpected errors, and the causes of `unavailable`, go to the log. */
export function asFailure(site: Services, { door }: Caller, call: Call, error: unknown): Failure {
  if (error instanceof Failure && (error.code !== 'unavailable' || error.cause === undefined)) return error
  const reference = newId(site.clock.now())
  const about = { reference, door, call: call.name, error }
  if (error instanceof Failure) {
    // The caller is only asked to wait. The owner finds the reason, such as a full disk, in the log.
    site.log.warn('action unavailable', about)
    return new Failure(error.code, error.message, { ...error.detail, reference }, { cause: error.cause })
  }
  site.log.error('action failed', about)
  return new Failure('failed', `Something went wrong on the server; the log has it as ${reference}.`, { reference })
}
