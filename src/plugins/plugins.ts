// The active plugins of this process: what they registered, and the way to each of them. With none of them every list here is empty, and
// nothing runs. Their rows are plugin-store.ts's, their processes keeper.ts's; what they may ask for is whoever's who opens them.

import type { Clock } from '../clock.ts'
import { Failure } from '../failure.ts'
import type { Log } from '../log.ts'
import type { Release } from '../release.ts'
import type { RowChange } from '../store/change.ts'
import type { Store } from '../store/database.ts'
import type { FilterAbout } from './api.ts'
import { createDelivery } from './delivery.ts'
import { eventsOf } from './events.ts'
import { type Filtered, passThrough } from './filters.ts'
import { createFailing, type Failing } from './failing.ts'
import type { Active } from './handle.ts'
import { createKeeper, type PluginError, processOptions, startChecked } from './keeper.ts'
import { readRegistered } from './read-registered.ts'
import { folderOf, type Plugin } from './plugin-store.ts'
import { createPrints } from './prints.ts'
import type { Ask } from './process.ts'
import type { Registered } from './registered.ts'
import { createRoster } from './roster.ts'

export interface PluginsOptions {
  readonly pluginsFolder: string
  readonly store: Store
  readonly log: Log
  readonly clock: Clock
  readonly release: Release
  /** Is told whenever a plugin's process ended by itself or had to be ended. */
  readonly onFailed?: (id: string) => void
  readonly idleMs?: number
}

/** What plugins need of the site that is composed around them. */
export interface PluginsHost {
  /** Answers what a plugin asks. @throws Failure */
  ask(plugin: Plugin, ask: Ask): Promise<unknown>
  /** Takes a plugin out, with its record, unless it was changed since. */
  quarantine(plugin: Failing, reason: string): Promise<void>
  /** Is told what is active now. */
  changed(active: Active): void
}

export interface Plugins {
  readonly active: Active
  /** Those that failed too often, or could not be started. */
  readonly quarantined: readonly Plugin[]
  /** Binds the site, and reads which plugins are active. */
  open(host: PluginsHost): Promise<void>
  /** Reads them anew; called when a plugin changed, here or in another process. */
  reload(): Promise<void>
  /**
   * Starts a plugin as it would be, and tells what it registers. In a dry run all that it asks of the site is one, too.
   * @throws PluginFatal, Failure `unprocessable`
   */
  tryOut(plugin: Plugin, dryRun: boolean): Promise<Registered>
  quarantine(plugin: Failing, reason: string): Promise<void>
  errorsOf(id: string): readonly PluginError[]
  /** Passes a text through the filters of a name. */
  filter(name: 'page.html' | 'entry.html', text: string, about: FilterAbout): Promise<Filtered>
  /**
   * Tells plugins what a commit changed, but not the one that made it. Returns at once.
   * @param by the plugin that made it, and how many events led to that: where plugins answer each other, one is the last
   */
  happened(records: readonly RowChange[], by?: { readonly id: string; readonly depth: number }): void
  /** Starts every active plugin, and tells what they print at that. For releases that load them in each request. @throws Failure */
  loadAll(): Promise<string>
  /** Runs something, and gathers what plugins print in it instead of logging it. */
  gatherPrints<T>(into: string[], run: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** The plugins of a site; none is read before `open`. */
export function createPlugins(options: PluginsOptions): Plugins {
  const { store, log, clock, release, pluginsFolder, idleMs, onFailed } = options
  const prints = createPrints(log)
  let host: PluginsHost | undefined

  const ask = (plugin: Plugin) => async (asked: Ask) => {
    if (!host) throw new Failure('unavailable', 'The site is not open yet.', { retry_after: 1 })
    return host.ask(plugin, asked)
  }
  const failing = createFailing({ log, release, onFailed, quarantine: async (plugin, why) => host?.quarantine(plugin, why) })
  const roster = createRoster(store.read, (plugin) =>
    createKeeper({
      plugin,
      folder: folderOf(pluginsFolder, plugin),
      ask: ask(plugin),
      log,
      now: clock.now,
      onPrint: prints.onPrint(plugin.id),
      onFatal: (error, loading) => failing.failed(plugin, error, loading),
      ...(idleMs === undefined ? {} : { idleMs }),
    }),
  )
  const deliver = createDelivery(log)
  const reload = async () => {
    await roster.reload()
    host?.changed(roster.active)
  }

  return {
    get active() {
      return roster.active
    },
    get quarantined() {
      return roster.quarantined
    },
    async open(theHost) {
      host = theHost
      await reload()
    },
    reload,
    quarantine: failing.quarantine,
    errorsOf: failing.errorsOf,

    async tryOut(plugin, dryRun) {
      if (!dryRun) failing.forgive(plugin.id)
      const answer = ask(plugin)
      const asked = dryRun ? (one: Ask) => answer({ ...one, dryRun }) : answer
      const parts = { plugin, folder: folderOf(pluginsFolder, plugin), ask: asked, log, onPrint: prints.onPrint(plugin.id) }
      const process = await startChecked(plugin, processOptions(parts))
      try {
        return readRegistered(process.registered, plugin.manifest)
      } finally {
        await process.end()
      }
    },

    filter(name, text, about) {
      const filters = roster.active.filters.filter((one) => one.about === name)
      return passThrough(filters, text, about, log)
    },

    happened(records, by) {
      const { events } = roster.active
      if (events.length === 0) return
      for (const event of eventsOf(records, clock.now())) {
        for (const handle of events)
          if (handle.about === event.event && handle.plugin !== by?.id) deliver.put(handle, event, (by?.depth ?? 0) + 1)
      }
    },

    async loadAll() {
      return (await Promise.all(roster.keepers.map((keeper) => keeper.load()))).join('')
    },

    gatherPrints: prints.gather,

    async close() {
      await deliver.drain()
      await Promise.all(roster.keepers.map((keeper) => keeper.close()))
    },
  }
}
