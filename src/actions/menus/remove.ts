import { withoutItem } from '../../content/menus/menu-tree.ts'
import { itemsOf } from '../../store/change/menu-references.ts'
import { action } from '../call/action.ts'
import { idProperty, output, written, getMenu, menuWrite } from './menu-writing.ts'
import { closed, nonEmptyText } from '../../base/schema.ts'

export const remove = action('SVC_Menus.remove', {
  title: 'Remove an item from [the menu {title}|a menu]',
  summary: 'Removes one item from a menu, with those below it.',
  did: 'removed an item from [the menu {title}|a menu]',
  ...menuWrite,
  effect: 'write',
  failures: ['not_found'],
  revisioned: true,
  input: closed({
    id: idProperty,
    item: nonEmptyText('Id of the item, from `get`.', 40),
  }),
  output,
  examples: [{ title: 'One link less', input: { id: 'main', item: 'about' } }],
  async run(context, { id, item }) {
    const before = await getMenu(context.db, id)
    const items = JSON.stringify(withoutItem(itemsOf(before), item))
    const { row, changed } = await context.change.update('menu', before, { items })
    return written(context, row, changed)
  },
})
