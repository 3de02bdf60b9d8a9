// SVC_Plugins.delete: a plugin with its files goes for good; its settings may stay for when it comes back.

import { Type } from 'typebox'
import { Failure } from '../../../failure.ts'
import { dropTurns } from '../../../jobs/turn-store.ts'
import { jobNamePrefix } from '../../../plugins/jobs.ts'
import { getPlugin, nothingRegistered, type Plugin } from '../../../plugins/plugin-store.ts'
import { action, type WriteContext } from '../../action.ts'
import { expectProperty, checkExpected } from '../../expect.ts'
import { doneOutput } from '../../write-answer.ts'
import { takeAllAway } from './arrival.ts'
import { idProperty } from './reading.ts'

export const pluginsDelete = action({
  class: 'SVC_Plugins',
  name: 'delete',
  summary: 'Deletes a plugin with its files and settings, active or not.',
  tier: 'admin',
  effect: 'destroy',
  failures: ['not_found', 'conflict'],
  touches: 'site',
  input: Type.Object(
    {
      id: idProperty,
      expect: expectProperty('plugins'),
      keep_data: Type.Optional(
        Type.Boolean({ description: 'Keeps its settings, secrets among them, for when a plugin of this id is installed again.' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: doneOutput,
  examples: [{ title: 'Delete one, and keep its settings', input: { id: 'useful', expect: 1, keep_data: true } }],
  async run(context, { id, expect, keep_data: keepData = false }) {
    const plugin = await getPlugin(context.db, id)
    if (plugin.bundled)
      throw new Failure('refused', `${plugin.name} comes with Postern and can't be deleted.`, {
        id,
        rule: 'what is bundled stays',
        hint: 'SVC_Plugins.deactivate switches it off.',
      })
    checkExpected(1, expect, 'plugins')
    await removeRow(context, plugin, keepData)
    context.afterCommit(() => takeAllAway(context.site, plugin.id))
    return { done: [id], unchanged: [], warnings: [], activity_id: null }
  },
})

/** A row without files is no plugin: it keeps the settings, whose key signed them, and nothing that could run. */
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
