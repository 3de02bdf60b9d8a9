// Menus of WXR: an item per point of a menu, in any order, or the blocks of a navigation.

import { plainTitle } from '../plain-title.ts'
import type { ImportMenu, ImportMenuItem } from '../../stream.ts'
import { childrenOf, childText, type XmlElement } from '../xml-elements.ts'
import { metaOf } from './meta.ts'

interface Point {
  readonly id: string
  readonly parent: string
  readonly order: number
  readonly item: Omit<ImportMenuItem, 'children'>
}

export interface MenuCollection {
  /** @returns false for a point that belongs to no menu */
  add(item: XmlElement): boolean
  addNavigation(item: XmlElement): void
  menus(): readonly ImportMenu[]
}

const maxPoints = 5000

/** Collects the points of menus. Only the end of the file completes them. */
export function createMenus(): MenuCollection {
  const points = new Map<string, { name: string; readonly points: Point[] }>()
  const navigations: ImportMenu[] = []
  let count = 0
  return {
    add(item) {
      const menu = childrenOf(item, 'category').find(({ attributes }) => attributes['domain'] === 'nav_menu')
      const slug = menu?.attributes['nicename']
      const point = readPoint(item)
      if (!menu || slug === undefined || !point || childText(item, 'wp:status') === 'draft' || ++count > maxPoints) return false
      const known = points.get(slug) ?? { name: plainTitle(menu.text) || slug, points: [] }
      known.points.push(point)
      points.set(slug, known)
      return true
    },
    addNavigation(item) {
      const items = navigationItems(childText(item, 'content:encoded'))
      const name = plainTitle(childText(item, 'title')) || 'Navigation'
      if (items.length > 0) navigations.push({ kind: 'menu', id: `navigation-${childText(item, 'wp:post_id')}`, name, items })
    },
    menus: () =>
      placed([
        ...[...points].map(
          ([id, { name, points: all }]) => ({ kind: 'menu', id, name, items: treeOf(all) }) satisfies ImportMenu,
        ),
        ...navigations,
      ]),
  }
}

const placeNames = { main: /main|primary|header|haupt|top/i, footer: /foot|fu(?:ss|ß)/i } as const

/** Gives menus their places. The file does not have them, so their names decide, and a single menu is the main one. */
function placed(menus: readonly ImportMenu[]): readonly ImportMenu[] {
  const named = (place: keyof typeof placeNames) =>
    menus.find(({ id, name }) => placeNames[place].test(id) || placeNames[place].test(name))
  const footer = named('footer')
  const main = named('main') ?? (menus.length === 1 && !footer ? menus[0] : undefined)
  return menus.map((menu) => {
    const location = menu === main ? 'main' : menu === footer ? 'footer' : undefined
    return location === undefined ? menu : { ...menu, location }
  })
}

function readPoint(item: XmlElement): Point | undefined {
  const { first } = metaOf(item)
  const meta = (name: string) => first.get(`_menu_item_${name}`) ?? ''
  const target = targetOf(meta('type'), { id: meta('object_id'), object: meta('object'), url: meta('url') })
  if (!target) return undefined
  return {
    id: childText(item, 'wp:post_id'),
    parent: meta('menu_item_parent'),
    order: Number(childText(item, 'wp:menu_order')) || 0,
    item: { title: plainTitle(childText(item, 'title')), target, newTab: meta('target') === '_blank' },
  }
}

function targetOf(
  type: string,
  { id, object, url }: { id: string; object: string; url: string },
): ImportMenuItem['target'] | undefined {
  if (type === 'post_type') return { entry: id }
  if (type === 'taxonomy') return { term: { taxonomy: object === 'post_tag' ? 'tag' : object, id, slug: '' } }
  return url === '' ? undefined : { address: url }
}

/** Orders points below one another. A point whose parent is missing, or is below itself, stands at the top. */
function treeOf(points: readonly Point[]): readonly ImportMenuItem[] {
  const sorted = points.toSorted((one, other) => one.order - other.order)
  const ids = new Set(sorted.map(({ id }) => id))
  const placed = new Set<string>()
  const below = (point: Point): ImportMenuItem[] => {
    if (placed.has(point.id)) return []
    placed.add(point.id)
    return [{ ...point.item, children: sorted.filter(({ parent }) => parent === point.id).flatMap(below) }]
  }
  const tops = sorted.filter(({ parent }) => !ids.has(parent))
  return [...tops, ...sorted].flatMap(below)
}

interface NavigationLink {
  readonly label?: unknown
  readonly url?: unknown
  readonly id?: unknown
  readonly kind?: unknown
  readonly opensInNewTab?: unknown
}

/** Reads the links and submenus of a navigation block. */
function navigationItems(content: string): readonly ImportMenuItem[] {
  const root: ImportMenuItem[] = []
  const open: ImportMenuItem[][] = [root]
  for (const comment of content.split('<!--').slice(1)) {
    // JSON in a block has `>` as `\u003e`.
    const [mark = ''] = comment.split('-->', 1)
    const [, closing, block, rest = ''] = /^ (\/?)wp:navigation-(link|submenu) ([^>]*)$/.exec(mark) ?? []
    if (block === undefined) continue
    if (closing === '/') {
      if (block === 'submenu' && open.length > 1) open.pop()
      continue
    }
    const isEmpty = rest.endsWith('/')
    const children: ImportMenuItem[] = []
    const item = linkItem(isEmpty ? rest.slice(0, -1) : rest, children)
    if (item) open.at(-1)?.push(item)
    if (block === 'submenu' && !isEmpty) open.push(children)
  }
  return root
}

function linkItem(json: string, children: readonly ImportMenuItem[]): ImportMenuItem | undefined {
  try {
    const { label, url, id, kind, opensInNewTab } = JSON.parse(json) as NavigationLink
    if (typeof label !== 'string' || typeof url !== 'string') return undefined
    const isEntry = kind === 'post-type' && typeof id === 'number'
    return {
      title: plainTitle(label),
      target: isEntry ? { entry: String(id) } : { address: url },
      newTab: opensInNewTab === true,
      children,
    }
  } catch {
    return undefined
  }
}
