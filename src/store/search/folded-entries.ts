// The folded text of entries, which `has` searches. It is written in the same transaction as the entry. `search-index.ts` writes it
// for entries that an older release changed, because that release stores no folded text. `actions/lists/contains.ts` builds the
// conditions on it.

import type { Transaction } from 'kysely'
import type { Db } from '../core/database.ts'
import { insertOf } from '../core/compile-once.ts'
import { keepEntryTerms } from '../change/entry-terms.ts'
import { foldText } from './fold-text.ts'
import { keepUses } from '../change/media-uses.ts'
import { queueWrite } from '../core/queued-writes.ts'
import type { EntryFoldedRow, EntryRow, Schema } from '../core/schema.ts'

const foldable = ['id', 'revision', 'title', 'slug', 'path', 'excerpt', 'body'] as const

type Foldable = Pick<EntryRow, (typeof foldable)[number]>

/** Queues the folded text of an entry. @param withBody true if the body has changed since its folded text was stored */
export function keepFolded(db: Transaction<Schema>, row: Foldable, withBody: boolean): void {
  queueWrite(db, { query: insertOf(db, 'entry_folded', namesOf(row), 'entry_id') })
  const folded = withBody && { entry_id: row.id, body: foldText(row.body) }
  if (folded) queueWrite(db, { query: insertOf(db, 'entry_folded_body', folded, 'entry_id') })
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

/** Returns the numbers of characters that a search reads in all names and in all bodies. */
export async function foldedSizes(db: Db): Promise<{ readonly names: number; readonly bodies: number }> {
  const { entries, bodies } = await db
    .selectFrom('entry_folded')
    .select((eb) => [eb.fn.countAll<number>().as('entries'), eb.fn.sum<number | null>('body_length').as('bodies')])
    .executeTakeFirstOrThrow()
  return { names: entries * charactersOfNames, bodies: bodies ?? 0 }
}

/** The approximate length of a row of `entry_folded`. */
const charactersOfNames = 200

/** Stores the folded text and the terms of entries that an older release wrote, because that release stores neither. */
export async function foldLate(db: Transaction<Schema>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await db
    .selectFrom('entry')
    .select([...foldable, 'terms', 'status', 'published_at'])
    .where('id', 'in', ids)
    .execute()
  for (const row of rows) {
    keepFolded(db, row, true)
    if (row.terms !== '[]') keepEntryTerms(db, row, ['status'])
  }
  // The older release has no covers and does not change `seo`.
  const named = await db.selectFrom('entry').select(['id', 'body', 'cover', 'seo', 'fields']).where('id', 'in', ids).execute()
  await db.deleteFrom('media_use').where('entry_id', 'in', ids).execute()
  for (const row of named) keepUses(db, null, row)
}
