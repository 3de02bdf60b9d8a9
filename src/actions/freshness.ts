// Keeps the caches of this process fresh. Commits of this process are reported here; commits of other processes are noticed within a second.

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
  /** Grows with every change that this process knows of. A value computed at one generation is valid until it grows. */
  readonly generation: number
  /** Called after a commit of this process, with the raised counters, the changed rows, and the plugin that made the call. */
  committed(counters: ReadonlyMap<Area, number>, records: readonly RowChange[], plugin?: PluginCaller): Promise<void>
  /** Clears all caches of this process. */
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
        // Also where the reload failed: earlier computed values are no longer valid.
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
