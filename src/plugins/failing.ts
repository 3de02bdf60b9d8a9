// What becomes of a plugin that fails: it is restarted when it is needed next, and quarantined once it failed too often or can't be started.

import type { Log } from '../log.ts'
import type { Release } from '../release.ts'
import type { PluginError } from './keeper.ts'
import type { Plugin } from './plugin-store.ts'
import { createStrikes } from './strikes.ts'

/** A plugin as it was when it failed. */
export type Failing = Pick<Plugin, 'id' | 'revision' | 'package'>

export interface FailingParts {
  readonly log: Log
  readonly release: Release
  /** Takes a plugin out, with its record, unless it was changed since. */
  readonly quarantine: (plugin: Failing, reason: string) => Promise<void>
  /** Is told whenever a plugin's process ended by itself or had to be ended. */
  readonly onFailed: ((id: string) => void) | undefined
}

export interface FailingPlugins {
  /** Counts a failure. @param loading whether it came before the plugin was active */
  failed(plugin: Failing, error: PluginError, loading: boolean): void
  quarantine(plugin: Failing, reason: string): Promise<void>
  /** The last failures of a plugin, newest first. */
  errorsOf(id: string): readonly PluginError[]
  /** Forgets what counts against a plugin. */
  forgive(id: string): void
}

export function createFailing(parts: FailingParts): FailingPlugins {
  const { log, release } = parts
  const strikes = createStrikes()
  const quarantine = async (plugin: Failing, reason: string) => {
    strikes.forgive(plugin.id)
    await parts.quarantine(plugin, reason)
  }
  return {
    failed(plugin, error, loading) {
      parts.onFailed?.(plugin.id)
      const tooMany = strikes.add(plugin.id, error)
      const failsToLoad = loading && error.reason !== 'timeout'
      if (release.pluginFatal === 'page' || (!tooMany && !failsToLoad)) return
      const why = failsToLoad ? 'It could not be started' : 'It failed three times in ten minutes, the last time so'
      quarantine(plugin, `${why}: ${error.message}`).catch((cause: unknown) =>
        log.error('plugin not quarantined', { plugin: plugin.id, error: cause }),
      )
    },
    quarantine,
    errorsOf: (id) => strikes.of(id),
    forgive: (id) => strikes.forgive(id),
  }
}
