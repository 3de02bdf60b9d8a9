// Asks the plugins with a hook before dispatch if a call may run. Any plugin can refuse a call. A broken plugin refuses all
// calls, so that no call is unguarded.

import { callName, storable } from '../../actions/call/action.ts'
import { batch } from '../../actions/api/batch.ts'
import { callsIn } from '../../actions/api/batch-plan.ts'
import type { Call } from '../../actions/call/call.ts'
import { callerFacts } from '../../actions/plugins/plugin-actions.ts'
import { isVisible } from '../../actions/call/registry.ts'
import type { Services } from '../../actions/call/services.ts'
import { Failure } from '../../base/failure.ts'
import type { Caller } from '../../identity/caller.ts'
import { isObject } from '../../base/json.ts'
import { plainLine } from '../../plugins/plain-line.ts'

/**
 * Returns the first refusal of a call, or of one of the calls inside a batch. A batch can't run a call that would be refused
 * alone.
 */
export async function askAboutCall(site: Services, caller: Caller, call: Call): Promise<Failure | undefined> {
  const inside = call.name === callName(batch) ? callsIn(call.input) : []
  for (const one of [call, ...inside]) {
    const refusal = await askPlugins(site, caller, one, call.options.dryRun === true)
    if (refusal) return refusal
  }
  return undefined
}

/** Returns the first refusal by a plugin; with `detail.plugin` if that plugin broke. Plugins don't see secret arguments. */
export async function askPlugins(site: Services, caller: Caller, call: Call, dryRun: boolean): Promise<Failure | undefined> {
  const { name, input } = call
  const action = site.registry.find(name)
  const shown = action && isVisible(action, caller) ? storable(site.registry, action, input, {}).input : {}
  const question = { door: caller.door, call: name, input: shown, caller: callerFacts({ caller }), dryRun }
  for (const hook of site.plugins.active.hooks) {
    try {
      const answer = await hook.run([question], { dryRun })
      const sentence = isObject(answer) ? answer['refuse'] : undefined
      if (typeof sentence === 'string') return refusalBy(hook.plugin, sentence)
    } catch (error) {
      // The plugin was deactivated or configured while it was asked. The plugins that are active now are asked instead.
      if (!site.plugins.active.hooks.includes(hook)) return askPlugins(site, caller, call, dryRun)
      if (error instanceof Failure) return error
      throw error
    }
  }
  return undefined
}

const refusalBy = (plugin: string, sentence: string): Failure =>
  new Failure('refused', plainLine(sentence, 500) || 'A plugin refused this call.', {
    rule: `the plugin ${plugin} decides on each call`,
    hint: 'The owner of the site can configure or deactivate it.',
  })
