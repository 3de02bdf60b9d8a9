// A view of the site that notes the areas which a kept value reads. Nothing can be read past the notes: a part of the site of which this file does not
// say how it is noted counts as everything.

import { pathNamed } from '../content/entry.ts'
import { type PageArea, rowsWith } from '../store/page-areas.ts'
import { watchedDb } from '../store/query-areas.ts'
import { everyArea } from './area-versions.ts'
import type { Services } from './services.ts'

/** How what is read of a part of the site gets noted. */
type How =
  /** What it answers depends on the arguments alone, or on what a change in an area of its own makes stale in every page. */
  | 'as is'
  /** In this file. */
  | 'noted'
  /** It isn't: any change of the site makes the value stale. */
  | 'everything'

const parts: Readonly<Record<keyof Services, How>> = {
  clock: 'as is',
  config: 'as is',
  release: 'as is',
  log: 'as is',
  metrics: 'as is',
  key: 'as is',
  freshness: 'as is',
  // It counts, and answers nothing.
  visits: 'as is',
  // Both make texts of the texts that they are given.
  renderer: 'as is',
  excerpts: 'as is',
  // A change of these is a change of everything (`area-versions.ts`).
  settings: 'as is',
  types: 'as is',
  themes: 'as is',
  store: 'noted',
  entries: 'noted',
  terms: 'noted',
  plugins: 'noted',
  numbers: 'everything',
  life: 'everything',
  search: 'everything',
  processes: 'everything',
  maintenance: 'everything',
  tokens: 'everything',
  rate: 'everything',
  skills: 'everything',
  outbound: 'everything',
  answers: 'everything',
  themeCheck: 'everything',
  media: 'everything',
  backups: 'everything',
  health: 'everything',
  jobs: 'everything',
  registry: 'everything',
}

/** The areas that a value reads. */
export type Areas = Set<PageArea>

interface View {
  readonly site: Services
  readonly areas: Areas
}

const views = new WeakMap<Services, View>()

/** The notes of a view of the site; undefined for the site itself. */
export const findAreas = (site: Services): Areas | undefined => views.get(site)?.areas

/** The site of a view; a site itself. */
export const siteBehind = (site: Services): Services => views.get(site)?.site ?? site

/** Runs `make` with a view of the site, and returns which areas it read. @param site the site, or a view of it */
export async function withAreas<V>(site: Services, make: (site: Services) => Promise<V>): Promise<{ value: V; areas: Areas }> {
  const areas: Areas = new Set()
  const value = await make(viewOf(siteBehind(site), areas))
  return { value, areas }
}

/** Adds what another value read. */
export function addAreas(areas: Areas, others: Iterable<PageArea>): void {
  for (const area of others) areas.add(area)
}

function viewOf(site: Services, areas: Areas): Services {
  const everything = () => void areas.add(everyArea)
  const note = (...read: readonly (readonly PageArea[])[]) => addAreas(areas, read.flat())
  const read = watchedDb(site.store.read, (found) => (found ? note(found) : everything()))
  const store = only(site.store, { read, engine: site.store.engine }, everything)
  const noted: { readonly [P in keyof Services]?: () => Services[P] } = {
    store: () => store,
    entries: () => entries,
    terms: () => terms,
    plugins() {
      // What a filter returns may depend on anything.
      if (site.plugins.active.filters.length > 0) everything()
      return site.plugins
    },
  }
  const entries = only(
    site.entries,
    {
      byId(id) {
        note(rowsWith('entry', 'id', id))
        return site.entries.byId(id)
      },
      named(ref) {
        note(rowsWith('entry', 'id', ref), rowsWith('entry', 'path', pathNamed(ref)))
        return site.entries.named(ref)
      },
    },
    everything,
  )
  const terms = only(
    site.terms,
    {
      of(id: string) {
        note(rowsWith('term', 'id', id))
        return site.terms.of(id)
      },
    },
    everything,
  )
  const view = new Proxy(site, {
    get(target, name) {
      const part = name as keyof Services
      const how = parts[part]
      if (how === 'noted') return noted[part]?.()
      if (how !== 'as is') everything()
      return target[part]
    },
  })
  views.set(view, { site, areas })
  return view
}

/** A part of the site of which these members are noted. */
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
