// Keeps this process's caches true: told of its own commits, and within a second of another process's.

import type { EntryCache } from '../content/entry-cache.ts'
import type { PluginCaller } from '../identity/caller.ts'
import type { TokenStore } from '../identity/token-store.ts'
import type { Plugins } from '../plugins/plugins.ts'
import type { Maintenance } from '../settings/maintenance.ts'
import type { SettingsReader } from '../settings/settings-reader.ts'
import type { SkillMirror } from '../skills/skill-mirror.ts'
import type { RowChange } from '../store/change.ts'
import type { Store } from '../store/database.ts'
import { type Area, areas } from '../store/kinds.ts'
import { createVersionWatch } from '../store/versions.ts'
import type { Log } from '../log.ts'

export interface Freshness {
  /** Counts up with every change that this process knows of; what was made of the site at one count is good while it stands. */
  readonly generation: number
  /** After a commit of this process: the counters that it raised, the rows that it changed, and the plugin whose call it was. */
  committed(counters: ReadonlyMap<Area, number>, records: readonly RowChange[], plugin?: PluginCaller): Promise<void>
  /** Forgets everything that this process keeps in memory. */
  forgetAll(): Promise<void>
  stop(): void
}

export interface Caches {
  readonly entries: EntryCache
  readonly tokens: TokenStore
  readonly settings: SettingsReader
  readonly skills: Pick<SkillMirror, 'applied'>
  readonly maintenance: Maintenance
  readonly plugins: Pick<Plugins, 'reload' | 'happened'>
}

/** Watches the version counters of a store for these caches. */
export async function createFreshness(store: Store, caches: Caches, log: Log): Promise<Freshness> {
  const { entries, tokens, settings, skills, maintenance, plugins } = caches
  let generation = 0
  const reloadSettings = async () => {
    await Promise.all([settings.reload(), maintenance.reload()])
  }
  const forget: Record<Area, () => void | Promise<void>> = {
    content: () => entries.clear(),
    identity: () => tokens.clear(),
    settings: reloadSettings,
    plugins: () => plugins.reload(),
    skills: () => undefined,
  }
  const forgetArea = async (area: Area) => {
    await forget[area]()
    generation += 1
  }
  const onChange = (area: Area) => {
    forgetArea(area).catch((error: unknown) => log.error('cache not refreshed', { area, error }))
  }
  const watch = await createVersionWatch(store, { areas, onChange })

  return {
    get generation() {
      return generation
    },
    async committed(counters, records, plugin) {
      if (counters.has('content')) entries.applied(records)
      if (counters.has('identity')) tokens.clear()
      try {
        if (counters.has('settings')) await reloadSettings()
        if (counters.has('plugins')) await plugins.reload()
      } finally {
        // Also where the reload failed: nothing that was made of the site before is good any more.
        generation += 1
      }
      for (const [area, counter] of counters) watch.note(area, counter)
      if (counters.has('skills')) await skills.applied(records)
      plugins.happened(records, plugin)
    },
    async forgetAll() {
      for (const area of areas) await forgetArea(area)
    },
    stop: () => watch.stop(),
  }
}
