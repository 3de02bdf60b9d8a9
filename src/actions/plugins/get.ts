import { Type } from 'typebox'
import { getPlugin } from '../../plugins/plugin-store.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { idProperty, pluginItem, toItem } from './item.ts'

export const get = action('SVC_Plugins.get', {
  title: 'Show a plugin',
  summary: 'Shows one plugin: its state, its rights in words, what it adds, its settings and its recent failures.',
  tier: 'admin',
  effect: 'read',
  failures: ['not_found'],
  input: closed({ id: idProperty }),
  output: Type.Object({ item: pluginItem }),
  examples: [{ title: 'The plugin that accepts old API keys', input: { id: 'legacy-bridge' } }],
  async run({ db, site }, { id }) {
    return { item: toItem(site, await getPlugin(db, id)) }
  },
})
