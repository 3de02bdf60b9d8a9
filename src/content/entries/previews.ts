// The entry behind a preview link: at the revision of the link, or at its newest revision. The links themselves are in `identity/`.

import type { Db } from '../../store/core/database.ts'
import type { EntryRow, PreviewRow } from '../../store/core/schema.ts'
import { mergeEntry } from './pending.ts'

export const previewPath = '/user-content/preview/'

export interface Previewed {
  readonly row: EntryRow
  /** True if the entry has a newer revision than the link shows. */
  readonly isOlder: boolean
}

/** Finds the entry of a link; undefined if the entry is destroyed or in the trash. */
export async function findPreviewed(
  db: Db,
  { entry_id: id, entry: kept, revision, follow }: PreviewRow,
): Promise<Previewed | undefined> {
  const stored = kept === '' ? undefined : (JSON.parse(kept) as EntryRow)
  if (id === null) return stored && { row: stored, isOlder: false }
  const present = await db.selectFrom('entry').selectAll().where('id', '=', id).executeTakeFirst()
  if (present === undefined || present.status === 'trash') return undefined
  if (follow === 1 || stored === undefined) return { row: (await mergeEntry(db, present)).row, isOlder: false }
  return { row: stored, isOlder: present.revision !== revision }
}
