// SVC_API.batch: several calls, each checked at its own tier. Their writes are one transaction and one activity record.

import { Type } from 'typebox'
import { withChangesSince } from '../../activity/since.ts'
import { Failure } from '../../base/failure.ts'
import { jsonText, JsonText } from '../../base/json.ts'
import { type Action, action, callName, type Context, type Shown, type WriteContext } from '../call/action.ts'
import { ofOtherActions } from '../call/failures.ts'
import { maxAnswerBytes } from '../call/answer.ts'
import { asFailure } from '../call/as-failure.ts'
import { checkDeadline } from '../call/deadline.ts'
import { authorOf } from '../call/commit.ts'
import { canSkip, onErrorProperty, orSkip } from '../call/on-error.ts'
import { isOption } from '../call/options.ts'
import { afterWrite, beforeWrites } from '../call/site-within.ts'
import { writerCheck } from '../call/slices.ts'
import { settle } from '../../store/core/queued-writes.ts'
import { fits } from '../call/validate.ts'
import {
  type BatchCall,
  maxCalls,
  nameOf,
  planCall,
  type Planned,
  readArguments,
  type RunnableCall,
  storableCall,
} from './batch-plan.ts'
import { batchAnswer, batchSlices, skippedBy } from './batch-answer.ts'
import { cutProperties, nullable } from '../call/write-answer.ts'
import { viewerOf } from '../call/viewer.ts'
import { closed, boundedText } from '../../base/schema.ts'

export const oneCall = closed({
  class: Type.Optional(boundedText('The class, unless `action` includes it.', 200)),
  action: boundedText('Action, such as `update`, or `SVC_Content.update`.', 200),
  arguments: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Arguments of the action. `"$0.item.id"` is replaced by the value from the result of the first call; `"$$0.item.id"` is that text itself.',
    }),
  ),
  if_revision: Type.Optional(
    Type.Integer({ minimum: 0, description: 'The revision that you read of the object that this call changes.' }),
  ),
})

const inputSchema = closed({
  calls: Type.Array(oneCall, { minItems: 1, maxItems: maxCalls, description: 'The calls, in order.' }),
  on_error: onErrorProperty,
})

export const batch = action('SVC_API.batch', {
  title: 'Change [{title}|several things] in one go',
  summary: 'Runs several calls. What they write is one transaction, all or none unless `on_error` says otherwise.',
  did: 'changed [{title}|several things] in one go',
  tier: 'read',
  effect: 'write',
  failures: ofOtherActions,
  touches: 'calls',
  batchable: false,
  input: inputSchema,
  output: Type.Object({
    results: Type.Array(Type.Unknown(), { description: 'By place; of a skipped call `{error}`.' }),
    skipped: Type.Optional(Type.Array(Type.Integer(), { description: 'The places of the calls that were skipped.' })),
    shortened: Type.Optional(Type.String()),
    activity_id: nullable(Type.String()),
    activity_ids: Type.Optional(Type.Array(Type.String(), { description: 'Of a job in slices: the record of each.' })),
    diff: Type.Optional(Type.Array(Type.Unknown())),
    ...cutProperties,
  }),
  diffHint: 'Run one of the calls alone with `dry_run` to see what it would change.',
  examples: [
    {
      title: 'Read two things at once',
      input: { calls: [{ action: 'SVC_API.welcome' }, { class: 'SVC_Content', action: 'get', arguments: { id: '/about' } }] },
    },
    {
      title: 'Write a page and publish it',
      input: {
        calls: [
          { action: 'SVC_Content.create', arguments: { type: 'page', title: 'Opening hours', body: 'Mondays to Fridays.' } },
          { action: 'SVC_Content.publish', arguments: { id: '$0.item.id' } },
        ],
      },
    },
  ],
  writes: (registry, { calls }: { calls: BatchCall[] }) => calls.some((call) => registry.find(nameOf(call))?.effect !== 'read'),
  storable(registry, input, result) {
    // Plugins' guards get the input before it is validated. They get an invalid batch as an empty one.
    const calls = fits(inputSchema, input) ? input.calls : []
    const results = Array.isArray(result['results']) ? (result['results'] as Shown[]) : []
    const kept = calls.map((call, place) => storableCall(registry, call, results[place]))
    return {
      input: { calls: kept.map(({ call }) => call) },
      result: { ...result, results: kept.slice(0, results.length).map((one) => one.result) },
    }
  },
  slices: batchSlices,
  async prepare(context, { calls, on_error: onError }) {
    countCalls(context, calls.length)
    return prepareCalls(context, calls, { skips: onError === 'skip' })
  },
  async run(context, { calls }, prepared) {
    const results = await runCalls(context, calls, prepared, { checkHeld: writerCheck(context) })
    const later = context.dryRun ? notRun : null
    return batchAnswer(prepared.planned.map(({ phase }, place) => (phase === 'late' ? later : results[place])))
  },
  async complete(context, _input, { planned }, answer) {
    if (!planned.some(({ phase }) => phase === 'late')) return undefined
    const results = planned.map(({ phase }, place) => (phase === 'late' ? undefined : answer.results[place]))
    for (const [place, one] of planned.entries()) if (one.phase === 'late') results[place] = await readLate(context, one, results)
    return { ...answer, results }
  },
})

/** Planned calls, with the results of the work before the transaction. */
export interface PreparedCalls {
  readonly planned: readonly Planned[]
  /** The prepared values of the writes, by place. */
  readonly prepared: readonly unknown[]
  /** The results of the reads before the first write and of skipped calls, by place. */
  readonly early: readonly unknown[]
  /** True if failing calls are skipped. */
  readonly skips: boolean
}

/**
 * Plans calls, runs the reads before the first write, and prepares the writes.
 * @param options.plan plans one call
 * @param options.skips true to skip failing calls
 */
export async function prepareCalls(
  context: Context,
  calls: readonly BatchCall[],
  { plan = planCall, skips = false } = {},
): Promise<PreparedCalls> {
  const planned: Planned[] = []
  const results: unknown[] = []
  const prepared: unknown[] = []
  const step = async (place: number, run: () => Promise<void>): Promise<void> => {
    try {
      await at(context, calls, place, run)
    } catch (error) {
      if (!skips || !canSkip(error)) throw error
      const call = calls[place] as BatchCall
      planned[place] = { call, phase: 'skipped' }
      results[place] = skippedBy(context, call, error)
    }
  }
  for (const [place, call] of calls.entries())
    await step(place, async () => {
      planned[place] = plan(context, planned, call)
    })
  for (const [place, one] of planned.entries()) {
    if (one.phase === 'left' || one.phase === 'skipped') continue
    checkDeadline(context)
    const earlier = writesBefore(planned, place)
    const seen = beforeWrites(context, earlier)
    await step(place, async () => {
      const input = readArguments(seen, one, results)
      if (one.phase === 'early') results[place] = await runRead(context, one, input)
      else if (one.phase === 'write') prepared[place] = await prepare(seen, one.action, input, earlier.length > 0)
    })
  }
  return { planned, prepared, early: results, skips }
}

const writesBefore = (planned: readonly Planned[], place: number) =>
  planned.slice(0, place).flatMap((one) => (one.phase === 'write' ? [one.action] : []))

async function prepare(context: Context, one: Action, input: Shown, followsWrite: boolean): Promise<unknown> {
  try {
    return await one.prepare?.(context, input)
  } catch (error) {
    if (!followsWrite || !(error instanceof Failure) || error.code !== 'not_found') throw error
    const hint = 'If an earlier call of this batch makes it, make two batches: this call is prepared before any of them writes.'
    throw new Failure(error.code, error.message, { ...error.detail, hint }, { cause: error })
  }
}

/**
 * Runs the writes in the open transaction.
 * @param options.author returns the author of a call's changes
 * @param options.checkHeld is called before each write
 * @returns the results by place
 */
export async function runCalls(
  context: WriteContext,
  calls: readonly BatchCall[],
  { planned, prepared, early, skips }: PreparedCalls,
  { author = authorOf, checkHeld = (_written: number): void => undefined } = {},
): Promise<readonly unknown[]> {
  const results = [...early]
  let seen = context
  for (const [place, one] of planned.entries()) {
    if (one.phase !== 'write') continue
    checkDeadline(context)
    checkHeld(place)
    const known = context.change.records.length
    const write = { planned: one, place, prepared: prepared[place] }
    const run = (within: WriteContext) => at(context, calls, place, () => runWrite(within, write, results, author))
    const result = skips ? await orSkip(seen, run) : await run(seen)
    results[place] = result instanceof Failure ? skippedBy(context, one.call, result) : result
    seen = await afterWrite(seen, known)
  }
  return results
}

/** The result of a read after a write in a dry run. */
const notRun = { not_run: 'A dry run does not run reads that follow a write.' }

/**
 * Counts each call of a batch against the rate limit. The door has already counted one.
 * @throws Failure `rate_limited`, and then none of them is counted
 */
function countCalls({ site, caller, isSlice }: Context, count: number): void {
  if (isSlice) return
  const { allowed, limit, resetSeconds } = site.rate.takeCalls(caller, count - 1)
  if (allowed) return
  throw new Failure('rate_limited', `A batch of ${count} calls counts as ${count}: that is more than ${limit} per minute.`, {
    retry_after: resetSeconds,
    ...(count > limit ? { field: 'calls', hint: `Make batches of at most ${limit} calls.` } : {}),
  })
}

async function runRead(context: Context, { action: one }: RunnableCall, input: Shown): Promise<unknown> {
  const ready = await one.prepare?.(context, input)
  const result = await one.run(context as WriteContext, input, ready)
  return result instanceof JsonText ? result.parse() : result
}

interface Write {
  readonly planned: RunnableCall
  readonly place: number
  readonly prepared: unknown
}

async function runWrite(
  context: WriteContext,
  { planned, place, prepared }: Write,
  results: readonly unknown[],
  author: typeof authorOf,
): Promise<unknown> {
  const { action: one, call } = planned
  const input = readArguments(context, planned, results)
  context.ran(one)
  const change = context.change.part(author(context.caller, callName(one)), call.if_revision, place)
  // The calls are parts of this transaction already, so none of them is cut.
  const result = await one.run({ ...context, signal: context.signal, change, isSlice: true }, input, prepared)
  // A statement that fails must fail this call, not a later one.
  await settle(change.db)
  change.checkRevisionUsed()
  return result
}

/** Runs a read after the commit. It can't undo the writes, so its failure becomes its result. */
async function readLate(context: Context, planned: RunnableCall, results: readonly unknown[]): Promise<unknown> {
  try {
    if (context.signal.aborted) throw noTime()
    const result = await runRead(context, planned, readArguments(context, planned, results))
    const others = results.reduce<number>((bytes, one) => bytes + Buffer.byteLength(jsonText(one ?? null)) + 1, 0)
    if (others + Buffer.byteLength(jsonText(result)) <= maxAnswerBytes - roomBytes) return result
    throw new Failure('too_large', 'With this result, the answer would be longer than 80 KB.', { limit: maxAnswerBytes })
  } catch (error) {
    const { call } = planned
    return { error: asFailure(context.site, context.caller, { name: nameOf(call) }, error).toJSON() }
  }
}

/** Bytes reserved for the rest of the answer and for failures of later reads. */
const roomBytes = 8 * 1024

const noTime = (): Failure =>
  new Failure('unavailable', 'There was no time left for this read. The writes of the batch are saved.', { retry_after: 1 })

/** Adds the place of the call to a failure. A `conflict` about a stale revision also gets the changes since that revision. */
async function at<T>(context: Context, calls: readonly BatchCall[], place: number, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const failure = await withChangesSince(
      context.site.store.read,
      calls[place]?.if_revision,
      error,
      viewerOf(context),
      context.now,
    )
    if (!(failure instanceof Failure)) throw failure
    const { code, message, detail } = failure
    const { field } = detail
    const within = field === undefined ? '' : isOption(field) ? `.${field}` : `.arguments.${field}`
    throw new Failure(code, message, { ...detail, field: `calls.${place}${within}` }, { cause: failure })
  }
}
