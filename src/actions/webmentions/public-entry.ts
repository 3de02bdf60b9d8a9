// The entry that a webmention is about.

import { isPublic } from '../../content/entries/entry.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import type { Services } from '../call/services.ts'

/** The entry with an id, if visitors may read it now. */
export async function findPublicEntryOf(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  id: string,
): Promise<EntryRow | undefined> {
  const entry = await store.read.selectFrom('entry').selectAll().where('id', '=', id).executeTakeFirst()
  return entry && isPublic(entry, clock.now()) ? entry : undefined
}
