// Keeps the caches of this process fresh. Commits of this process are reported here. Commits of other processes on this machine are
// known before the next request is answered, those of other machines within a second.

import type { Transaction } from 'kysely'
import type { EntryCache } from '../content/entries/entry-cache.ts'
import type { EntryTypeReader } from '../content/types/entry-type-reader.ts'
import type { TermIndex } from '../content/terms/term-index.ts'
import type { PluginCaller } from '../identity/caller.ts'
import type { TokenStore } from '../identity/token-store.ts'
import type { Plugins } from '../plugins/plugins.ts'
import type { Processes } from '../processes/processes.ts'
import type { Maintenance } from '../settings/maintenance.ts'
import type { SettingsReader } from '../settings/settings-reader.ts'
import type { Themes } from '../themes/themes.ts'
import type { SkillMirror } from '../skills/skill-mirror.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import type { RowChange } from '../store/change/change.ts'
import type { Store } from '../store/core/database.ts'
import { type Area, areas } from '../store/change/kinds.ts'
import type { ChangedRow } from '../store/change/page-areas.ts'
import { findChanges, noteChanges } from '../store/change/recent-changes.ts'
import type { Schema } from '../store/core/schema.ts'
import { createVersionWatch, type Raised } from '../store/change/versions.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { createLease, type Standing } from './lease.ts'
import type { NextExpiry } from './next-expiry.ts'
import { type AreaVersions, changeIn, changeOf, createAreaVersions } from './area-versions.ts'

export interface Freshness {
  /** Rises with every change that this process knows of. A value is valid in the generation in which it was computed. */
  readonly generation: number
  /** The areas that changes raise, for values that record the areas that they read. */
  readonly areas: Pick<AreaVersions, 'generation' | 'size' | 'note'>
  /**
   * Checks if the caches may be used for a request that arrives now. Undefined, the usual result, means that they are fresh.
   * Otherwise the database is being asked, and the promise resolves to the standing after that.
   */
  catchUp(): Promise<Standing> | undefined
  /** Stores the changes of a transaction for the other processes. */
  note(db: Transaction<Schema>, change: CommittedChange): void
  /** Updates the caches after a commit of this process, and tells the other processes. */
  committed(change: CommittedChange): Promise<void>
  /** The latest answer of `next-expiry.ts`: when the next entry leaves the public site. */
  nextExpiry: NextExpiry | undefined
  /** The caches of `reading-cache.ts`, by the options that they are made with. */
  readonly readingCaches: Map<object, unknown>
  /** Clears all caches of this process. */
  forgetAll(): Promise<void>
  stop(): void
}

/** The changes of a commit, as the caches need them. */
export interface CommittedChange {
  readonly counters: ReadonlyMap<Area, number>
  readonly records: readonly RowChange[]
  /** The changed rows that pages read, with and without a record. */
  readonly rows: readonly ChangedRow[]
  /** Areas with changes that `records` and `rows` do not contain. */
  readonly stale: readonly Area[]
  readonly plugin?: PluginCaller | undefined
  /** True if plugins are not told of the change, because it is a part of an import. */
  readonly isQuiet?: boolean
}

export interface Caches {
  readonly entries: EntryCache
  readonly terms: Pick<TermIndex, 'reload'>
  readonly tokens: TokenStore
  readonly settings: SettingsReader
  readonly types: EntryTypeReader
  readonly skills: Pick<SkillMirror, 'applied'>
  readonly maintenance: Maintenance
  readonly plugins: Pick<Plugins, 'reload' | 'happened'>
  readonly media?: { applied(records: readonly RowChange[]): Promise<void> }
  readonly themes: Pick<Themes, 'reload' | 'applied'>
  readonly webhooks?: Pick<Webhooks, 'reload'>
}

export interface FreshnessOptions {
  readonly log: Log
  /** The announcements of changes between the processes of this machine. */
  readonly processes: Pick<Processes, 'changes' | 'tellChange' | 'of'>
  readonly clock?: Clock
}

/** Watches the version counters of a store for these caches. */
export async function createFreshness(
  store: Pick<Store, 'read' | 'onForeignChange' | 'engine'>,
  caches: Caches,
  { log, processes, clock = systemClock }: FreshnessOptions,
): Promise<Freshness> {
  const { entries, terms, tokens, settings, types, skills, maintenance, plugins, themes } = caches
  const versions = createAreaVersions()
  const reloadSettings = async () => {
    await Promise.all([settings.reload(), maintenance.reload(), caches.webhooks?.reload()])
  }
  const reloadTypes = async () => {
    await types.reload()
    // Answers about entries contain the fields of their types.
    entries.clear()
  }
  const forgetContent = async (raised?: Raised) => {
    const changed = raised && (await findChanges(store, raised))
    if (changed) entries.forget(changed.entries)
    else entries.clear()
    return changed?.rows
  }
  /** Answers about entries contain the names of their terms. */
  const reloadTerms = async () => {
    await terms.reload()
    entries.clear()
  }
  const forget: Record<Exclude<Area, 'content'>, () => void | Promise<void>> = {
    identity: () => tokens.clear(),
    settings: reloadSettings,
    types: reloadTypes,
    plugins: () => plugins.reload(),
    skills: () => undefined,
    proposals: () => undefined,
    terms: reloadTerms,
    themes: () => themes.reload(),
  }
  const forgetArea = async (area: Area, raised?: Raised) => {
    let rows: readonly ChangedRow[] | undefined
    try {
      if (area === 'content') rows = await forgetContent(raised)
      else await forget[area]()
    } finally {
      // This also runs if the reload failed: values computed earlier are no longer valid.
      versions.raise(changeIn(area, rows))
    }
  }
  // The mark is read before the counters, so that a change announced after it causes another look.
  const changes = processes.changes
  const before = changes?.read()
  const lease = createLease({ look: () => watch.check(), changes, before, log, clock })
  const watch = await createVersionWatch(store, { areas, onChange: forgetArea, onLook: lease.renewed })
  // On PostgreSQL there may be other nodes.
  const announces = processes.of > 1 || store.engine === 'PostgreSQL'

  return {
    get generation() {
      return versions.generation
    },
    areas: versions,
    nextExpiry: undefined,
    readingCaches: new Map(),
    catchUp: lease.catchUp,
    note(db, { counters, records, rows, stale }) {
      const counter = counters.get('content')
      if (announces && counter !== undefined && !stale.includes('content')) noteChanges(db, counter, records, rows)
    },
    async committed({ counters, records, rows, stale, plugin, isQuiet = false }) {
      if (counters.has('content')) entries.applied(records)
      if (counters.has('identity')) tokens.clear()
      try {
        if (counters.has('settings')) await reloadSettings()
        if (counters.has('types')) await reloadTypes()
        if (counters.has('themes')) themes.reload()
        if (counters.has('plugins')) await plugins.reload()
        if (counters.has('terms')) await reloadTerms()
      } finally {
        // This also runs if the reload failed: values computed earlier are no longer valid.
        versions.raise(changeOf(counters.keys(), rows, records, stale))
        // This comes before the answer, so that a caller who has the answer finds the change in every process.
        if (counters.size > 0) processes.tellChange()
      }
      for (const [area, counter] of counters) await watch.note(area, counter)
      if (counters.has('skills')) await skills.applied(records)
      await caches.media?.applied(records)
      if (counters.has('themes')) await themes.applied(records)
      if (!isQuiet) plugins.happened(records, plugin)
    },
    async forgetAll() {
      for (const area of areas) await forgetArea(area)
    },
    stop: () => watch.stop(),
  }
}
