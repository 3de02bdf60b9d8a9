import { doneAnswer } from '../shared/several.ts'
import { action } from '../call/action.ts'
import { doneOutput } from '../call/write-answer.ts'
import { idProperty, getMenu, menuWrite } from './menu-writing.ts'
import { closed } from '../../base/schema.ts'

export const deleteMenu = action('SVC_Menus.delete', {
  title: 'Delete [the menu {title}|a menu]',
  summary: 'Deletes a menu.',
  did: 'deleted [the menu {title}|a menu]',
  ...menuWrite,
  effect: 'write',
  failures: ['not_found'],
  revisioned: true,
  input: closed({ id: idProperty }),
  output: doneOutput,
  examples: [{ title: 'By its slug', input: { id: 'main' } }],
  async run({ change, db }, { id }) {
    const row = await getMenu(db, id)
    await change.remove('menu', row)
    return doneAnswer([row])
  },
})
