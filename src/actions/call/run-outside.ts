// The steps of a plugin's action. It runs outside any transaction, because the plugin may make calls. The record is written after
// the action. The idempotency key is claimed before the action, so that a second call with the key runs nothing.

import type { JsonText } from '../../base/json.ts'
import { newId } from '../../store/core/ids.ts'
import { callName, type Shown, type WriteContext } from './action.ts'
import { finish } from './answer.ts'
import type { CallState } from './call-state.ts'
import { commit } from './commit.ts'
import { claimKey, dropAnswer, findReplay, rememberAnswer } from './idempotency.ts'

/** Claims the idempotency key, or returns the answer of an earlier call with it. @throws Failure `key_reused`, `unavailable` */
export async function claimOrAnswer({ site, call, keyed }: CallState): Promise<JsonText | undefined> {
  if (!keyed || call.options.dryRun === true) return undefined
  const stored = await site.store.transaction(async (db) => {
    const replay = await findReplay(db, keyed)
    if (!replay) claimKey(db, keyed)
    return replay
  })
  return stored && finish(stored, call.options)
}

/** Runs the action, and releases its key if it fails. @throws Failure, or the error of the action */
export async function runOutside(state: CallState): Promise<JsonText> {
  const { site, writing, context, call, prepared, keyed } = state
  const { dryRun } = context
  let answer: Shown
  try {
    const result: Shown = await writing.run(context as WriteContext, call.input, prepared)
    answer = dryRun ? { ...state.storableResult(result), activity_id: null, diff: [] } : await recordOutside(state, result)
  } catch (error) {
    if (keyed && !dryRun) await site.store.transaction((db) => dropAnswer(db, keyed))
    throw error
  }
  return finish(answer, call.options) // after the record, because the action has run even if making its answer fails
}

/** Records the changes of the action, and stores its answer, which it returns. */
async function recordOutside(state: CallState, result: Shown): Promise<Shown> {
  const { site, action, call, caller, keyed } = state
  const { now } = state.context
  const name = callName(action)
  const { tier, effect, summary } = action
  // An action that commits by itself names its own record.
  const own = typeof result['activity_id'] === 'string' ? result['activity_id'] : undefined
  const id = own ?? newId(now)
  const answer = { ...result, activity_id: id }
  await commit(site, call.name, async ({ db, record }) => {
    const runs = [{ name, tier, effect }]
    if (own === undefined) record({ id, call: name, runs, summary, caller, records: [], now, input: state.storableInput() })
    if (!keyed) return
    await dropAnswer(db, keyed)
    rememberAnswer(db, { ...keyed, answer: state.storableResult(answer) })
  })
  return answer
}
