// SVC_Menus.delete: deletes a menu.

import { Type } from 'typebox'
import { action } from '../../action.ts'
import { doneOutput } from '../../write-answer.ts'
import { idProperty, getMenu } from './menu-writing.ts'

export const deleteMenu = action({
  class: 'SVC_Menus',
  name: 'delete',
  title: 'Delete [the menu {title}|a menu]',
  summary: 'Deletes a menu.',
  did: 'deleted [the menu {title}|a menu]',
  object: { kind: 'menu', page: 'menu' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found'],
  touches: 'site',
  revisioned: true,
  input: Type.Object({ id: idProperty }, { additionalProperties: false }),
  output: doneOutput,
  examples: [{ title: 'By its slug', input: { id: 'main' } }],
  async run({ change, db }, { id }) {
    const row = await getMenu(db, id)
    await change.remove('menu', row)
    return { done: [row.id], unchanged: [], warnings: [], activity_id: null }
  },
})
