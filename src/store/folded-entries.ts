// The folded text of entries, which `has` and `search` read. It is written in the transaction that writes the entry. At the start it is
// written for entries that an older release changed, which knew nothing of it. `actions/contains.ts` writes the conditions on it.

import { sql, type Transaction } from 'kysely'
import type { Db, Store } from './database.ts'
import { foldText } from './fold-text.ts'
import type { EntryFoldedBodyRow, EntryFoldedRow, EntryRow, Schema } from './schema.ts'

const foldable = ['id', 'revision', 'title', 'slug', 'path', 'excerpt', 'body'] as const

type Foldable = Pick<EntryRow, (typeof foldable)[number]>

/** Stores an entry's folded text. @param withBody whether the body has changed since it was stored */
export async function keepFolded(db: Transaction<Schema>, row: Foldable, withBody: boolean): Promise<void> {
  await keepNames(db, [row])
  if (withBody) await keepBodies(db, [row])
}

/** One statement, however many rows: an upgraded site folds all its entries before it listens. */
async function keepNames(db: Transaction<Schema>, rows: readonly Foldable[]): Promise<void> {
  await db
    .insertInto('entry_folded')
    .values(rows.map(namesOf))
    .onConflict((on) =>
      on
        .column('entry_id')
        .doUpdateSet(({ ref }) => Object.fromEntries(nameColumns.map((name) => [name, ref(`excluded.${name}`)]))),
    )
    .execute()
}

async function keepBodies(db: Transaction<Schema>, rows: readonly Foldable[]): Promise<void> {
  await db
    .insertInto('entry_folded_body')
    .values(rows.map(bodyOf))
    .onConflict((on) => on.column('entry_id').doUpdateSet(({ ref }) => ({ body: ref('excluded.body') })))
    .execute()
}

const nameColumns = ['revision', 'title', 'slug', 'path', 'excerpt', 'body_length'] as const

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

/** Folded in one transaction: at most so many entries, and no more bytes of bodies unless one entry alone has more. */
const atOnce = { entries: 200, bytes: 8 * 1024 ** 2 }

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
      const rows = await db.selectFrom('entry').select(foldable).where('id', 'in', stale).execute()
      if (rows.length === 0) return
      await keepNames(db, rows)
      await keepBodies(db, rows)
    })
    made += stale.length
    after = last
  }
}

/** The ids of the next batch. */
async function listStale(db: Db, after: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('entry')
    .leftJoin('entry_folded', 'entry_folded.entry_id', 'entry.id')
    .select(['entry.id', sql<number>`octet_length(entry.body)`.as('bytes')])
    .where('entry.id', '>', after)
    .where((eb) => eb.or([eb('entry_folded.revision', 'is', null), eb('entry_folded.revision', '<>', eb.ref('entry.revision'))]))
    .orderBy('entry.id')
    .limit(atOnce.entries)
    .execute()
  let sum = 0
  const tooMany = rows.findIndex(({ bytes }, place) => (sum += bytes) > atOnce.bytes && place > 0)
  return rows.slice(0, tooMany === -1 ? undefined : tooMany).map(({ id }) => id)
}
