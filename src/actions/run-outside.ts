// Runs an action of a plugin outside any transaction, because the plugin may make calls of its own. The record is written when the action has
// ended. The idempotency key is claimed before it starts, so that a second call with this key doesn't run the action again.

import type { JsonText } from '../json.ts'
import { newId } from '../store/ids.ts'
import { type Action, callName, type Context, storable, type WriteAction, type WriteContext } from './action.ts'
import { finish } from './answer.ts'
import type { Call } from './call.ts'
import { commit } from './commit.ts'
import { claimKey, dropAnswer, findReplay, type Keyed, ownerOf, rememberAnswer } from './idempotency.ts'

/** @throws Failure, or what the action threw */
export async function runOutside(
  action: WriteAction<never, never, unknown> & Action,
  context: Context,
  call: Call,
): Promise<JsonText> {
  const { caller, now, dryRun } = context
  const { options } = call
  const key = dryRun ? undefined : options.idempotencyKey
  const keyed: Keyed | undefined = key === undefined ? undefined : { owner: ownerOf(caller), key, call, now }
  const replay = keyed && (await claim(context, keyed))
  const answer = replay ?? (await runOnce(action, context, call, keyed))
  return finish(answer, options) // after the record, because the action has run even if its answer fails here
}

async function runOnce(
  action: WriteAction<never, never, unknown> & Action,
  context: Context,
  call: Call,
  keyed: Keyed | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const { site, caller, now, dryRun } = context
  const { input } = call
  const { signal, db } = context
  try {
    const result = await action.run({ ...context, signal, db } as WriteContext, input as never, undefined)
    if (dryRun) return { ...storable(site, action, input, result).result, activity_id: null, diff: [] }
    const id = newId(now)
    const answer = { ...(result as Readonly<Record<string, unknown>>), activity_id: id }
    await commit(site, call.name, async ({ db, record }) => {
      const named = { name: callName(action), tier: action.tier, effect: action.effect }
      const facts = { id, call: callName(action), runs: [named], summary: action.summary, caller, records: [], now }
      record({ ...facts, input: storable(site, action, input, {}).input })
      if (!keyed) return
      await dropAnswer(db, keyed)
      rememberAnswer(db, { ...keyed, answer: storable(site, action, input, answer).result })
    })
    return answer
  } catch (error) {
    if (keyed) await site.store.transaction((db) => dropAnswer(db, keyed))
    throw error
  }
}

function claim({ site }: Context, keyed: Keyed): Promise<JsonText | undefined> {
  return site.store.transaction(async (db) => {
    const replay = await findReplay(db, keyed)
    if (!replay) claimKey(db, keyed)
    return replay
  })
}
