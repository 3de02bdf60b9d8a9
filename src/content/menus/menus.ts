// Menus: checks and stores their items, and makes the menu that visitors see. An item shows the path and title of its entry or
// term, unless the item has its own label. While the entry is not public, the item and those below it are hidden.

import { cutText } from '../../base/cut-text.ts'
import { type DefaultMenuWords, defaultMenu } from './default-menu.ts'
import type { LanguageBranch } from '../languages/languages.ts'
import { invalid } from '../../base/failure.ts'
import type { Db } from '../../store/core/database.ts'
import { newId } from '../../store/core/ids.ts'
import { eachItem, itemsOf, type StoredMenuItem } from '../../store/change/menu-references.ts'
import type { MenuRow } from '../../store/core/schema.ts'
import { isPublished, publishedOnly } from '../entries/entry.ts'
import { type TranslatedItem, translateTargets } from './menu-translations.ts'
import { checkUrl, linkSchemes } from '../markdown/safe-url.ts'
import type { TermOf } from '../terms/term-index.ts'

/** The most items of a menu, and the most levels. */
export const maxItems = 500
export const maxLevels = 4

/** An item as a caller sends it. It has exactly one of `entry`, `term` and `url`. */
export interface MenuItemInput {
  readonly id?: string | undefined
  readonly label?: string | null | undefined
  readonly entry?: string | undefined
  readonly term?: string | undefined
  readonly url?: string | undefined
  readonly new_tab?: boolean | undefined
  readonly items?: readonly MenuItemInput[] | undefined
}

/** Finders of the targets of items. Both throw Failure `invalid` for a missing target. */
export interface MenuTargets {
  getEntryId(ref: string, field: string): Promise<string>
  getTermId(ref: string, field: string): Promise<string>
}

/** Items as the column stores them, each with an id. @throws Failure `invalid`, naming the item */
export async function storedItems(
  items: readonly MenuItemInput[],
  targets: MenuTargets,
  now: number,
  at = 'items',
): Promise<readonly StoredMenuItem[]> {
  const stored: StoredMenuItem[] = []
  for (const [place, item] of items.entries()) stored.push(await storedItem(item, targets, now, `${at}.${place}`))
  return stored
}

export async function storedItem(
  { id, label: given, entry, term, url, new_tab: newTab, items = [] }: MenuItemInput,
  targets: MenuTargets,
  now: number,
  at: string,
): Promise<StoredMenuItem> {
  if ([entry, term, url].filter((target) => target !== undefined).length !== 1)
    throw invalid(
      at,
      `"${at}" must have exactly one of entry, term and url.`,
      '`entry` (id or path), `term` (`taxonomy/slug`) or `url`',
    )
  const label = given?.replace(/\s+/g, ' ').trim().toWellFormed() || null
  if (label === null && url !== undefined) throw invalid(`${at}.label`, `"${at}" needs a label.`, 'the text of the link')
  return {
    id: id ?? newId(now),
    label,
    ...(entry !== undefined && { entry: await targets.getEntryId(entry, `${at}.entry`) }),
    ...(term !== undefined && { term: await targets.getTermId(term, `${at}.term`) }),
    ...(url !== undefined && { url: safeUrl(url, `${at}.url`) }),
    ...(newTab && { new_tab: true }),
    ...(items.length > 0 && { items: await storedItems(items, targets, now, `${at}.items`) }),
  }
}

/** @throws Failure `invalid` for an address that a menu can't lead to (attack 94) */
function safeUrl(url: string, field: string): string {
  const { safe, fault } = checkUrl(url, linkSchemes)
  if (safe && /^(?:[/#]|[a-z]+:)/i.test(url) && !/\s/.test(url) && url.isWellFormed()) return url
  throw invalid(
    field,
    `"${field}" is not an address that a menu can lead to${fault === '' ? '' : ` (${fault})`}: it is ${JSON.stringify(cutText(url, 80))}. Give a path such as "/contact", "#part", or an address with https:, mailto: or tel:.`,
    'a path such as `/contact`, `#part`, https://…, mailto:… or tel:…',
  )
}

/** @throws Failure `invalid` for two items with one id, too many items, or too many levels */
export function checkTree(items: readonly StoredMenuItem[]): void {
  const ids = new Set<string>()
  for (const { id } of eachItem(items)) {
    if (ids.has(id)) throw invalid('items', `Two items have the id ${id}.`, 'each id once, or none for new items')
    ids.add(id)
  }
  if (ids.size > maxItems)
    throw invalid('items', `A menu has at most ${maxItems} items; these are ${ids.size}.`, `at most ${maxItems} items`)
  const levelsOf = (level: readonly StoredMenuItem[]): number =>
    level.length === 0 ? 0 : 1 + Math.max(...level.map((item) => levelsOf(item.items ?? [])))
  if (levelsOf(items) > maxLevels) throw invalid('items', `Items can be ${maxLevels} levels deep at most.`, 'fewer levels')
}

/** An item as visitors see it. It has a path of the site, another address, or neither, if it only heads the items below it. */
export interface MenuNode {
  readonly label: string
  readonly path: string | null
  readonly url: string | null
  readonly newTab: boolean
  readonly items: readonly MenuNode[]
}

/** An item that visitors don't see. */
export interface HiddenItem {
  readonly id: string
  readonly why: 'trash' | 'draft' | 'scheduled' | 'private' | 'expired' | 'deleted'
}

export interface ShownMenu {
  readonly nodes: readonly MenuNode[]
  readonly hidden: readonly HiddenItem[]
  /** The items of the tree that visitors see. */
  readonly visible: readonly StoredMenuItem[]
}

/**
 * Returns the part of a menu that visitors see. One query reads the entries of all items.
 * @param translationOf returns the replacement of an item's target. Its title replaces the label, which is in another language.
 */
export async function showMenu(
  db: Db,
  menu: Pick<MenuRow, 'id' | 'items'>,
  now: number,
  termOf: TermOf,
  translationOf: (item: StoredMenuItem) => TranslatedItem | undefined = () => undefined,
): Promise<ShownMenu> {
  // The query uses ids rather than `menu_reference`, so that a cached page depends on these entries alone.
  const ids = [...eachItem(itemsOf(menu))].flatMap(({ entry }) => (entry === undefined ? [] : [entry]))
  const named = db.selectFrom('entry').select(['id', 'title', 'path', 'status', 'unpublish_at'])
  const rows = ids.length === 0 ? [] : await named.where('id', 'in', ids).execute()
  const entries = new Map(rows.map((row) => [row.id, row]))
  const hidden: HiddenItem[] = []
  const show = (item: StoredMenuItem): readonly (readonly [MenuNode, StoredMenuItem])[] => {
    const found = targetOf(item)
    if (typeof found === 'string') {
      hidden.push({ id: item.id, why: found })
      return []
    }
    const below = (item.items ?? []).flatMap(show)
    const node = { ...found, newTab: item.new_tab === true, items: below.map(([one]) => one) }
    const { items: _items, ...kept } = item
    return [[node, below.length > 0 ? { ...kept, items: below.map(([, one]) => one) } : kept]]
  }
  const targetOf = (item: StoredMenuItem): Pick<MenuNode, 'label' | 'path' | 'url'> | HiddenItem['why'] => {
    const { label, entry, term, url } = item
    const translation = translationOf(item)
    if (translation) return { label: translation.title || label || translation.path, path: translation.path, url: null }
    if (url !== undefined) return { label: label ?? url, path: null, url }
    if (term !== undefined) {
      const known = termOf(term)
      return known ? { label: label ?? known.name, path: `/${known.ref}`, url: null } : 'deleted'
    }
    const row = entries.get(entry ?? '')
    if (!row) return 'deleted'
    if (isPublished(row, now)) return { label: label ?? row.title, path: row.path, url: null }
    return row.status === 'published' ? 'expired' : (row.status as HiddenItem['why'])
  }
  const shown = itemsOf(menu).flatMap(show)
  return { nodes: shown.map(([node]) => node), visible: shown.map(([, item]) => item), hidden }
}

/**
 * Returns the menu that visitors see at a location, and for `main` and `tree` without a menu the pages. Pages of a further
 * language show the language's separate menu, or else the menu of the location with translated targets.
 */
export async function menuAt(
  db: Db,
  location: string,
  now: number,
  termOf: TermOf,
  words: DefaultMenuWords,
  part: LanguageBranch,
): Promise<readonly MenuNode[]> {
  const { branch } = part
  // A separate menu for a further language has a location such as `main.de`.
  const locations = branch === null ? [location] : [location, `${location}.${branch.toLowerCase()}`]
  const menus = await db.selectFrom('menu').select(['id', 'location', 'items']).where('location', 'in', locations).execute()
  const own = menus.find((menu) => menu.location !== location)
  if (own) return (await showMenu(db, own, now, termOf)).nodes
  const [menu] = menus
  if (menu) return (await showMenu(db, menu, now, termOf, await translateTargets(db, itemsOf(menu), part, now))).nodes
  return location === mainLocation || location === treeLocation ? defaultMenu(db, now, words, part) : []
}

export const mainLocation = 'main'
/** The location of a tree of pages that stands beside the main menu. */
const treeLocation = 'tree'

export async function findMenu(db: Db, ref: string): Promise<MenuRow | undefined> {
  const menus = db.selectFrom('menu').selectAll()
  const rows = await menus
    .where('id', '=', ref)
    .unionAll(menus.where('slug', '=', ref))
    .execute()
  return rows.find(({ id }) => id === ref) ?? rows[0]
}

/** The number of items of each menu that visitors don't see. A menu without such items is absent. */
export async function countHidden(db: Db, now: number): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('menu_reference')
    .leftJoin('entry', 'entry.id', 'menu_reference.target_id')
    .leftJoin('term', 'term.id', 'menu_reference.target_id')
    .select(({ fn }) => ['menu_id', fn.countAll<number | string>().as('items')])
    .where((eb) =>
      eb.or([
        eb.and([eb('kind', '=', 'entry'), eb.or([eb('entry.id', 'is', null), eb.not(publishedOnly(eb as never, now) as never)])]),
        eb.and([eb('kind', '=', 'term'), eb('term.id', 'is', null)]),
      ]),
    )
    .groupBy('menu_id')
    .execute()
  return new Map(rows.map(({ menu_id: id, items }) => [id, Number(items)]))
}
