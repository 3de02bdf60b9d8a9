// The folded text of entries, in which `has` and `search` look. It is written in the same transaction as the entry. A start writes it for
// entries that an older release changed, because that release stores no folded text. `actions/contains.ts` builds the conditions on it.

import { sql, type Transaction } from 'kysely'
import type { Db, Store } from './database.ts'
import { foldText } from './fold-text.ts'
import type { EntryFoldedBodyRow, EntryFoldedRow, EntryRow, Schema } from './schema.ts'

const foldable = ['id', 'revision', 'title', 'slug', 'path', 'excerpt', 'body'] as const

type Foldable = Pick<EntryRow, (typeof foldable)[number]>

/** Stores an entry's folded text. @param withBody whether the body has changed since its folded text was stored */
export async function keepFolded(db: Transaction<Schema>, row: Foldable, withBody: boolean): Promise<void> {
  await keepNames(db, [row])
  if (withBody) await keepBodies(db, [row])
}

/** Stores all rows with one statement, because an upgraded site folds all its entries before it starts to listen. */
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

/** The number of characters that a search reads in all names, and in all bodies. */
export async function foldedSizes(db: Db): Promise<{ readonly names: number; readonly bodies: number }> {
  const { entries, bodies } = await db
    .selectFrom('entry_folded')
    .select((eb) => [eb.fn.countAll<number>().as('entries'), eb.fn.sum<number | null>('body_length').as('bodies')])
    .executeTakeFirstOrThrow()
  return { names: entries * charactersOfNames, bodies: bodies ?? 0 }
}

/** The approximate length of a row of `entry_folded`. */
const charactersOfNames = 200

/** The most entries, and the most bytes of bodies, that one transaction folds. A single entry may be larger. */
const atOnce = { entries: 200, bytes: 8 * 1024 ** 2 }

/**
 * Stores the folded text of entries that have none, or whose folded text is of another revision. Each batch is one transaction, so if the
 * process is killed, the next start continues. Returns the number of entries.
 */
export async function foldStale(store: Store): Promise<number> {
  let folded = 0
  let after = ''
  for (;;) {
    const stale = await listStale(store.read, after)
    const last = stale.at(-1)
    if (last === undefined) return folded
    await store.transaction(async (db) => {
      const rows = await db.selectFrom('entry').select(foldable).where('id', 'in', stale).execute()
      if (rows.length === 0) return
      await keepNames(db, rows)
      await keepBodies(db, rows)
    })
    folded += stale.length
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
