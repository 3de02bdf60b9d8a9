import { Type } from 'typebox'
import { type MenuNode, showMenu } from '../../content/menus/menus.ts'
import { includesTier } from '../../identity/caller.ts'
import { itemsOf } from '../../store/change/menu-references.ts'
import { action } from '../call/action.ts'
import { termNames } from '../shared/term-names.ts'
import { menuItem, menuItemOf } from './menu-item.ts'
import { idProperty, getMenu } from './menu-writing.ts'
import { closed } from '../../base/schema.ts'

const shownSchema = Type.Array(Type.Unknown(), { description: 'What visitors see: `{label, url, new_tab, items}`.' })

export const get = action('SVC_Menus.get', {
  title: 'Show a menu',
  summary: 'Shows a menu: its items, what visitors see of it, and which items are hidden and why.',
  tier: 'any',
  effect: 'read',
  failures: ['not_found'],
  input: closed({ id: idProperty }),
  output: Type.Object({
    item: menuItem,
    shown: shownSchema,
    hidden: Type.Optional(
      Type.Array(
        Type.Object({ id: Type.String(), why: Type.String({ description: 'The status of its entry, `expired` or `deleted`.' }) }),
      ),
    ),
  }),
  examples: [{ title: 'The main menu', input: { id: 'main' } }],
  async run(context, { id }) {
    const row = await getMenu(context.db, id)
    const { nodes, hidden, visible } = await showMenu(context.db, row, context.now, termNames(context))
    const shown = nodes.map(shownOf)
    if (!includesTier(context.caller.tier, 'read')) return { item: menuItemOf(row, visible), shown }
    return { item: menuItemOf(row, itemsOf(row)), shown, hidden: [...hidden] }
  },
})

const shownOf = ({ label, path, url, newTab, items }: MenuNode): object => ({
  label,
  url: path ?? url,
  new_tab: newTab,
  items: items.map(shownOf),
})
