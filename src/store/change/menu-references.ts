// The entries and terms that the items of menus lead to, derived from the column `items` of each menu.

import type { Transaction } from 'kysely'
import { insertOf } from '../core/compile-once.ts'
import { queueWrite } from '../core/queued-writes.ts'
import type { MenuRow, Schema } from '../core/schema.ts'

/** An item in the column. It has one of `entry`, `term` and `url`. */
export interface StoredMenuItem {
  readonly id: string
  /** Null if the item shows the title of its entry or the name of its term. */
  readonly label: string | null
  readonly entry?: string
  readonly term?: string
  readonly url?: string
  readonly new_tab?: boolean
  readonly items?: readonly StoredMenuItem[]
}

/** Yields the items of a column in their order, each before its descendants. */
export function* eachItem(items: readonly StoredMenuItem[]): Iterable<StoredMenuItem> {
  for (const item of items) {
    yield item
    yield* eachItem(item.items ?? [])
  }
}

/** Returns the tree of a menu. */
export const itemsOf = ({ items }: Pick<MenuRow, 'items'>): readonly StoredMenuItem[] => JSON.parse(items) as StoredMenuItem[]

/** Queues the references of a menu. @param isNew true if the menu has no rows yet */
export function keepMenuReferences(db: Transaction<Schema>, row: Pick<MenuRow, 'id' | 'items'>, isNew: boolean): void {
  if (!isNew) queueWrite(db, { query: db.deleteFrom('menu_reference').where('menu_id', '=', row.id).compile() })
  for (const { id, entry, term } of eachItem(itemsOf(row))) {
    const [kind, target] = entry === undefined ? ['term', term] : ['entry', entry]
    if (target === undefined) continue
    queueWrite(db, { query: insertOf(db, 'menu_reference', { menu_id: row.id, item_id: id, kind, target_id: target }) })
  }
}
