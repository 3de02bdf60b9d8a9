// The site as a page sees it that is made to be kept: whatever it reads is noted. Nothing can be read past the notes: a part of the site of which
// this file does not say how it is noted counts as everything.

import { pathNamed } from '../content/entry.ts'
import type { EntryCache } from '../content/entry-cache.ts'
import { derivedTables, isChangedTable } from '../store/changed-rows.ts'
import type { KnownTables } from '../store/query-reads.ts'
import type { RowTest } from '../store/row-test.ts'
import { recordedDb } from '../store/recorded-db.ts'
import { createReads, type Reads } from './reads.ts'
import type { Services } from './services.ts'

/** The way in which the reads of a part of the site are recorded. */
type How =
  /** The answer depends on the arguments alone, or on what a change in an area of its own makes stale in every page. */
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
  // A change of these is a change of everything (`site-changes.ts`).
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

interface Recorded {
  readonly site: Services
  readonly reads: Reads
}

const recorded = new WeakMap<Services, Recorded>()

/** The notes of a site that was returned by `recordedSite`. */
export const findReads = (site: Services): Reads | undefined => recorded.get(site)?.reads

/** The site of a view; a site itself. */
export const siteBehind = (site: Services): Services => recorded.get(site)?.site ?? site

/** Runs `make` with a view of the site, and returns what it read. @param site the site, or a view of it */
export async function withReads<V>(site: Services, make: (site: Services) => Promise<V>): Promise<{ value: V; reads: Reads }> {
  const reads = createReads()
  const value = await make(recordedSite(siteBehind(site), reads))
  return { value, reads }
}

function recordedSite(site: Services, reads: Reads): Services {
  const derived = derivedTables(site.terms.withAbove)
  const tables: KnownTables = (table) => isChangedTable(table) || (Object.hasOwn(derived, table) ? derived[table] : undefined)
  const read = recordedDb(site.store.read, tables, (found) => {
    if (!found) reads.addEverything()
    else for (const one of found) reads.add(one)
  })
  const noted: { readonly [part: string]: () => unknown } = {
    store: () => store,
    entries: () => notedEntries(site.entries, reads),
    terms: () => terms,
    plugins() {
      // The result of a filter may depend on anything.
      if (site.plugins.active.filters.length > 0) reads.addEverything()
      return site.plugins
    },
  } satisfies { readonly [P in keyof Services]?: () => Services[P] }
  const store = only(site.store, { read, engine: site.store.engine }, reads)
  const terms = only(
    site.terms,
    {
      of(id: string) {
        reads.add({ table: 'term', columns: undefined, mayRead: among({ id }) })
        return site.terms.of(id)
      },
    },
    reads,
  )
  const view = new Proxy(site, {
    get(target, name) {
      const part = name as keyof Services
      const how = parts[part]
      if (how === 'noted') return noted[part]?.()
      if (how !== 'as is') reads.addEverything()
      return target[part]
    },
  })
  recorded.set(view, { site, reads })
  return view
}

/** A part of the site of which these members are noted. */
function only<T extends object>(part: T, members: Partial<T>, reads: Reads): T {
  return new Proxy(part, {
    get(target, name) {
      const member = name as keyof T
      if (Object.hasOwn(members, name)) return members[member]
      reads.addEverything()
      return target[member]
    },
  })
}

function notedEntries(entries: EntryCache, reads: Reads): EntryCache {
  const note = (...rows: readonly Readonly<Record<string, string>>[]) => {
    const tests = rows.map(among)
    reads.add({ table: 'entry', columns: undefined, mayRead: (row) => tests.some((test) => test(row)) })
  }
  return only(
    entries,
    {
      byId(id) {
        note({ id })
        return entries.byId(id)
      },
      named(ref) {
        note({ id: ref }, { path: pathNamed(ref) })
        return entries.named(ref)
      },
    },
    reads,
  )
}

/** Rows with these values. */
const among =
  (values: Readonly<Record<string, string>>): RowTest =>
  (row) =>
    Object.entries(values).every(([column, value]) => row[column] === undefined || row[column] === value)
