// The active plugins of this process: what they registered, and the way to each of them. With none of them every list here is empty, and
// nothing runs. Their rows are plugin-store.ts's, their processes keeper.ts's; what they may ask for is whoever's who opens them.

import { AsyncLocalStorage } from 'node:async_hooks'
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
import { type Active, activeOf, nothingActive } from './handle.ts'
import { createKeeper, type Keeper, type PluginError, processOptions, startChecked } from './keeper.ts'
import { parseRegistered } from './parse-registered.ts'
import { folderOf, listPlugins, type Plugin } from './plugin-store.ts'
import type { Ask } from './process.ts'
import type { Registered } from './registered.ts'
import { createStrikes } from './strikes.ts'

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

/** A plugin as it was when it failed. */
export type Failing = Pick<Plugin, 'id' | 'revision' | 'package'>

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
  const { store, log, clock, release, pluginsFolder } = options
  const strikes = createStrikes()
  const prints = new AsyncLocalStorage<string[]>()
  const keepers = new Map<string, Keeper>()
  let active = nothingActive
  let quarantined: readonly Plugin[] = []
  let host: PluginsHost | undefined
  let turn = 0
  let latest = Promise.resolve()

  const onPrint = (id: string) => (text: string) => {
    const gathered = prints.getStore()
    if (gathered) gathered.push(text)
    else log.info('plugin printed', { plugin: id, source: `plugin:${id}`, text: text.slice(0, 2000).toWellFormed() })
  }

  const ask = (plugin: Plugin) => async (asked: Ask) => {
    if (!host) throw new Failure('unavailable', 'The site is not open yet.', { retry_after: 1 })
    return host.ask(plugin, asked)
  }

  const quarantine = async (plugin: Failing, reason: string) => {
    strikes.forgive(plugin.id)
    await host?.quarantine(plugin, reason)
  }

  const giveUp = async (plugin: Failing, reason: string) => {
    try {
      await quarantine(plugin, reason)
    } catch (error) {
      log.error('plugin not quarantined', { plugin: plugin.id, error })
    }
  }

  const onFatal = (plugin: Plugin) => (error: PluginError, loading: boolean) => {
    const { id } = plugin
    options.onFailed?.(id)
    const tooMany = strikes.add(id, error)
    const failsToLoad = loading && error.reason !== 'timeout'
    if (release.pluginFatal === 'page' || (!tooMany && !failsToLoad)) return
    const why = failsToLoad ? 'It could not be started' : 'It failed three times in ten minutes, the last time so'
    void giveUp(plugin, `${why}: ${error.message}`)
  }

  const keep = (plugin: Plugin): Keeper => {
    const { id } = plugin
    const folder = folderOf(pluginsFolder, plugin)
    const more = options.idleMs === undefined ? {} : { idleMs: options.idleMs }
    return createKeeper({
      plugin,
      folder,
      ask: ask(plugin),
      log,
      now: clock.now,
      onPrint: onPrint(id),
      onFatal: onFatal(plugin),
      ...more,
    })
  }

  const deliver = createDelivery(log)

  const reload = (): Promise<void> => (latest = readAnew())

  const readAnew = async (): Promise<void> => {
    const mine = ++turn
    const all = await listPlugins(store.read)
    // A later one knows as much: what this one was to bring holds when that one is done.
    if (mine !== turn) return latest
    quarantined = all.filter(({ state }) => state === 'quarantined')
    const wanted = all.filter(({ state }) => state === 'active')
    const stale = [...keepers.values()].filter(({ plugin }) =>
      wanted.every((one) => one.id !== plugin.id || one.revision !== plugin.revision || one.package !== plugin.package),
    )
    for (const keeper of stale) {
      keepers.delete(keeper.plugin.id)
      void keeper.close()
    }
    for (const plugin of wanted) if (!keepers.has(plugin.id)) keepers.set(plugin.id, keep(plugin))
    active = activeOf(wanted.map(({ id }) => keepers.get(id)).filter((keeper) => keeper !== undefined))
    host?.changed(active)
  }

  return {
    get active() {
      return active
    },
    get quarantined() {
      return quarantined
    },
    async open(theHost) {
      host = theHost
      await reload()
    },
    reload,
    quarantine,
    errorsOf: (id) => strikes.of(id),

    async tryOut(plugin, dryRun) {
      if (!dryRun) strikes.forgive(plugin.id)
      const answer = ask(plugin)
      const asked = dryRun ? (one: Ask) => answer({ ...one, dryRun }) : answer
      const folder = folderOf(pluginsFolder, plugin)
      const process = await startChecked(plugin, processOptions({ plugin, folder, ask: asked, log, onPrint: onPrint(plugin.id) }))
      try {
        return parseRegistered(process.registered, plugin.manifest)
      } finally {
        await process.end()
      }
    },

    filter: (name, text, about) =>
      passThrough(
        active.filters.filter((one) => one.about === name),
        text,
        about,
        log,
      ),

    happened(records, by) {
      if (active.events.length === 0) return
      for (const event of eventsOf(records, clock.now())) {
        for (const handle of active.events)
          if (handle.about === event.event && handle.plugin !== by?.id) deliver.put(handle, event, (by?.depth ?? 0) + 1)
      }
    },

    async loadAll() {
      const printed = await Promise.all([...keepers.values()].map((keeper) => keeper.load()))
      return printed.join('')
    },

    gatherPrints: (into, run) => prints.run(into, run),

    async close() {
      await deliver.drain()
      await Promise.all([...keepers.values()].map((keeper) => keeper.close()))
    },
  }
}
