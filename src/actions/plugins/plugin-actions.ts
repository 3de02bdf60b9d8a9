// The actions of plugins as actions of the registry: validation around a function that runs in another process.

import { type TObject, type TSchema, Type } from 'typebox'
import { limitsOf } from '../../identity/caller.ts'
import type { Handle } from '../../plugins/handle.ts'
import { pluginFailed } from '../../plugins/keeper.ts'
import { toTypebox } from '../../plugins/plugin-schema.ts'
import type { RegisteredAction } from '../../plugins/registered.ts'
import { pluginFailureCodes } from '../../plugins/process-messages.ts'
import { newId } from '../../store/core/ids.ts'
import { type Action, action, clauseOf, type Context } from '../call/action.ts'
import { findMisfit } from '../call/validate.ts'
import { nullable } from '../call/write-answer.ts'

type Input = Readonly<Record<string, unknown>>

/** An action of a plugin. It is never part of a batch, because the batch would hold the one writer while the plugin runs. */
export function pluginAction(handle: Handle<RegisteredAction>): Action {
  const { class: className, action: name, summary, tier, effect, input, output, examples = [] } = handle.about
  const called = `${className}.${name}` as const
  const declared = {
    title: clauseOf(summary),
    summary,
    tier,
    // A plugin can throw these codes itself, or pass on the failure of a call that it makes.
    failures: pluginFailureCodes,
    touches: effect === 'act' ? ('outside' as const) : ('calls' as const),
    input: toTypebox(input),
    examples,
    batchable: false,
  }
  const answer = toTypebox(output)
  const run = async (context: Context, given: Input) => {
    const about = {
      door: context.caller.door,
      call: called,
      input: given,
      caller: callerFacts(context),
      dryRun: context.dryRun,
    }
    const { caller, dryRun } = context
    // Calls of the plugin need the rights of the plugin, and must be within the limits of this caller.
    const value = await handle.run([given, about], { dryRun, depth: caller.plugin?.depth ?? 0, limits: limitsOf(caller) })
    const misfit = findMisfit(answer, value)
    if (misfit) throw wrongAnswer(context, handle, misfit)
    return value as Input
  }
  return effect === 'read'
    ? action(called, { ...declared, effect, output: answer, run })
    : action(called, {
        ...declared,
        effect,
        did: clauseOf(summary),
        outside: true,
        output: withActivityId(answer),
        run,
      })
}

/** Adds `activity_id` to the declared answer, because dispatch adds it to calls that change something. */
function withActivityId(answer: TObject): TObject {
  const { additionalProperties = false } = answer as { additionalProperties?: boolean | TSchema }
  return Type.Object({ ...answer.properties, activity_id: nullable(Type.String()) }, { additionalProperties })
}

/** Returns the facts about the caller that a plugin gets. */
export function callerFacts({ caller }: Pick<Context, 'caller'>): { tier: string; account: string | null; token: string | null } {
  return { tier: caller.tier, account: caller.account?.email ?? null, token: caller.token?.name ?? null }
}

/** Logs the wrong member and its declared type. The value is not logged, because it may be a secret. */
function wrongAnswer(
  { site, now }: Context,
  { plugin, about }: Handle<RegisteredAction>,
  misfit: Readonly<Record<string, string>>,
): Error {
  const reference = newId(now)
  const call = `${about.class}.${about.action}`
  site.log.error('plugin answered something else than it declares', {
    plugin,
    source: `plugin:${plugin}`,
    reference,
    call,
    ...misfit,
  })
  return pluginFailed(plugin, reference)
}
