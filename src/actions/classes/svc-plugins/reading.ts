// SVC_Plugins.list and get.

import { Type } from 'typebox'
import { getPlugin, listPlugins } from '../../../plugins/plugin-store.ts'
import { action } from '../../action.ts'
import { leanPluginItem, pluginItem, toItem, toLeanItem } from './item.ts'
import { closed } from '../../../schema.ts'

/** `id` of an input. */
export const idProperty = Type.String({ description: 'Id of a plugin, such as `legacy-bridge`.', minLength: 1, maxLength: 100 })

export const list = action('SVC_Plugins.list', {
  title: 'List the plugins',
  summary: 'Lists the plugins, including those bundled with Postern.',
  tier: 'admin',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: closed({}),
  output: Type.Object({ items: Type.Array(Type.Union([leanPluginItem, pluginItem])) }),
  examples: [{ title: 'All plugins', input: {} }],
  async run({ db, site, select }) {
    const plugins = await listPlugins(db)
    return { items: plugins.map((plugin) => (select ? toItem(site, plugin) : toLeanItem(plugin))) }
  },
})

export const get = action('SVC_Plugins.get', {
  title: 'Show a plugin',
  summary: 'Shows one plugin: its state, its rights in words, what it adds, its settings and its recent failures.',
  tier: 'admin',
  effect: 'read',
  failures: ['not_found'],
  touches: 'nothing',
  input: closed({ id: idProperty }),
  output: Type.Object({ item: pluginItem }),
  examples: [{ title: 'The plugin that accepts old API keys', input: { id: 'legacy-bridge' } }],
  async run({ db, site }, { id }) {
    return { item: toItem(site, await getPlugin(db, id)) }
  },
})
