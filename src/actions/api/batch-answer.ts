// The answer of a batch, and its slices, if it runs as a job.

import { isObject, jsonText } from '../../base/json.ts'
import type { Shown } from '../call/action.ts'
import { maxAnswerBytes } from '../call/answer.ts'
import type { Slices } from '../call/slices.ts'
import type { BatchCall } from './batch-plan.ts'
import { carryReferences } from './batch-references.ts'

/** Bytes reserved for the rest of the answer. */
const roomBytes = 8 * 1024

const words = 'The results together are too long for an answer, so each write has only the id of its item and its warnings.'

/**
 * Returns the answer with these results. If they are too long together, those of writes keep the id of their item and their
 * warnings.
 * @param isSkipped tells the result of a skipped call
 */
export function batchAnswer(results: readonly unknown[], isSkipped: (result: unknown) => boolean) {
  const skipped = [...results.keys()].filter((place) => isSkipped(results[place]))
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
    const results = answers.flatMap((answer) => answer.results)
    const skipped = new Set<unknown>(answers.flatMap((answer) => (answer.skipped ?? []).map((place) => answer.results[place])))
    const ids = answers.flatMap(({ activity_id: id }) => (id === null ? [] : [id]))
    return { ...batchAnswer(results, (result) => skipped.has(result)), activity_ids: ids }
  },
}
