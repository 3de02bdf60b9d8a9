// Moves of one item within the tree of a menu. The functions are pure and return a changed copy.

import { type MenuPlace, withItem, withoutItem } from '../../content/menus/menu-tree.ts'
import { eachItem, type StoredMenuItem } from '../../store/change/menu-references.ts'

type Items = readonly StoredMenuItem[]

/** The moves of the buttons. `in` puts an item below the one before it, `out` after its parent. */
export const moves = ['up', 'down', 'in', 'out'] as const
export type Move = (typeof moves)[number]

/** The position of an item: its siblings and its parent. */
interface Standing {
  readonly previous: StoredMenuItem | undefined
  readonly next: StoredMenuItem | undefined
  readonly parent: StoredMenuItem | undefined
}

function standingOf(items: Items, id: string, parent?: StoredMenuItem): Standing | undefined {
  const place = items.findIndex((item) => item.id === id)
  if (place >= 0) return { previous: items[place - 1], next: items[place + 1], parent }
  for (const item of items) {
    const found = standingOf(item.items ?? [], id, item)
    if (found) return found
  }
  return undefined
}

const places: Readonly<Record<Move, (standing: Standing) => MenuPlace | undefined>> = {
  up: ({ previous }) => previous && { before: previous.id },
  down: ({ next }) => next && { after: next.id },
  in: ({ previous }) => previous && { under: previous.id },
  out: ({ parent }) => parent && { after: parent.id },
}

/** Returns the moves that are possible for an item. */
export function movesOf(items: Items, id: string): readonly Move[] {
  const standing = standingOf(items, id)
  return standing ? moves.filter((move) => places[move](standing) !== undefined) : []
}

/** Returns the tree after a move, or undefined if the item can't make it. */
export function moved(items: Items, id: string, move: Move): Items | undefined {
  const standing = standingOf(items, id)
  const place = standing && places[move](standing)
  return place && placed(items, id, place)
}

/** Returns the tree with an item at another place. Undefined if there is no such item or place, such as below itself. */
export function placed(items: Items, id: string, place: MenuPlace): Items | undefined {
  const item = [...eachItem(items)].find((one) => one.id === id)
  const target = place.under ?? place.before ?? place.after
  if (!item || target === undefined || [...eachItem([item])].some((one) => one.id === target)) return undefined
  const without = withoutItem(items, id)
  return [...eachItem(without)].some((one) => one.id === target) ? withItem(without, item, place) : undefined
}

/** Returns the tree with a changed item. */
export const changed = (items: Items, id: string, change: (item: StoredMenuItem) => StoredMenuItem): Items =>
  items.map((item) => {
    const same = item.items ? { ...item, items: changed(item.items, id, change) } : item
    return item.id === id ? change(same) : same
  })
