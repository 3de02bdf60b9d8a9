import { getPlugin } from '../../plugins/plugin-store.ts'
import { idProperty } from './item.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { pluginOutput, savePlugin } from './writing.ts'

export const deactivate = action('SVC_Plugins.deactivate', {
  title: 'Deactivate [the plugin {title}|a plugin]',
  summary: 'Deactivates a plugin. Its settings are kept.',
  did: 'deactivated [the plugin {title}|a plugin]',
  tier: 'admin',
  effect: 'write',
  failures: ['not_found'],
  touches: 'site',
  revisioned: true,
  input: closed({ id: idProperty }),
  output: pluginOutput,
  examples: [{ title: 'Stop accepting old API keys', input: { id: 'legacy-bridge' } }],
  async run(context, { id }) {
    return savePlugin(context, await getPlugin(context.db, id), { state: 'inactive', reason: null })
  },
})
