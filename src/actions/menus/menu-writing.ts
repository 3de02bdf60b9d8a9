// The common parts of SVC_Menus. A menu is shown at its location. The theme defines the locations, such as `main`.

import { Type } from 'typebox'
import { findEntry } from '../../content/entries/entry.ts'
import { checkTree, findMenu, type MenuItemInput, type MenuTargets, storedItem, storedItems } from '../../content/menus/menus.ts'
import { replaceItem } from '../../content/menus/menu-tree.ts'
import { findTerm } from '../../content/terms/terms.ts'
import { Failure, invalid, notFound } from '../../base/failure.ts'
import type { Db } from '../../store/core/database.ts'
import { eachItem, itemsOf, type StoredMenuItem } from '../../store/change/menu-references.ts'
import type { MenuRow } from '../../store/core/schema.ts'
import type { Context, WriteContext } from '../call/action.ts'
import { unknownTerm } from '../shared/term-names.ts'
import { itemAnswer, itemOutput } from '../call/write-answer.ts'
import { menuItem, menuItemOf } from './menu-item.ts'
import { named } from '../content/named.ts'
import { nonEmptyText } from '../../base/schema.ts'

export const idProperty = nonEmptyText('Id or slug of a menu.', 200)

export const slug = nonEmptyText('Slug of the menu.', 100)

export const name = Type.Optional(nonEmptyText('Its name in the admin.', 200))

export const output = itemOutput(menuItem)

/** Returns the answer of a write to a menu. */
export const written = ({ select }: Pick<Context, 'select'>, row: MenuRow, changed: readonly string[] = []) =>
  itemAnswer(menuItemOf(row, select ? itemsOf(row) : undefined), changed)

/** Returns the hint for a menu that was called by its name in the admin, and not by its slug. */
async function hintByName(db: Db, ref: string): Promise<string | undefined> {
  const menus = await db.selectFrom('menu').select(['slug', 'name']).orderBy('slug').limit(mostCompared).execute()
  const meant = menus.find((one) => one.name.toLowerCase() === ref.trim().toLowerCase())
  return meant && `The menu of this name is ${JSON.stringify(meant.slug)}.`
}

/** The most menus that a name is compared with. */
const mostCompared = 200

/** @throws Failure `not_found` */
export async function getMenu(db: Db, ref: string): Promise<MenuRow> {
  const row = await findMenu(db, ref)
  if (row) return row
  throw notFound('menu', ref, (await hintByName(db, ref)) ?? 'SVC_Menus.list lists them.')
}

/** @throws Failure `exists` if another menu has the slug or the location */
export async function checkFree(
  db: Db,
  wanted: Record<'slug' | 'location', string | null>,
  id: string | undefined,
): Promise<void> {
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

export async function treeOf(context: WriteContext, given: readonly unknown[]): Promise<readonly StoredMenuItem[]> {
  const items = await storedItems(given as readonly MenuItemInput[], targetsOf(context), context.now)
  checkTree(items)
  return items
}

/** Returns the tree with one item changed; the items below it stay. @throws Failure `invalid`, `not_found` */
export async function changedTree(
  context: WriteContext,
  items: readonly StoredMenuItem[],
  { item: id, ...given }: { readonly item: string } & Omit<MenuItemInput, 'id' | 'items'>,
): Promise<readonly StoredMenuItem[]> {
  const before = [...eachItem(items)].find((one) => one.id === id)
  if (!before) throw notFound('item', id, 'SVC_Menus.get shows the items of the menu.')
  const { items: below, entry, term, url, ...rest } = before
  const isMoved = [given.entry, given.term, given.url].some((target) => target !== undefined)
  const target = isMoved ? {} : { entry, term, url }
  const stored = await storedItem({ ...rest, ...target, ...given, id }, targetsOf(context), context.now, 'change')
  const changed = below === undefined ? stored : { ...stored, items: below }
  return replaceItem(items, changed)
}

export const targetsOf = (context: WriteContext): MenuTargets => ({
  async getEntryId(ref, field) {
    const row = await findEntry(context.db, named(context, ref))
    if (row) return row.id
    throw invalid(field, `There is no entry ${JSON.stringify(ref.slice(0, 200).toWellFormed())}.`, 'id or path of an entry')
  },
  async getTermId(ref, field) {
    const row = await findTerm(context.db, ref)
    if (row) return row.id
    throw await unknownTerm(context.db, ref, field)
  },
})

/** The common part of the declarations of writes to a menu. */
export const menuWrite = { object: { kind: 'menu', page: 'menu' }, tier: 'content', touches: 'site' } as const

/** Returns a warning if the active theme has no such location, so that visitors would not see the menu. */
export async function locationWarnings({ site }: Context, location: string | null | undefined) {
  if (location === undefined || location === null) return []
  const { manifest } = await site.themes.active()
  const locations = Object.keys(manifest.menus)
  if (locations.includes(location.split('.')[0] ?? location)) return []
  const known = locations.length === 0 ? 'It has no locations.' : `Its locations are ${locations.join(', ')}.`
  return [{ code: 'no_such_location', message: `The active theme shows no menu at ${location}. ${known}` }]
}
