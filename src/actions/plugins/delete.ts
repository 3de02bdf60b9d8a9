// SVC_Plugins.delete: deletes a plugin and its files. Its settings can be preserved for a later installation.

import { Failure } from '../../base/failure.ts'
import { dropTurns } from '../../jobs/turn-store.ts'
import { jobNamePrefix } from '../../plugins/jobs.ts'
import { getPlugin, nothingRegistered, type Plugin } from '../../plugins/plugin-store.ts'
import { action, type WriteContext } from '../call/action.ts'
import { expectProperty, checkExpected } from '../shared/expect.ts'
import { doneOutput } from '../call/write-answer.ts'
import { removePackages } from './arrival.ts'
import { idProperty } from './item.ts'
import { closed, flag } from '../../base/schema.ts'

export const pluginsDelete = action('SVC_Plugins.delete', {
  title: 'Delete [the plugin {title}|a plugin]',
  summary: 'Deletes a plugin with its files and settings, even while it is active.',
  did: 'deleted [the plugin {title}|a plugin]',
  tier: 'admin',
  effect: 'destroy',
  failures: ['not_found', 'conflict'],
  touches: 'site',
  input: closed({
    id: idProperty,
    expect: expectProperty('plugins'),
    keep_data: flag('Keeps its settings, including secrets, in case a plugin of this id is installed again.'),
  }),
  output: doneOutput,
  examples: [{ title: 'Delete a plugin and keep its settings', input: { id: 'useful', expect: 1, keep_data: true } }],
  async run(context, { id, expect, keep_data: keepData = false }) {
    const plugin = await getPlugin(context.db, id)
    if (plugin.bundled)
      throw new Failure('refused', `${plugin.name} is bundled with Postern and can't be deleted.`, {
        id,
        rule: 'bundled plugins are not deleted',
        hint: 'Use SVC_Plugins.deactivate instead.',
      })
    checkExpected(1, expect, 'plugins')
    await removeRow(context, plugin, keepData)
    context.afterCommit(() => removePackages(context.site, plugin.id))
    return { done: [id], unchanged: [], warnings: [], activity_id: null }
  },
})

/** Removes the row, or keeps it without a package: such a row is not a plugin, and has only the settings and the signer. */
async function removeRow({ change }: WriteContext, { id, row }: Plugin, keepData: boolean): Promise<void> {
  if (!row) return
  await dropTurns(change.db, jobNamePrefix(id))
  if (!keepData) return change.remove('plugin', row)
  await change.update('plugin', row, {
    package: '',
    state: 'inactive',
    reason: null,
    may: '[]',
    registered: JSON.stringify(nothingRegistered),
  })
}
