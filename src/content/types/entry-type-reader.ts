// The cached types of a site. A change in any process reloads them, as with settings. The rows of the built-in types are created
// the first time that a site is opened with this table, so that lists and changes treat all types alike.

import type { Db, Store } from '../../store/core/database.ts'
import type { EntryTypeRow } from '../../store/core/schema.ts'
import { builtInTypes, type EntryTypes, type OwnPart, typesOf } from './entry-types.ts'
import type { FieldDefinition } from './field-definition.ts'
import type { ListRules } from './list-rules.ts'

export interface EntryTypeReader {
  /** The types as they are now. A change of a type makes a new value. */
  readonly current: EntryTypes
  /** Reads the types again. Called when the area `types` changed. */
  reload(): Promise<void>
}

export async function openEntryTypes(store: Pick<Store, 'read' | 'transaction'>, now: number): Promise<EntryTypeReader> {
  let current = builtInTypes
  let begun = 0
  let shown = 0
  const reload = async () => {
    const turn = ++begun
    const read = await typesIn(store.read)
    // A newer read has finished before this one.
    if (turn < shown) return
    shown = turn
    current = read
  }
  await addBuiltIn(store, now)
  await reload()
  return {
    get current() {
      return current
    },
    reload,
  }
}

/** The types as a transaction has them. */
export const typesIn = async (db: Db): Promise<EntryTypes> =>
  typesOf((await db.selectFrom('entry_type').selectAll().execute()).map(ownPart))

export function ownPart({ slug, name, path, fields, dropped, taxonomies, feed, list }: EntryTypeRow): OwnPart {
  return {
    slug,
    name,
    path,
    fields: JSON.parse(fields) as FieldDefinition[],
    dropped: JSON.parse(dropped) as OwnPart['dropped'],
    taxonomies: JSON.parse(taxonomies) as string[],
    feed: feed === 1,
    list: JSON.parse(list) as ListRules,
  }
}

/** The columns of a type. Definitions have the same members in the same order, so that equal types are equal rows. */
export function columnsOfType(own: OwnPart): Pick<EntryTypeRow, keyof OwnPart> {
  const { fields, dropped, taxonomies, feed, list, ...texts } = own
  return {
    ...texts,
    fields: JSON.stringify(fields),
    dropped: JSON.stringify(dropped),
    taxonomies: JSON.stringify(taxonomies),
    feed: feed ? 1 : 0,
    list: JSON.stringify(list),
  }
}

/** Makes the rows of the built-in types, if there are none. Several processes may do so at once. */
async function addBuiltIn(store: Pick<Store, 'read' | 'transaction'>, now: number): Promise<void> {
  const known = await store.read.selectFrom('entry_type').select('slug').where('slug', 'in', builtInTypes.slugs).execute()
  if (known.length === builtInTypes.slugs.length) return
  const rows = builtInTypes.all.map((type) => {
    const { slug, name, path, fields, dropped, taxonomies, feed, list } = type
    const columns = columnsOfType({ slug, name, path, fields, dropped, taxonomies, feed, list })
    return { ...columns, created_at: now, updated_at: now, revision: 1 }
  })
  await store.transaction(async (db) => {
    await db
      .insertInto('entry_type')
      .values(rows)
      .onConflict((on) => on.column('slug').doNothing())
      .execute()
  })
}
