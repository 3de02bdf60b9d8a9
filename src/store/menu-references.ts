// Which entries and terms the items of menus lead to, derived from the column `items` of each menu.

import type { Transaction } from 'kysely'
import { insertOf } from './compile-once.ts'
import { queueWrite } from './queued-writes.ts'
import type { MenuRow, Schema } from './schema.ts'

/** An item as the column stores it. It has one of `entry`, `term` and `url`. */
export interface StoredMenuItem {
  readonly id: string
  /** Null for an item that has the title of its entry or the name of its term. */
  readonly label: string | null
  readonly entry?: string
  readonly term?: string
  readonly url?: string
  readonly new_tab?: boolean
  readonly items?: readonly StoredMenuItem[]
}

/** The items of a column, in their order, each before those below it. */
export function* eachItem(items: readonly StoredMenuItem[]): Iterable<StoredMenuItem> {
  for (const item of items) {
    yield item
    yield* eachItem(item.items ?? [])
  }
}

/** The tree of a menu. */
export const itemsOf = ({ items }: Pick<MenuRow, 'items'>): readonly StoredMenuItem[] => JSON.parse(items) as StoredMenuItem[]

/** Stores what a menu leads to, without waiting for it. @param isNew whether the menu has no rows yet */
export function keepMenuReferences(db: Transaction<Schema>, row: Pick<MenuRow, 'id' | 'items'>, isNew: boolean): void {
  if (!isNew) queueWrite(db, { query: db.deleteFrom('menu_reference').where('menu_id', '=', row.id).compile() })
  for (const { id, entry, term } of eachItem(itemsOf(row))) {
    const [kind, target] = entry === undefined ? ['term', term] : ['entry', entry]
    if (target === undefined) continue
    queueWrite(db, { query: insertOf(db, 'menu_reference', { menu_id: row.id, item_id: id, kind, target_id: target }) })
  }
}
