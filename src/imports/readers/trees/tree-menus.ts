// The menus of a tree: the settings of Hugo and the front matter of its pages, and the navigation of Eleventy.

import { isObject } from '../../../base/json.ts'
import type { ImportMenu, ImportMenuItem } from '../../stream.ts'
import type { PageFields } from './page-fields.ts'
import { settingIn, type Tree } from './tree.ts'

interface Point {
  /** By which other points name it as theirs. */
  readonly id: string
  readonly parent: string
  readonly weight: number
  readonly title: string
  readonly target: ImportMenuItem['target']
}

export interface TreeMenus {
  /** Notes the points of a page. */
  add(page: TreeMenuPage): void
  menus(): readonly ImportMenu[]
}

export interface TreeMenuPage {
  /** The id of its entry. */
  readonly id: string
  readonly title: string
  readonly fields: PageFields
  /** The language, if it is not the main one of the site. */
  readonly language: string | undefined
}

const maxPoints = 5000

export function createTreeMenus({ config }: Tree): TreeMenus {
  const points = new Map<string, Point[]>()
  let count = 0
  const add = (menu: string, point: Point) => {
    if (++count <= maxPoints) points.set(menu, [...(points.get(menu) ?? []), point])
  }
  const main = settingIn(config, 'defaultContentLanguage') ?? 'en'
  for (const [menu, point] of settingPoints(config)) add(menu, point)
  const languages = valueIn(config, 'languages')
  for (const [code, settings] of isObject(languages) ? Object.entries(languages) : [])
    for (const [menu, point] of isObject(settings) ? settingPoints(settings) : [])
      add(code === main ? menu : `${menu}-${code}`, point)
  return {
    add({ id, title, fields, language }) {
      const own = fields.get('menus') ?? fields.get('menu')
      const navigation = fields.get('eleventynavigation')
      const ending = language === undefined ? '' : `-${language}`
      for (const [menu, values] of namedIn(own)) add(menu + ending, pagePoint(values, { id, title }))
      if (isObject(navigation)) add('main', pagePoint({ ...navigation, identifier: navigation['key'] }, { id, title }))
    },
    menus: () =>
      [...points].map(([name, all]) => ({
        kind: 'menu',
        id: name,
        name,
        ...(places[name] !== undefined && { location: places[name] }),
        items: treeOf(all),
      })),
  }
}

const places: Readonly<Record<string, string>> = { main: 'main', footer: 'footer' }

const valueIn = (settings: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.entries(settings).find(([key]) => key.toLowerCase() === name)?.[1]

function* settingPoints(settings: Readonly<Record<string, unknown>>): Generator<readonly [string, Point]> {
  for (const key of ['menus', 'menu']) {
    const menus = valueIn(settings, key)
    for (const [menu, list] of isObject(menus) ? Object.entries(menus) : [])
      for (const values of Array.isArray(list) ? list.filter(isObject) : []) {
        const title = textIn(values, 'name') || textIn(values, 'title')
        const address = textIn(values, 'url') || textIn(values, 'pageref')
        if (address === '') continue
        // Addresses of settings are relative to the site.
        const target = { address: /^(?:[a-z][\w+.-]*:|\/|#)/i.test(address) ? address : `/${address}` }
        yield [menu, { ...placeIn(values, title), title, target }]
      }
  }
}

/** The menus of a page: a name, several names, or values by names. */
function namedIn(own: unknown): readonly (readonly [string, Readonly<Record<string, unknown>>])[] {
  const names =
    typeof own === 'string' ? [own] : Array.isArray(own) ? own.filter((one): one is string => typeof one === 'string') : []
  const mapped = isObject(own) ? Object.entries(own).map(([name, values]) => [name, isObject(values) ? values : {}] as const) : []
  return [...names.map((name) => [name, {}] as const), ...mapped]
}

const pagePoint = (values: Readonly<Record<string, unknown>>, page: { readonly id: string; readonly title: string }): Point => {
  const title = textIn(values, 'name') || textIn(values, 'title') || textIn(values, 'key') || page.title
  return { ...placeIn(values, title), title, target: { entry: page.id } }
}

const placeIn = (values: Readonly<Record<string, unknown>>, title: string): Pick<Point, 'id' | 'parent' | 'weight'> => ({
  id: textIn(values, 'identifier') || title,
  parent: textIn(values, 'parent'),
  weight: Number(textIn(values, 'weight') || textIn(values, 'order')) || Infinity,
})

const textIn = (values: Readonly<Record<string, unknown>>, name: string): string => {
  const value = valueIn(values, name)
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}

/** Orders points below one another. A point whose parent is missing, or is below itself, stands at the top. */
function treeOf(points: readonly Point[]): readonly ImportMenuItem[] {
  const sorted = points.toSorted((one, other) => (one.weight === other.weight ? 0 : one.weight - other.weight))
  const ids = new Set(sorted.map(({ id }) => id))
  const placed = new Set<Point>()
  const below = (point: Point): ImportMenuItem[] => {
    if (placed.has(point)) return []
    placed.add(point)
    const { title, target, id } = point
    return [{ title, target, children: sorted.filter(({ parent }) => parent === id).flatMap(below) }]
  }
  const tops = sorted.filter(({ parent }) => parent === '' || !ids.has(parent))
  return [...tops, ...sorted].flatMap(below)
}
