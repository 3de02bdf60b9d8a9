import { Type } from 'typebox'
import { getGrant } from '../../identity/find-grant.ts'
import { action } from '../call/action.ts'
import { appItem, idProperty, itemsOf } from './app-item.ts'
import { closed } from '../../base/schema.ts'

export const get = action('SVC_Apps.get', {
  title: 'Show an app',
  summary: 'Shows one connected app.',
  tier: 'admin',
  effect: 'read',
  failures: ['not_found', 'conflict'],
  input: closed({ id: idProperty }),
  output: Type.Object({ item: appItem }),
  examples: [{ title: 'One by its name', input: { id: 'Claude' } }],
  async run(context, { id }) {
    const grant = await getGrant(context.db, id, context.now)
    return { item: (await itemsOf(context, [grant]))(grant) }
  },
})
