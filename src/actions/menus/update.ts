import { Type } from 'typebox'
import { checkSlug } from '../../content/entries/slug.ts'
import { invalid } from '../../base/failure.ts'
import { itemsOf } from '../../store/change/menu-references.ts'
import type { MenuRow } from '../../store/core/schema.ts'
import { action } from '../call/action.ts'
import { combineFields } from '../call/combine.ts'
import { itemChange, itemsInput, location } from './menu-item.ts'
import {
  idProperty,
  slug,
  name,
  output,
  written,
  getMenu,
  checkFree,
  treeOf,
  changedTree,
  menuWrite,
  locationWarnings,
} from './menu-writing.ts'
import { closed } from '../../base/schema.ts'

export const update = action('SVC_Menus.update', {
  title: 'Change [the menu {title}|a menu]',
  summary: 'Changes a menu. `items` replaces the whole tree, `change` changes one item; other fields that are left out stay.',
  did: 'changed [the menu {title}|a menu]',
  ...menuWrite,
  effect: 'write',
  failures: ['not_found', 'exists'],
  revisioned: true,
  // The change of one item is about the tree before it.
  combine: (earlier, later) => ('change' in earlier || 'change' in later ? undefined : combineFields(earlier, later)),
  input: closed({
    id: idProperty,
    slug: Type.Optional(slug),
    name,
    location,
    items: Type.Optional(itemsInput),
    change: Type.Optional(itemChange),
  }),
  output,
  examples: [{ title: 'Another tree', input: { id: 'main', items: [{ entry: '/about', label: 'Who we are' }] } }],
  async run(context, { id, items, change, ...given }) {
    if (items && change) throw invalid('change', 'Give either `items` or `change`.', 'one of `items` and `change`')
    const before = await getMenu(context.db, id)
    if (given.slug !== undefined) checkSlug(given.slug, { top: false, guarded: true })
    await checkFree(context.db, { slug: given.slug ?? null, location: given.location ?? null }, before.id)
    const patch = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<MenuRow>
    if (items !== undefined) patch.items = JSON.stringify(await treeOf(context, items))
    if (change) patch.items = JSON.stringify(await changedTree(context, itemsOf(before), change))
    const { row, changed } = await context.change.update('menu', before, patch)
    return { ...written(context, row, changed), warnings: await locationWarnings(context, given.location) }
  },
})
