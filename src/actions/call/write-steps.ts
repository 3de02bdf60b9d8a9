// The steps of a write in its transaction, and after its commit.

import { cutDiff } from '../../activity/diff.ts'
import { autosaveMark, joinAutosave } from '../../activity/join-autosave.ts'
import type { Ran, RecordAuthor } from '../../activity/record.ts'
import type { JsonText } from '../../base/json.ts'
import { type Change, createChange } from '../../store/change/change.ts'
import { newId } from '../../store/core/ids.ts'
import type { Area } from '../../store/change/kinds.ts'
import { settle } from '../../store/core/queued-writes.ts'
import { callName, type Shown, type WriteContext } from './action.ts'
import { finish } from './answer.ts'
import type { CallState } from './call-state.ts'
import { authorOf, type Commit, commit, runAfterCommit } from './commit.ts'
import { checkDeadline } from './deadline.ts'
import { completeAnswer, findReplay, rememberAnswer } from './idempotency.ts'
import { type CallStep, walk } from './steps.ts'

/** A call with an open transaction. Its type keeps these steps inside `inTransaction`. */
class OpenWrite {
  readonly state: CallState
  readonly open: Commit
  readonly change: Change
  /** The id of the record, if the call writes one. */
  readonly id: string
  /** The other actions that the action has run. */
  readonly runs: Ran[] = []
  /** Areas that every process must reload, even if no row in them changed. */
  readonly stale: Area[] = []
  /** Members that the action adds to its input in the record. */
  noted: Shown = {}
  /** The proposer, if the call accepts a proposal. */
  proposer: RecordAuthor | undefined = undefined
  /** The result of the action. `recordWrite` adds the id of the record. */
  result: Shown = {}

  constructor(state: CallState, open: Commit) {
    const { context, call } = state
    const { caller, now } = context
    this.state = state
    this.open = open
    const author = authorOf(caller, callName(state.action))
    this.change = createChange(open.db, { now, author, ifRevision: call.options.ifRevision })
    this.id = newId(now)
  }
}

/** Thrown at the end of a dry run. It rolls the transaction back and carries the answer. */
class DryRun {
  readonly answer: JsonText
  constructor(answer: JsonText) {
    this.answer = answer
  }
}

/** Runs steps in one write transaction, which commits after the last of them and is rolled back if one throws. */
export const inTransaction =
  (steps: readonly CallStep<OpenWrite>[]): CallStep<CallState> =>
  async (state) => {
    const { site, call, context } = state
    try {
      return await commit(site, call.name, async (open) => walk(steps, new OpenWrite(state, open)), context.signal)
    } catch (thrown) {
      if (thrown instanceof DryRun) return thrown.answer
      await abandon(state)
      throw thrown
    }
  }

/** Removes files that `prepare` left, after a failed call. A dry run leaves none. */
async function abandon({ writing, context, call, prepared, site }: CallState): Promise<void> {
  try {
    await writing.abandon?.(context, prepared)
  } catch (error) {
    site.log.error('leftovers stay', { call: call.name, error })
  }
}

/** Returns the stored answer of an earlier call with the same idempotency key. @throws Failure `key_reused` */
export async function findStored({ state, open }: OpenWrite): Promise<JsonText | undefined> {
  const stored = state.keyed && (await findReplay(open.db, state.keyed))
  return stored && finish(stored, state.call.options)
}

/** @throws Failure `unavailable` if the time is up or the caller has disconnected */
export function checkTime({ state }: OpenWrite): void {
  checkDeadline(state.context)
}

export async function runWrite(write: OpenWrite): Promise<void> {
  const { open, change, id: activityId, runs, stale } = write
  const { writing, context, call, prepared } = write.state
  const { db, afterCommit } = open
  const given: WriteContext = {
    ...context,
    db,
    inTransaction: true,
    change,
    activityId,
    ran: (ran) => void runs.push(ranOf(ran)),
    noteInput: (more) => void (write.noted = { ...write.noted, ...more }),
    acceptedFor: (proposer) => void (write.proposer = proposer),
    makeStale: (areas) => void stale.push(...areas),
    afterCommit,
  }
  write.result = await writing.run(given, call.input, prepared)
}

const ranOf = ({ tier, effect, ...named }: Parameters<WriteContext['ran']>[0]): Ran => ({ name: callName(named), tier, effect })

/** @throws Failure `conflict` if the caller gave `if_revision` and no object was compared with it */
export function checkRevision({ change }: OpenWrite): void {
  change.checkRevisionUsed()
}

/** The default `hint` of a cut diff. */
const diffHint = 'Dry-run this for one thing alone, such as one `id`, to see what would change in it.'

/** Ends a dry run. @throws DryRun with the answer and the diff */
export async function endDryRun({ state, open, change, result }: OpenWrite): Promise<void> {
  const { writing, context, call } = state
  if (!context.dryRun) return
  await settle(open.db) // a statement that is still queued may fail
  context.onTried?.(change.records, context.now)
  const diff = cutDiff(change.records, writing.diffHint ?? diffHint)
  throw new DryRun(finish({ ...state.storableResult(result), activity_id: null, ...diff }, call.options))
}

/** Records the change, and adds the id of the record to the answer. */
export async function recordWrite(write: OpenWrite): Promise<void> {
  const { state, open, change, id, stale } = write
  const { action, context } = state
  const { caller, now } = context
  const runs = write.runs.length > 0 ? write.runs : [ranOf(action)]
  const made = {
    id,
    call: callName(action),
    runs,
    summary: state.writing.recorded?.(change.records) ?? action.summary,
    caller,
    proposer: write.proposer,
    records: change.records,
    now,
    partOf: state.around.partOf,
  }
  const joins = context.autosave === true
  const facts = joins ? await joinAutosave(open.db, made) : made
  const input = { ...state.storableInput(), ...write.noted, ...(joins ? autosaveMark : {}) }
  const isRecorded = open.record({ ...facts, input }, stale)
  write.result = { ...write.result, activity_id: isRecorded ? facts.id : null }
}

/** Stores the answer under the idempotency key of the call. */
export function storeAnswer({ state, open, result }: OpenWrite): void {
  if (state.keyed) rememberAnswer(open.db, { ...state.keyed, answer: state.storableResult(result) })
}

/** @throws Failure `invalid` for an unknown field in `select`, `too_large` */
export function makeAnswer({ state, result }: OpenWrite): void {
  state.written = { answer: result, text: finish(result, state.call.options) }
}

/** Runs the action's `complete`. Its result replaces the answer, also under the idempotency key. */
export async function complete(state: CallState): Promise<JsonText> {
  const { site, writing, context, call, prepared, keyed, written } = state
  if (!written) throw new TypeError('A write is completed after it has committed.')
  const whole = await writing.complete?.(context, call.input, prepared, written.answer)
  if (whole === undefined) return written.text
  if (keyed) {
    const stored = { ...keyed, answer: state.storableResult(whole) }
    await runAfterCommit(site, call.name, () => site.store.transaction((db) => completeAnswer(db, stored)))
  }
  return finish(whole, call.options)
}
