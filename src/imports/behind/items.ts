// The objects that belong to an old site, by their old ids. Whoever imports a newer export of the site finds them here.

import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import { PackedMap } from '../../base/packed-map.ts'
import { insertOf } from '../../store/core/compile-once.ts'
import type { Db } from '../../store/core/database.ts'
import { queueWrite } from '../../store/core/queued-writes.ts'
import type { ImportItemRow, Schema } from '../../store/core/schema.ts'

/** `wanted` is a file of the old site that no part describes, and `waiting` an entry that needs files which are not here. */
export type ItemKind = 'author' | 'term' | 'media' | 'entry' | 'menu' | 'setting' | 'wanted' | 'waiting'

/** An object here, and what the import knows of it. */
export type ImportItem = Pick<ImportItemRow, 'object_id' | 'digest' | 'earlier' | 'run_id'>

/** The items of one old site, in memory, as of the last write. */
export interface Items {
  readonly source: string
  readonly run: string
  find(kind: ItemKind, oldId: string): ImportItem | undefined
  /** The number of items of a kind. */
  count(kind: ItemKind): number
  /** The old ids of a kind. */
  idsOf(kind: ItemKind): Iterable<string>
  /**
   * Writes an item in the transaction of its object.
   * @param digest of what the import wrote; null for an object that was here before
   */
  write(db: Transaction<Schema>, kind: ItemKind, oldId: string, item: WrittenItem): void
}

export interface WrittenItem {
  readonly objectId: string
  readonly digest: string | null
  /** Its addresses on the old site; undefined to leave them as they are. */
  readonly addresses?: readonly string[] | undefined
}

/** An item as it is kept in memory: its members in order, without their names. The run is null if it is the one that writes. */
type PackedItem = readonly [objectId: string, digest: string | null, earlier: string | null, otherRun: string | null]

/** Reads the items of an old site. @param run the run that will write */
export async function readItems(db: Db, source: string, run: string): Promise<Items> {
  const byKind = new Map<string, PackedMap<PackedItem>>()
  const of = (kind: string): PackedMap<PackedItem> => {
    const known = byKind.get(kind) ?? new PackedMap<PackedItem>()
    byKind.set(kind, known)
    return known
  }
  const find = (kind: ItemKind, oldId: string): ImportItem | undefined => {
    const found = of(kind).get(oldId)
    return found && { object_id: found[0], digest: found[1], earlier: found[2], run_id: found[3] ?? run }
  }
  for await (const { kind, old_id: oldId, ...item } of storedItems(db, source))
    of(kind).set(oldId, [item.object_id, item.digest, item.earlier, item.run_id === run ? null : item.run_id])
  return {
    source,
    run,
    find,
    count: (kind) => of(kind).size,
    idsOf: (kind) => of(kind).keys(),
    write(transaction, kind, oldId, { objectId, digest, addresses }) {
      const before = find(kind, oldId)
      // The run that wrote the object last stays the run of the item.
      if (before && before.object_id === objectId && before.digest === digest) return
      const earlier = before?.object_id === objectId && before.digest !== digest ? before.digest : (before?.earlier ?? null)
      const item = { object_id: objectId, digest, earlier, run_id: run }
      of(kind).set(oldId, [objectId, digest, earlier, null])
      const id = idOf(source, kind, oldId)
      if (before && addresses === undefined) {
        const update = transaction.updateTable('import_item').set(item).where('id', '=', id)
        queueWrite(transaction, { query: update.compile() })
        return
      }
      const row = { id, source, kind, old_id: oldId, addresses: JSON.stringify(addresses ?? []), ...item }
      queueWrite(transaction, { query: insertOf(transaction, 'import_item', row, 'id') })
    },
  }
}

const atOnce = 500

/** Yields the items of an old site, some at a time, so that no query holds up others. */
async function* storedItems(db: Db, source: string) {
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('import_item')
      .select(['id', 'kind', 'old_id', 'object_id', 'digest', 'earlier', 'run_id'])
      .where('source', '=', source)
      .where('id', '>', after)
      .orderBy('id')
      .limit(atOnce)
      .execute()
    yield* rows
    const last = rows.at(-1)
    if (rows.length < atOnce || !last) return
    after = last.id
  }
}

const idOf = (source: string, kind: string, oldId: string): string =>
  createHash('sha256').update(`${source}\0${kind}\0${oldId}`).digest('base64url')
