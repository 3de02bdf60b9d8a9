// The answer of a batch, and its slices, if it runs as a job.

import { isObject, jsonText } from '../../base/json.ts'
import type { Failure } from '../../base/failure.ts'
import type { Context, Shown } from '../call/action.ts'
import { maxAnswerBytes } from '../call/answer.ts'
import { asFailure } from '../call/as-failure.ts'
import type { Slices } from '../call/slices.ts'
import { type BatchCall, nameOf } from './batch-plan.ts'
import { carryReferences } from './batch-references.ts'

/** Bytes reserved for the rest of the answer. */
const roomBytes = 8 * 1024

const words = 'The results together are too long for an answer, so each write has only the id of its item and its warnings.'

/** The result of a skipped call. */
export class SkippedCall {
  readonly error: unknown
  constructor(error: unknown) {
    this.error = error
  }

  /** The sentence of its failure. */
  get message(): string {
    return String((this.error as { readonly message?: unknown }).message)
  }
}

/** Returns the result of a call that failed and is skipped. */
export const skippedBy = ({ site, caller }: Context, call: BatchCall, failure: Failure): SkippedCall =>
  new SkippedCall(asFailure(site, caller, { name: nameOf(call) }, failure).toJSON())

/**
 * Returns the answer with these results. If they are too long together, those of writes keep the id of their item and their
 * warnings.
 */
export function batchAnswer(results: readonly unknown[]) {
  const skipped = [...results.keys()].filter((place) => results[place] instanceof SkippedCall)
  const isLong = results.length > 10 && Buffer.byteLength(jsonText(results)) > maxAnswerBytes - roomBytes
  return {
    results: isLong ? results.map(shortened) : [...results],
    ...(skipped.length > 0 && { skipped }),
    ...(isLong && { shortened: words }),
    activity_id: null,
  }
}

function shortened(result: unknown): unknown {
  if (!isObject(result) || !isObject(result['item'])) return result
  const { item, warnings } = result
  return { item: { id: item['id'] }, ...(Array.isArray(warnings) && warnings.length > 0 && { warnings }) }
}

interface BatchInput extends Shown {
  readonly calls: readonly BatchCall[]
}

interface BatchAnswer extends Shown {
  readonly results: readonly unknown[]
  readonly skipped?: readonly number[]
  readonly activity_id: string | null
}

/** The slices of a batch. Later slices may refer to results of earlier ones. */
export const batchSlices: Slices = {
  count: (input) => (input as BatchInput).calls.length,
  cut(input, from, to, answers) {
    const results = (answers as readonly BatchAnswer[]).flatMap((answer) => answer.results)
    const calls = (input as BatchInput).calls.slice(from, to).map((call) => ({
      ...call,
      ...(call.arguments && { arguments: carryReferences(call.arguments, results) }),
    }))
    return { ...input, calls }
  },
  join(_input, given) {
    const answers = given as readonly BatchAnswer[]
    const results = answers.flatMap(({ results: some, skipped = [] }) =>
      some.map((result, place) => (skipped.includes(place) ? new SkippedCall((result as SkippedCall).error) : result)),
    )
    const ids = answers.flatMap(({ activity_id: id }) => (id === null ? [] : [id]))
    return { ...batchAnswer(results), activity_ids: ids }
  },
}
