// The only way to run an action, whichever door the call came through: the steps below, in their order.
// It catches once: what comes out is an answer or a Failure, never an exception.

import { setMaxListeners } from 'node:events'
import type { Ran } from '../activity/record.ts'
import { cutDiff } from '../activity/diff.ts'
import { withChangesSince } from '../activity/since.ts'
import { Failure } from '../failure.ts'
import type { Caller } from '../identity/caller.ts'
import type { JobControl } from '../jobs/jobs.ts'
import type { JsonText } from '../json.ts'
import { createChange } from '../store/change.ts'
import { newId } from '../store/ids.ts'
import type { Area } from '../store/kinds.ts'
import { type Action, callName, type Context, storable, type WriteAction, type WriteContext } from './action.ts'
import { finish } from './answer.ts'
import type { Around, Call, Outcome } from './call.ts'
import { authorOf, type Commit, commit, runAfterCommit } from './commit.ts'
import { checkDeadline, createDeadline, type Deadline } from './deadline.ts'
import { completeAnswer, findReplay, ownerOf, rememberAnswer } from './idempotency.ts'
import { runAsJob } from './run-as-job.ts'
import { runOutside } from './run-outside.ts'
import { checkInput } from './hold-input.ts'
import { checkOptions } from './options.ts'
import { getVisible } from './registry.ts'
import type { Services } from './services.ts'

/** Runs a call for a caller. Never throws: what is nobody's fault but ours is a `failed` whose reference finds the line in the log. */
export async function dispatch(site: Services, caller: Caller, call: Call, around: Around): Promise<Outcome> {
  try {
    const action = getVisible(site.registry, caller, call.name) // first: nothing may tell a caller that a hidden action exists
    checkOptions(action, call.options)
    checkInput(caller, action, call.input)
    const context = new CallContext(site, caller, call, around)
    return { ok: true, data: await (isJob(action, call) ? asJob(action, context, call, around) : runOnce(action, context, call)) }
  } catch (error) {
    return { ok: false, failure: asFailure(site, caller, call, error) }
  }
}

/** A class: a literal with a getter would be of a shape of its own at each call, and that shape would keep the request for a while. */
class CallContext implements Context {
  readonly caller: Caller
  readonly now: number
  readonly inTransaction = false
  readonly site: Services
  readonly origin: string
  readonly select: Context['select']
  readonly dryRun: boolean
  readonly progress: JobControl['progress'] | undefined
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
    this.#maxMs = job ? maxJobMs : site.config.POSTERN_ACTION_SECONDS * 1000
    this.#around = job ? { ...around, signal: job.signal } : around
  }

  /** Made when it is first asked for: most reads are answered from memory and need neither a timer nor a reader. */
  get signal(): AbortSignal {
    this.#deadline ??= createDeadline(this.#around.signal ?? neverAborted, this.#maxMs)
    return this.#deadline.signal
  }

  get db(): Context['db'] {
    return (this.#db ??= this.site.store.readFor(this.signal, this.caller.tier === 'any' ? 'unknown' : 'known'))
  }

  /** Lets go of the deadline. */
  clear(): void {
    this.#deadline?.clear()
  }
}

/** Of callers who can't leave; any number of writes look at it at once. */
const neverAborted = new AbortController().signal
setMaxListeners(0, neverAborted)

const isJob = (action: Action, { options }: Call): boolean => action.job === true && options.dryRun !== true

function asJob(action: Action, context: Context, call: Call, around: Around): Promise<JsonText> {
  const { site, caller } = context
  return runAsJob(action, context, call, around, (job) => runOnce(action, new CallContext(site, caller, call, around, job), call))
}

const maxJobMs = 6 * 60 * 60_000

async function runOnce(action: Action, context: CallContext, call: Call): Promise<JsonText> {
  try {
    return await runWith(action, context, call)
  } finally {
    context.clear()
  }
}

function runWith(action: Action, context: Context, call: Call): Promise<JsonText> {
  if (!needsWriter(action, context, call)) return read(action, context, call)
  return action.outside ? runOutside(action, context, call) : write(action, context, call)
}

function needsWriter(action: Action, context: Context, call: Call): action is WriteAction<never, never, unknown> & Action {
  return action.effect !== 'read' && (action.writes?.(context.site, context.caller, call.input) ?? true)
}

async function read(action: Action, context: Context, { input, options }: Call): Promise<JsonText> {
  const prepared = action.prepare ? await action.prepare(context, input) : undefined
  return finish(await action.run(context as WriteContext, input, prepared), options)
}

/** How one difference of a long dry run is seen. */
const diffHint = 'Dry-run this for one thing alone, such as one `id`, to see what would change in it.'

/** Carries a dry run's answer out of the transaction that its throwing rolls back. */
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

/** What a write has committed: its answer's text, and its answer, unless that was given before under the same key. */
interface Done {
  readonly text: JsonText
  readonly answer: Readonly<Record<string, unknown>> | undefined
}

/** Adds what is read after the commit, to the answer and to what is kept of it. */
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

/** A call that failed leaves nothing of what it had prepared; a dry run has left nothing. */
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

/** Everything that commits together: the replay of an earlier answer, the change, its record, its answer under the key. */
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
  const stale: Area[] = []
  const makeStale: WriteContext['makeStale'] = (areas) => void stale.push(...areas)
  const result = await action.run(
    { ...context, db, inTransaction: true, change, activityId: id, ran, makeStale, afterCommit },
    input,
    prepared,
  )
  checkDeadline(context)
  change.checkRevisionUsed()
  if (dryRun) {
    const shown = storable(site, action, input, result)
    throw new DryRun(
      finish({ ...shown.result, activity_id: null, ...cutDiff(change.records, action.diffHint ?? diffHint) }, options),
    )
  }
  if (runs.length === 0) ran(action)
  const facts = { id, call: callName(action), runs, summary: action.summary, caller, records: change.records, now }
  const recorded = await record({ ...facts, input: storable(site, action, input, {}).input }, stale)
  const answer = { ...result, activity_id: recorded ? id : null }
  if (keyed) await rememberAnswer(db, { ...keyed, answer: storable(site, action, input, answer).result })
  // Before the commit: what can't be answered as it was asked isn't done either.
  return { text: finish(answer, options), answer }
}

/** The failure of what was thrown; a fault of ours goes to the log. */
export function asFailure(site: Services, { door }: Caller, call: Call, error: unknown): Failure {
  if (error instanceof Failure && (error.code !== 'unavailable' || error.cause === undefined)) return error
  const reference = newId(site.clock.now())
  const about = { reference, door, call: call.name, error }
  if (error instanceof Failure) {
    // A full disk is told to the caller as a wait; the owner learns the reason here.
    site.log.warn('action unavailable', about)
    return new Failure(error.code, error.message, { ...error.detail, reference }, { cause: error.cause })
  }
  site.log.error('action failed', about)
  return new Failure('failed', `Something went wrong on the server; the log has it as ${reference}.`, { reference })
}
