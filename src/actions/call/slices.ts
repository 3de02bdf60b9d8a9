// Calls that write many things. One transaction may hold the writer, for which all other writes wait, for a second. A call that
// would hold it longer is rolled back. If it may skip failing parts, it runs again as a job in slices; otherwise it is refused.

import { Failure } from '../../base/failure.ts'
import type { JsonText } from '../../base/json.ts'
import type { JobControl } from '../../jobs/jobs.ts'
import type { Context, Shown } from './action.ts'
import type { Outcome } from './call.ts'
import type { CallState } from './call-state.ts'
import { finish } from './answer.ts'
import { checkDeadline } from './deadline.ts'

/** The declaration of an action whose calls can be cut into slices. */
export interface Slices {
  /** Returns the number of parts of an input. */
  count(input: Shown): number
  /** Returns the input of a slice. @param answers of the slices before it */
  cut(input: Shown, from: number, to: number, answers: readonly Shown[]): Shown
  /** Makes one answer of the answers of all slices. */
  join(input: Shown, answers: readonly Shown[]): Shown
}

/** Ends a transaction that has held the writer for too long. */
export class HeldTooLong extends Error {
  /** The number of parts that were written until then. */
  readonly written: number
  constructor(written: number) {
    super('The transaction has held the writer for too long.')
    this.name = 'HeldTooLong'
    this.written = written
  }
}

/**
 * Thrown by an action, in its transaction, whose call takes several: it becomes a job, which makes a call for each part. The
 * records of the parts belong to one record.
 */
export class InParts extends Error {
  readonly parts: PartsOfCall
  constructor(parts: PartsOfCall) {
    super('The call takes several transactions.')
    this.name = 'InParts'
    this.parts = parts
  }
}

/** The parts of a call. */
export interface PartsOfCall {
  /** The inputs of the parts, in their order. Those that are done already are left out. */
  readonly inputs: readonly Shown[]
  /** Words for the progress. */
  readonly note: string
  /** Writes the record of the whole, or finds that of an interrupted run, and returns its id. */
  begin(): Promise<string>
  /** Runs after the last part. */
  end(): Promise<void>
  /** Makes one answer of those of the parts. @param whole the id of the record */
  join(answers: readonly Shown[], whole: string): Shown
}

/** Runs the parts of a call in a job. A job that is stopped goes on with the parts that are left. */
export async function runParts(
  state: CallState,
  { progress }: JobControl,
  { inputs, note, begin, end, join }: PartsOfCall,
  run: (input: Shown, whole: string) => Promise<Outcome> | Outcome,
): Promise<JsonText> {
  const whole = await begin()
  const answers: Shown[] = []
  for (const [at, input] of inputs.entries()) {
    checkDeadline(state.context)
    const outcome = await run(input, whole)
    if (!outcome.ok) throw outcome.failure
    answers.push(outcome.data.parse() as Shown)
    progress({ done: at + 1, total: inputs.length, note })
  }
  await end()
  return finish(join(answers, whole), state.call.options)
}

/** A call of at most this many parts is never cut: on a busy machine any call may need a second. */
const minParts = 50

/**
 * Returns a function that is called before each part, with the number of the parts before it. Slices and
 * trials of proposals are exempt.
 * @throws HeldTooLong
 */
export function writerCheck({ isSlice, onTried, site }: Context): (written: number) => void {
  const since = performance.now()
  const maxHeldMs = isSlice || onTried ? Number.POSITIVE_INFINITY : site.config.POSTERN_WRITER_MS
  return (written) => {
    if (written >= minParts && performance.now() - since > maxHeldMs) throw new HeldTooLong(written)
  }
}

/** The failure of a call that takes too long for one transaction and must not be cut. */
export function tooLongForOne({ action, call }: CallState, { written }: HeldTooLong): Failure {
  const count = action.slices?.count(call.input) ?? 0
  return new Failure('refused', `These ${count} parts would block other writers for too long. Nothing was written.`, {
    rule: 'one transaction holds the database for a second at most',
    hint: `${written} fit into one transaction here. Make several calls, or give \`on_error: "skip"\`: then it runs as a job in slices.`,
  })
}

/**
 * Runs a call in slices, each of which is a call of its own with its own record.
 * @param fitting the number of parts that fitted into one transaction
 * @param run makes the call of one slice
 * @throws Failure of a slice that fails as a whole; the slices before it stay
 */
export async function runSlices(
  state: CallState,
  { progress }: JobControl,
  fitting: number,
  run: (input: Shown) => Promise<Outcome> | Outcome,
): Promise<JsonText> {
  const { call, context } = state
  const slices = state.action.slices as Slices
  const total = slices.count(call.input)
  // Half of what fitted, because a transaction is not always as fast.
  const size = Math.max(1, Math.floor(fitting / 2))
  const answers: Shown[] = []
  for (let from = 0; from < total; from += size) {
    checkDeadline(context)
    const to = Math.min(from + size, total)
    const outcome = await run(slices.cut(call.input, from, to, answers))
    if (!outcome.ok) throw stoppedAt(from, total, outcome.failure)
    answers.push(outcome.data.parse() as Shown)
    progress({ done: to, total })
  }
  return finish(slices.join(call.input, answers), call.options)
}

const stoppedAt = (from: number, total: number, { code, message, detail }: Failure): Failure =>
  new Failure(code, `${message} The first ${from} of ${total} are written and stay.`, detail)
