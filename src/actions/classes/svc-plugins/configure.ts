// SVC_Plugins.configure: a plugin's settings. An active one is started with them once, before they hold.

import { Type } from 'typebox'
import { filledSettings, mergeSettings } from '../../../plugins/plugin-settings.ts'
import { getPlugin, type Plugin } from '../../../plugins/plugin-store.ts'
import type { PluginRow } from '../../../store/schema.ts'
import { action, type Context } from '../../action.ts'
import { idProperty } from './reading.ts'
import { getUnchanged, pluginFailure, pluginOutput, savePlugin, tryOut } from './writing.ts'

interface Prepared {
  readonly plugin: Plugin
  readonly patch: Partial<PluginRow>
}

export const pluginsConfigure = action({
  class: 'SVC_Plugins',
  name: 'configure',
  summary: "Changes a plugin's settings; null brings a default back.",
  tier: 'admin',
  effect: 'write',
  failures: ['not_found'],
  touches: 'unlimited',
  revisioned: true,
  batchable: false,
  // Some of them may be secrets; the record of what changed has the others.
  secrets: ['settings'],
  input: Type.Object(
    {
      id: idProperty,
      settings: Type.Record(Type.String(), Type.Unknown(), {
        description: "New values by key, as `get` lists them. A secret's old value is kept nowhere: undo does not bring it back.",
        minProperties: 1,
      }),
    },
    { additionalProperties: false },
  ),
  output: pluginOutput,
  examples: [
    { title: 'Let whoever has the old key write content only', input: { id: 'legacy-bridge', settings: { scope: 'content' } } },
  ],
  async prepare(context, { id, settings }): Promise<Prepared> {
    const plugin = await getPlugin(context.db, id)
    const stored = mergeSettings(plugin.manifest, plugin.row, settings)
    if (plugin.state !== 'active') return { plugin, patch: { ...stored } }
    const registered = await registeredWith(context, { ...plugin, settings: filledSettings(plugin.manifest, stored) })
    return { plugin, patch: { ...stored, ...registered } }
  },
  async run(context, _input, { plugin, patch }) {
    return savePlugin(context, await getUnchanged(context, plugin), patch)
  },
})

/** What an active plugin registers may hang on its settings. @throws Failure `failed` */
async function registeredWith(context: Context, plugin: Plugin): Promise<Partial<PluginRow>> {
  const tried = await tryOut(context, plugin)
  if ('registered' in tried) return { registered: JSON.stringify(tried.registered) }
  // A release that does nothing about a fatal keeps what was registered before.
  if (context.site.release.pluginFatal === 'page') return {}
  throw pluginFailure(plugin, tried.fatal, tried.reference, 'These settings were not taken.')
}
