// The active plugins of the site in this process: their registrations and their runners. Without active plugins nothing runs.
// `plugin-store.ts` reads the rows, `keeper.ts` manages the processes, and the `PluginsHost` checks the plugins' questions.

import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import type { Log } from '../base/log.ts'
import type { Release } from '../base/release.ts'
import type { RowChange } from '../store/change/change.ts'
import type { Store } from '../store/core/database.ts'
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
  /** Called when a plugin's process has exited unexpectedly or was killed. */
  readonly onFailed?: (id: string) => void
  /** The folder that the processes of the site share, to count failures together; left out for the only process of a site. */
  readonly sharedFolder?: string | undefined
  readonly idleMs?: number
}

/** The services that plugins need from the site. */
export interface PluginsHost {
  /** Answers a plugin's `postern.call` or `postern.fetch`. @throws Failure */
  ask(plugin: Plugin, ask: Ask): Promise<unknown>
  /** Puts a plugin into quarantine and records that, unless the plugin was changed in the meantime. */
  quarantine(plugin: Failing, reason: string): Promise<void>
  /** Called when the active plugins have been read again. */
  changed(active: Active): void
}

export interface Plugins {
  readonly active: Active
  /** The plugins that failed too often or could not be started. */
  readonly quarantined: readonly Plugin[]
  /** Connects the plugins to the site and reads which of them are active. */
  open(host: PluginsHost): Promise<void>
  /** Reads the plugins again. Call it when a plugin has changed, in this process or another. */
  reload(): Promise<void>
  /**
   * Starts a plugin and reads its registrations, before it is activated. In a dry run, the plugin's calls are dry runs too.
   * @throws PluginFatal, Failure `unprocessable`
   */
  tryOut(plugin: Plugin, dryRun: boolean): Promise<Registered>
  quarantine(plugin: Failing, reason: string): Promise<void>
  errorsOf(id: string): readonly PluginError[]
  /** Passes a text through the filters with this name. */
  filter(name: 'page.html' | 'entry.html', text: string, about: FilterAbout): Promise<Filtered>
  /**
   * Sends the events of a commit to all plugins except the one that made the commit. Returns at once.
   * @param by the plugin that made the commit, and the number of events that led to it, because `delivery.ts` limits such chains
   */
  happened(records: readonly RowChange[], by?: { readonly id: string; readonly depth: number }): void
  /**
   * Starts every active plugin. For releases that load plugins in each request.
   * @returns the output of the plugins while they are loaded
   * @throws Failure
   */
  loadAll(): Promise<string>
  /** Runs a function, and collects what plugins print during it instead of logging it. */
  gatherPrints<T>(into: string[], run: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Creates the plugins of a site. They are read in `open`. */
export function createPlugins(options: PluginsOptions): Plugins {
  const { store, log, clock, release, pluginsFolder, idleMs, onFailed, sharedFolder } = options
  const prints = createPrints(log)
  let host: PluginsHost | undefined

  const asksOf = (plugin: Plugin) => async (question: Ask) => {
    if (!host) throw new Failure('unavailable', 'The site is not open yet.', { retry_after: 1 })
    return host.ask(plugin, question)
  }
  const failing = createFailing({
    log,
    release,
    onFailed,
    sharedFolder,
    quarantine: async (plugin, why) => host?.quarantine(plugin, why),
  })
  const roster = createRoster(store.read, (plugin) =>
    createKeeper({
      plugin,
      folder: folderOf(pluginsFolder, plugin),
      ask: asksOf(plugin),
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
      const answer = asksOf(plugin)
      const ask = dryRun ? (question: Ask) => answer({ ...question, dryRun }) : answer
      const parts = { plugin, folder: folderOf(pluginsFolder, plugin), ask, log, onPrint: prints.onPrint(plugin.id) }
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
