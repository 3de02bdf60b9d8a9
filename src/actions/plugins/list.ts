import { Type } from 'typebox'
import { listPlugins } from '../../plugins/plugin-store.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { leanPluginItem, pluginItem, toItem, toLeanItem } from './item.ts'

export const list = action('SVC_Plugins.list', {
  title: 'List the plugins',
  summary: 'Lists the plugins, including those bundled with Postern.',
  tier: 'admin',
  effect: 'read',
  input: closed({}),
  output: Type.Object({ items: Type.Array(Type.Union([leanPluginItem, pluginItem])) }),
  examples: [{ title: 'All plugins', input: {} }],
  async run({ db, site, select }) {
    const plugins = await listPlugins(db)
    return { items: plugins.map((plugin) => (select ? toItem(site, plugin) : toLeanItem(plugin))) }
  },
})
