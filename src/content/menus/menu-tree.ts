// Changes of a menu's tree by one item. Pure functions that return a changed copy.

import { notFound, invalid } from '../../base/failure.ts'
import { eachItem, type StoredMenuItem } from '../../store/change/menu-references.ts'

type Items = readonly StoredMenuItem[]

/** The place of an item: below another, or before or after one; by default at the end of the top level. */
export interface MenuPlace {
  readonly under?: string | undefined
  readonly before?: string | undefined
  readonly after?: string | undefined
}

/** @throws Failure `invalid` for more than one place, `not_found` for an item that doesn't exist */
export function withItem(items: Items, item: StoredMenuItem, { under, before, after }: MenuPlace): Items {
  const [at, ...others] = [under, before, after].filter((one) => one !== undefined)
  if (others.length > 0)
    throw invalid(before === undefined ? 'after' : 'before', 'Give only one of `under`, `before` and `after`.', 'one place')
  if (at === undefined) return [...items, item]
  checkItem(items, at)
  const put = (level: Items): Items =>
    level.flatMap((one) => {
      const same = one.items ? { ...one, items: put(one.items) } : one
      if (one.id !== at) return [same]
      if (under !== undefined) return [{ ...one, items: [...(one.items ?? []), item] }]
      return before === undefined ? [one, item] : [item, one]
    })
  return put(items)
}

/** The tree without an item and those below it. @throws Failure `not_found` */
export function withoutItem(items: Items, id: string): Items {
  checkItem(items, id)
  const without = (level: Items): Items =>
    level.flatMap((one) => {
      if (one.id === id) return []
      const { items: below = [], ...rest } = one
      const left = without(below)
      return [left.length > 0 ? { ...rest, items: left } : rest]
    })
  return without(items)
}

/** The tree with another item in the place of the one with its id. */
export function replaceItem(items: Items, item: StoredMenuItem): Items {
  return items.map((one) => {
    if (one.id === item.id) return item
    return one.items ? { ...one, items: replaceItem(one.items, item) } : one
  })
}

function checkItem(items: Items, id: string): void {
  for (const item of eachItem(items)) if (item.id === id) return
  throw notFound('item', id, 'SVC_Menus.get shows the items of the menu.')
}
