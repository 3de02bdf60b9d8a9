// The state of a call during the steps of dispatch, and the context of its action.

import { setMaxListeners } from 'node:events'
import type { TObject } from 'typebox'
import { type Caller, ownerOf } from '../../identity/caller.ts'
import type { JobControl } from '../../jobs/jobs.ts'
import type { JsonText } from '../../base/json.ts'
import { type Action, callName, type Context, type Shown, storable, type WriteAction } from './action.ts'
import type { Around, Call } from './call.ts'
import { createDeadline, type Deadline } from './deadline.ts'
import type { Keyed } from './idempotency.ts'
import { getVisible } from './registry.ts'
import type { Services } from './services.ts'

/** A call on its way through the steps. Each member that a step sets names that step. */
export class CallState {
  readonly site: Services
  readonly caller: Caller
  readonly call: Call
  readonly around: Around
  /** The result of the action's `prepare`. Set by the step `prepare`. */
  prepared: unknown = undefined
  /** The answer of a write, as an object and as text. Set by the step `makeAnswer`. */
  written: { readonly answer: Shown; readonly text: JsonText } | undefined = undefined
  /** True if the call waits for an admin. Set by the step `waitForApproval`. */
  pending = false
  readonly #job: JobControl | undefined
  #action: Action | undefined = undefined
  #own: CallContext | undefined = undefined
  #context: Context | undefined = undefined

  /** @param job gives the call hours instead of seconds, and ends it when the job is cancelled */
  constructor(site: Services, caller: Caller, call: Call, around: Around, job?: JobControl) {
    this.site = site
    this.caller = caller
    this.call = call
    this.around = around
    this.#job = job
  }

  /** The action. Every access includes this check. @throws Failure `unknown_action` if the caller may not see it */
  get action(): Action {
    return (this.#action ??= getVisible(this.site.registry, this.caller, this.call.name))
  }

  /** The action of a call that writes. */
  get writing(): WriteAction<TObject, TObject, unknown> {
    const { action } = this
    if (action.effect === 'read') throw new TypeError(`${callName(action)} does not write.`)
    return action
  }

  /** The context of the action. */
  get context(): Context {
    return (this.#context ??= this.#own = new CallContext(this, this.#job))
  }

  /** The idempotency key of the call, with its owner and time. */
  get keyed(): Keyed | undefined {
    const { call, caller, context } = this
    const key = call.options.idempotencyKey
    return key === undefined ? undefined : { owner: ownerOf(caller), key, call, now: context.now }
  }

  /** Begins the time limit and gets a reader. A write needs both at once, because it passes copies of its context on. */
  start(): void {
    const { context } = this
    this.#context = { ...context, signal: context.signal, db: context.db }
  }

  /** Clears the time limit. */
  clear(): void {
    this.#own?.clear()
  }

  /** Returns the same call in a job. */
  inJob(job: JobControl): CallState {
    return new CallState(this.site, this.caller, this.call, this.around, job)
  }

  /** The input without secrets. */
  storableInput(): Shown {
    return storable(this.site.registry, this.action, this.call.input, {}).input
  }

  /** A result of the call without secrets. */
  storableResult(result: Shown): Shown {
    return storable(this.site.registry, this.action, this.call.input, result).result
  }
}

const maxJobMs = 6 * 60 * 60_000

/** The signal of callers who can't disconnect. Any number of writes may listen to it at once. */
const neverAborted = new AbortController().signal
setMaxListeners(0, neverAborted)

/** A class, because an object literal with a getter has its own hidden class, which keeps the request in memory for a while. */
class CallContext implements Context {
  readonly caller: Caller
  readonly now: number
  readonly inTransaction = false
  readonly site: Services
  readonly origin: string
  readonly select: Context['select']
  readonly dryRun: boolean
  readonly progress: Context['progress']
  readonly onTried: Around['onTried']
  readonly autosave: Around['autosave']
  readonly longAnswer: Around['longAnswer']
  readonly isSlice: Around['isSlice']
  readonly #ends: { readonly signal?: AbortSignal }
  readonly #maxMs: number
  #deadline: Deadline | undefined
  #db: Context['db'] | undefined

  constructor({ site, caller, call: { options }, around }: CallState, job: JobControl | undefined) {
    this.caller = caller
    this.now = site.clock.now()
    this.site = site
    this.origin = around.origin
    this.select = options.select
    this.dryRun = options.dryRun === true
    this.progress = job?.progress ?? around.onProgress
    this.onTried = around.onTried
    this.autosave = around.autosave
    this.longAnswer = around.longAnswer
    this.isSlice = around.isSlice
    this.#ends = job ?? around // a request creates its signal on first access
    this.#maxMs = job ? maxJobMs : site.config.POSTERN_ACTION_SECONDS * 1000
  }

  /** Created on first use, because most reads are answered from memory and need neither a timer nor a reader. */
  get signal(): AbortSignal {
    this.#deadline ??= createDeadline(this.#ends.signal ?? neverAborted, this.#maxMs)
    return this.#deadline.signal
  }

  get db(): Context['db'] {
    return (this.#db ??= this.site.store.readFor(this.signal, this.caller.tier === 'any' ? 'unknown' : 'known'))
  }

  clear(): void {
    this.#deadline?.clear()
  }
}
