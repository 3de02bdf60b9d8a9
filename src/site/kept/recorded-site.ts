// A view of the site that records the areas that a cached value reads. No read bypasses the recording: a part of the site that this
// file does not name counts as everything.

import { pathNamed } from '../../content/entries/entry.ts'
import { type PageArea, rowsWith } from '../../store/change/page-areas.ts'
import { watchedDb } from '../../cache/query-areas.ts'
import { type AreaNotes, everyArea } from '../../cache/area-versions.ts'
import type { Services } from '../../actions/call/services.ts'

/**
 * Parts that need no recording. They answer nothing, their answers depend on their arguments alone, or their changes concern every
 * page (`cache/area-versions.ts`). `renderer` and `excerpts` depend only on the texts that they get.
 */
const asTheyAre: ReadonlySet<string> = new Set([
  'clock',
  'config',
  'release',
  'log',
  'metrics',
  'key',
  'freshness',
  'visits',
  'statistics',
  'renderer',
  'excerpts',
  'settings',
  'types',
  'themes',
] satisfies (keyof Services)[])

/** Creates a view of a site that records all reads. */
export function viewOf(site: Services, notes: AreaNotes): Services {
  const everything = () => notes.add(everyArea)
  const note = (...read: readonly (readonly PageArea[])[]) => {
    for (const area of read.flat()) notes.add(area)
  }
  const read = watchedDb(site.store.read, (found) => (found ? note(found) : everything()))
  const store = only(site.store, { read, engine: site.store.engine }, everything)
  const entries: Partial<Services['entries']> = {
    byId(id) {
      note(rowsWith('entry', 'id', id))
      return site.entries.byId(id)
    },
    named(ref) {
      note(rowsWith('entry', 'id', ref), rowsWith('entry', 'path', pathNamed(ref)))
      return site.entries.named(ref)
    },
  }
  const terms: Partial<Services['terms']> = {
    of(id) {
      note(rowsWith('term', 'id', id))
      return site.terms.of(id)
    },
  }
  const noted: Partial<Services> = {
    store,
    entries: only(site.entries, entries, everything),
    terms: only(site.terms, terms, everything),
    view: { site, notes },
  }
  return new Proxy(site, {
    get(target, name) {
      const part = name as keyof Services
      if (Object.hasOwn(noted, part)) return noted[part]
      // A plugin's filter may make its result depend on anything.
      const isKnown = part === 'plugins' ? site.plugins.active.filters.length === 0 : asTheyAre.has(part)
      if (!isKnown) everything()
      return target[part]
    },
  })
}

/** Returns a part of the site of which only these members record areas; all others count as everything. */
function only<T extends object>(part: T, members: Partial<T>, everything: () => void): T {
  return new Proxy(part, {
    get(target, name) {
      const member = name as keyof T
      if (Object.hasOwn(members, name)) return members[member]
      everything()
      return target[member]
    },
  })
}
