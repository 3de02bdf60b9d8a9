import { Type } from 'typebox'
import { checkTree, type MenuItemInput, storedItem } from '../../content/menus/menus.ts'
import { withItem } from '../../content/menus/menu-tree.ts'
import { itemsOf } from '../../store/change/menu-references.ts'
import { action } from '../call/action.ts'
import { itemInput } from './menu-item.ts'
import { idProperty, output, written, getMenu, targetsOf, menuWrite } from './menu-writing.ts'
import { boundedText, closed } from '../../base/schema.ts'

export const add = action('SVC_Menus.add', {
  title: 'Add an item to [the menu {title}|a menu]',
  summary: 'Adds one item to a menu, at the end or at the place that is given.',
  did: 'added an item to [the menu {title}|a menu]',
  ...menuWrite,
  effect: 'write',
  failures: ['not_found'],
  revisioned: true,
  input: closed({
    id: idProperty,
    item: closed(itemInput(0).properties, { description: 'The item.' }),
    under: Type.Optional(boundedText('Id of the item that it is put below.', 40)),
    before: Type.Optional(boundedText('Id of the item that it is put before.', 40)),
    after: Type.Optional(boundedText('Id of the item that it is put after.', 40)),
  }),
  output: Type.Object({ ...output.properties, added: Type.String({ description: 'Id of the new item.' }) }),
  examples: [{ title: 'One more link', input: { id: 'main', item: { label: 'Shop', url: 'https://shop.example.org/' } } }],
  async run(context, { id, item, ...place }) {
    const before = await getMenu(context.db, id)
    const added = await storedItem(item as MenuItemInput, targetsOf(context), context.now, 'item')
    const items = withItem(itemsOf(before), added, place)
    checkTree(items)
    const { row, changed } = await context.change.update('menu', before, { items: JSON.stringify(items) })
    return { ...written(context, row, changed), added: added.id }
  },
})
