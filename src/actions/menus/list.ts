import { Type } from 'typebox'
import { countHidden, showMenu } from '../../content/menus/menus.ts'
import { includesTier } from '../../identity/caller.ts'
import { eachItem } from '../../store/change/menu-references.ts'
import { action } from '../call/action.ts'
import { termNames } from '../shared/term-names.ts'
import { menuItem, menuItemOf } from './menu-item.ts'
import { closed } from '../../base/schema.ts'

export const list = action('SVC_Menus.list', {
  title: 'List the menus',
  summary: 'Lists the menus, without their items.',
  tier: 'any',
  effect: 'read',
  input: closed({}),
  output: Type.Object({
    items: Type.Array(
      Type.Object({
        ...menuItem.properties,
        hidden: Type.Optional(
          Type.Integer({ description: 'Number of items whose entry is not public, or whose target is gone.' }),
        ),
      }),
    ),
  }),
  examples: [{ title: 'All menus', input: {} }],
  async run(context) {
    const rows = await context.db.selectFrom('menu').selectAll().orderBy('slug').execute()
    if (includesTier(context.caller.tier, 'read')) {
      const hidden = await countHidden(context.db, context.now)
      return { items: rows.map((row) => ({ ...menuItemOf(row), hidden: hidden.get(row.id) ?? 0 })) }
    }
    const items = []
    for (const row of rows) {
      const { visible } = await showMenu(context.db, row, context.now, termNames(context))
      items.push({ ...menuItemOf(row), size: [...eachItem(visible)].length })
    }
    return { items }
  },
})
