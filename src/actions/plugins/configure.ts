// SVC_Plugins.configure: changes a plugin's settings. An active plugin is first started once with the new settings.

import { Type } from 'typebox'
import { filledSettings, mergeSettings } from '../../plugins/plugin-settings.ts'
import { getPlugin, type Plugin } from '../../plugins/plugin-store.ts'
import type { PluginRow } from '../../store/core/schema.ts'
import { action, type Context } from '../call/action.ts'
import { getUnchanged, pluginFailure, pluginOutput, savePlugin, tryOut } from './writing.ts'
import { idProperty } from './item.ts'
import { closed } from '../../base/schema.ts'

export const configure = action('SVC_Plugins.configure', {
  title: 'Change the settings of [the plugin {title}|a plugin]',
  summary: 'Changes the settings of a plugin. Null restores a default.',
  did: 'changed the settings of [the plugin {title}|a plugin]',
  tier: 'admin',
  effect: 'write',
  failures: ['not_found', 'unprocessable'],
  touches: 'unlimited',
  revisioned: true,
  batchable: false,
  // The settings are not stored, because some may be secrets. The diff in the record has the others.
  secrets: ['settings'],
  input: closed({
    id: idProperty,
    settings: Type.Record(Type.String(), Type.Unknown(), {
      description: 'New values by key, as in `get`. The old value of a secret is not stored, so undo does not restore it.',
      minProperties: 1,
    }),
  }),
  output: pluginOutput,
  examples: [{ title: 'Limit old API keys to content', input: { id: 'legacy-bridge', settings: { scope: 'content' } } }],
  async prepare(context, { id, settings }) {
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

/** Returns the registrations of an active plugin, which may depend on its settings. @throws Failure `failed` */
async function registeredWith(context: Context, plugin: Plugin): Promise<Partial<PluginRow>> {
  const tried = await tryOut(context, plugin)
  if ('registered' in tried) return { registered: JSON.stringify(tried.registered) }
  // In release profiles that ignore fatal errors, the earlier registrations stay.
  if (context.site.release.pluginFatal === 'page') return {}
  throw pluginFailure(plugin, tried.fatal, tried.reference, 'The settings were not changed.')
}
