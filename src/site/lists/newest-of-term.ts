// The newest public entries of a term, from which related entries are chosen. Entries with the same terms share these lists, which
// are cached until the title, date, status, password or terms of any published entry with terms change.

import { publicOnly } from '../../content/entries/entry.ts'
import type { Services } from '../../actions/call/services.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { readingCaches } from '../kept/reading-cache.ts'

export type NewestEntry = Pick<EntryRow, 'id' | 'published_at' | 'locale'>

const maxEntries = 40

const cacheOf = readingCaches<readonly NewestEntry[]>({
  maxBytes: 4 * 1024 ** 2,
  sizeOf: (entries) => 200 + 150 * entries.length,
})

/** @param id of the term */
export const newestOfTerm = (site: Services, id: string): Promise<readonly NewestEntry[]> =>
  cacheOf(site).load(site, id, (view) => readNewest(view, id))

async function readNewest({ store, clock }: Services, term: string): Promise<readonly NewestEntry[]> {
  const newest = await store.read
    .selectFrom('entry_term')
    .select('entry_id')
    .where('term_id', '=', term)
    .where('status', '=', 'published')
    .orderBy('published_at', 'desc')
    .orderBy('entry_id', 'desc')
    .limit(maxEntries)
    .execute()
  if (newest.length === 0) return []
  return store.read
    .selectFrom('entry')
    .select(['id', 'published_at', 'locale'])
    .where(
      'id',
      'in',
      newest.map(({ entry_id: id }) => id),
    )
    .where((eb) => publicOnly(eb, clock.now()))
    .execute()
}
