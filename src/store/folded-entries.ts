// The folded text of entries, which `has` and `search` read. It is written in the transaction that writes the entry. At the start it is
// written for entries that an older release changed, which knew nothing of it. `actions/contains.ts` writes the conditions on it.

import type { Transaction } from 'kysely'
import type { Db, Store } from './database.ts'
import { foldText } from './fold-text.ts'
import type { EntryFoldedBodyRow, EntryFoldedRow, EntryRow, Schema } from './schema.ts'

type Foldable = Pick<EntryRow, 'id' | 'revision' | 'title' | 'slug' | 'path' | 'excerpt' | 'body'>

/** Stores an entry's folded text. @param withBody whether the body has changed since it was stored */
export async function keepFolded(db: Transaction<Schema>, row: Foldable, withBody: boolean): Promise<void> {
  const { entry_id: _id, ...names } = namesOf(row)
  await db
    .insertInto('entry_folded')
    .values({ entry_id: row.id, ...names })
    .onConflict((on) => on.column('entry_id').doUpdateSet(names))
    .execute()
  if (!withBody) return
  const { body } = bodyOf(row)
  await db
    .insertInto('entry_folded_body')
    .values({ entry_id: row.id, body })
    .onConflict((on) => on.column('entry_id').doUpdateSet({ body }))
    .execute()
}

const namesOf = ({ id, revision, title, slug, path, excerpt, body }: Foldable): EntryFoldedRow => ({
  entry_id: id,
  revision,
  title: foldText(title),
  slug: foldText(slug),
  path: path === null ? null : foldText(path),
  excerpt: excerpt === null ? null : foldText(excerpt),
  body_length: body.length,
})

const bodyOf = ({ id, body }: Foldable): EntryFoldedBodyRow => ({ entry_id: id, body: foldText(body) })

/** Number of characters that a search of all names, and of all bodies, reads. */
export async function foldedSizes(db: Db): Promise<{ readonly names: number; readonly bodies: number }> {
  const { entries, bodies } = await db
    .selectFrom('entry_folded')
    .select((eb) => [eb.fn.countAll<number>().as('entries'), eb.fn.sum<number | null>('body_length').as('bodies')])
    .executeTakeFirstOrThrow()
  return { names: entries * charactersOfNames, bodies: bodies ?? 0 }
}

/** The approximate length of a row of `entry_folded`. */
const charactersOfNames = 200

const atOnce = 200

/**
 * Stores the folded text of entries that have none, or one of another revision. Each batch is one transaction, so that the next start
 * continues after a kill. Returns the number of entries.
 */
export async function foldStale(store: Store): Promise<number> {
  let made = 0
  let after = ''
  for (;;) {
    const stale = await listStale(store.read, after)
    const last = stale.at(-1)
    if (last === undefined) return made
    await store.transaction(async (db) => {
      for (const row of await db.selectFrom('entry').selectAll().where('id', 'in', stale).execute())
        await keepFolded(db, row, true)
    })
    made += stale.length
    after = last
  }
}

async function listStale(db: Db, after: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('entry')
    .leftJoin('entry_folded', 'entry_folded.entry_id', 'entry.id')
    .select('entry.id')
    .where('entry.id', '>', after)
    .where((eb) => eb.or([eb('entry_folded.revision', 'is', null), eb('entry_folded.revision', '<>', eb.ref('entry.revision'))]))
    .orderBy('entry.id')
    .limit(atOnce)
    .execute()
  return rows.map(({ id }) => id)
}
