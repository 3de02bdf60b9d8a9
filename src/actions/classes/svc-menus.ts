// SVC_Menus: the menus of the site. A menu is shown where its location says; the theme names the locations, `main` first of all.

import { Type } from 'typebox'
import { findEntry } from '../../content/entry.ts'
import {
  checkTree,
  countHidden,
  findMenu,
  type MenuItemInput,
  type MenuNode,
  type MenuTargets,
  showMenu,
  storedItem,
  storedItems,
} from '../../content/menus.ts'
import { withItem, withoutItem } from '../../content/menu-tree.ts'
import { checkSlug } from '../../content/slug.ts'
import { findTerm } from '../../content/terms.ts'
import { Failure, notFound } from '../../failure.ts'
import { includesTier } from '../../identity/caller.ts'
import type { Db } from '../../store/database.ts'
import { newId } from '../../store/ids.ts'
import { eachItem, itemsOf, type StoredMenuItem } from '../../store/menu-references.ts'
import type { MenuRow } from '../../store/schema.ts'
import { type Action, action, type Context, type WriteContext } from '../action.ts'
import { termNames, unknownTerm } from '../term-names.ts'
import { doneOutput, writeProperties } from '../write-answer.ts'
import { itemInput, itemsInput, location, menuItem, menuItemOf } from './menu-item.ts'
import { locationWarnings } from './menu-locations.ts'
import { named } from './svc-content/named.ts'

export const menusList = action({
  class: 'SVC_Menus',
  name: 'list',
  title: 'List the menus',
  summary: 'Lists the menus, without their items.',
  tier: 'any',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: Type.Object({}, { additionalProperties: false }),
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

const idProperty = Type.String({ description: 'Id or slug of a menu.', minLength: 1, maxLength: 200 })

const shownSchema = Type.Array(Type.Unknown(), { description: 'What visitors see: `{label, url, new_tab, items}`.' })

export const menusGet = action({
  class: 'SVC_Menus',
  name: 'get',
  title: 'Show a menu',
  summary: 'Shows a menu: its items, what visitors see of it, and which items are hidden and why.',
  tier: 'any',
  effect: 'read',
  failures: ['not_found'],
  touches: 'nothing',
  input: Type.Object({ id: idProperty }, { additionalProperties: false }),
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

const slug = Type.String({ description: 'Slug of the menu.', minLength: 1, maxLength: 100 })
const name = Type.Optional(Type.String({ description: 'Its name in the admin.', minLength: 1, maxLength: 200 }))
const output = Type.Object({ item: menuItem, changed: Type.Array(Type.String()), ...writeProperties })
const written = (context: Context, row: MenuRow, changed: readonly string[] = []) => ({
  item: menuItemOf(row, context.select ? itemsOf(row) : undefined),
  changed: [...changed],
  warnings: [],
  activity_id: null,
})

export const menusCreate = action({
  class: 'SVC_Menus',
  name: 'create',
  title: 'Create [the menu {title}|a menu]',
  summary: 'Creates a menu.',
  did: 'created [the menu {title}|a menu]',
  object: { kind: 'menu', page: 'menu' },
  tier: 'content',
  effect: 'write',
  failures: ['exists'],
  touches: 'site',
  input: Type.Object({ slug, name, location, items: Type.Optional(itemsInput) }, { additionalProperties: false }),
  output,
  examples: [
    {
      title: 'The main menu of the German pages',
      input: { slug: 'haupt', location: 'main.de', items: [{ label: 'Über uns', url: '/de/ueber-uns' }] },
    },
    {
      title: 'A menu for the footer',
      input: {
        slug: 'footer',
        location: 'footer',
        items: [{ entry: '/about' }, { label: 'Write to us', url: 'mailto:us@example.org' }],
      },
    },
  ],
  async run(context, given) {
    checkSlug(given.slug, { top: false, guarded: true })
    await checkFree(context.db, { slug: given.slug, location: given.location ?? null }, undefined)
    const items = await treeOf(context, given.items ?? [])
    const row = await context.change.insert('menu', {
      id: newId(context.now),
      slug: given.slug,
      name: given.name?.toWellFormed() ?? given.slug,
      location: given.location ?? null,
      items: JSON.stringify(items),
    })
    return { ...written(context, row), warnings: await locationWarnings(context, given.location) }
  },
})

export const menusUpdate = action({
  class: 'SVC_Menus',
  name: 'update',
  title: 'Change [the menu {title}|a menu]',
  summary: 'Changes a menu. `items` replaces the whole tree; other fields that are left out stay.',
  did: 'changed [the menu {title}|a menu]',
  object: { kind: 'menu', page: 'menu' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'exists'],
  touches: 'site',
  revisioned: true,
  input: Type.Object(
    { id: idProperty, slug: Type.Optional(slug), name, location, items: Type.Optional(itemsInput) },
    { additionalProperties: false },
  ),
  output,
  examples: [{ title: 'Another tree', input: { id: 'main', items: [{ entry: '/about', label: 'Who we are' }] } }],
  async run(context, { id, items, ...given }) {
    const before = await getMenu(context.db, id)
    if (given.slug !== undefined) checkSlug(given.slug, { top: false, guarded: true })
    await checkFree(context.db, { slug: given.slug ?? null, location: given.location ?? null }, before.id)
    const patch = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<MenuRow>
    if (items !== undefined) patch.items = JSON.stringify(await treeOf(context, items))
    const { row, changed } = await context.change.update('menu', before, patch)
    return { ...written(context, row, changed), warnings: await locationWarnings(context, given.location) }
  },
})

export const menusAdd = action({
  class: 'SVC_Menus',
  name: 'add',
  title: 'Add an item to [the menu {title}|a menu]',
  summary: 'Adds one item to a menu, at the end or at the place that is given.',
  did: 'added an item to [the menu {title}|a menu]',
  object: { kind: 'menu', page: 'menu' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found'],
  touches: 'site',
  revisioned: true,
  input: Type.Object(
    {
      id: idProperty,
      item: Type.Object(itemInput(0).properties, { additionalProperties: false, description: 'The item.' }),
      under: Type.Optional(Type.String({ description: 'Id of the item that it is put below.', maxLength: 40 })),
      before: Type.Optional(Type.String({ description: 'Id of the item that it is put before.', maxLength: 40 })),
      after: Type.Optional(Type.String({ description: 'Id of the item that it is put after.', maxLength: 40 })),
    },
    { additionalProperties: false },
  ),
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

export const menusRemove = action({
  class: 'SVC_Menus',
  name: 'remove',
  title: 'Remove an item from [the menu {title}|a menu]',
  summary: 'Removes one item from a menu, with those below it.',
  did: 'removed an item from [the menu {title}|a menu]',
  object: { kind: 'menu', page: 'menu' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found'],
  touches: 'site',
  revisioned: true,
  input: Type.Object(
    { id: idProperty, item: Type.String({ description: 'Id of the item, from `get`.', minLength: 1, maxLength: 40 }) },
    { additionalProperties: false },
  ),
  output,
  examples: [{ title: 'One link less', input: { id: 'main', item: 'about' } }],
  async run(context, { id, item }) {
    const before = await getMenu(context.db, id)
    const items = JSON.stringify(withoutItem(itemsOf(before), item))
    const { row, changed } = await context.change.update('menu', before, { items })
    return written(context, row, changed)
  },
})

export const menusDelete = action({
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

/** @throws Failure `not_found` */
async function getMenu(db: Db, ref: string): Promise<MenuRow> {
  const row = await findMenu(db, ref)
  if (row) return row
  throw notFound('menu', ref, 'SVC_Menus.list lists them.')
}

/** @throws Failure `exists` where another menu has the slug or the location */
async function checkFree(db: Db, wanted: Record<'slug' | 'location', string | null>, id: string | undefined): Promise<void> {
  for (const field of ['slug', 'location'] as const) {
    const value = wanted[field]
    if (value === null) continue
    const taken = await db.selectFrom('menu').select(['id', 'slug', 'name']).where(field, '=', value).executeTakeFirst()
    if (!taken || taken.id === id) continue
    throw new Failure('exists', `The menu ${taken.slug} has the ${field} ${value} already.`, {
      field,
      by: taken,
      hint:
        field === 'location' ? 'Take it from that menu first: SVC_Menus.update with `location: null`.' : 'Choose another slug.',
    })
  }
}

async function treeOf(context: WriteContext, given: readonly unknown[]): Promise<readonly StoredMenuItem[]> {
  const items = await storedItems(given as readonly MenuItemInput[], targetsOf(context), context.now)
  checkTree(items)
  return items
}

const targetsOf = (context: WriteContext): MenuTargets => ({
  async getEntryId(ref, field) {
    const row = await findEntry(context.db, named(context, ref))
    if (row) return row.id
    throw new Failure('invalid', `There is no entry ${JSON.stringify(ref.slice(0, 200).toWellFormed())}.`, {
      field,
      expected: 'id or path of an entry',
    })
  },
  async getTermId(ref, field) {
    const row = await findTerm(context.db, ref)
    if (row) return row.id
    throw await unknownTerm(context.db, ref, field)
  },
})

export const menuActions: readonly Action[] = [menusList, menusGet, menusCreate, menusUpdate, menusAdd, menusRemove, menusDelete]
