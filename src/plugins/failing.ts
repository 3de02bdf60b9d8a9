// Handles a plugin that fails. It is restarted when it is needed next. It is quarantined if it fails too often or can't be started.

import type { Log } from '../base/log.ts'
import type { Release } from '../base/release.ts'
import type { PluginError } from './keeper.ts'
import type { Plugin } from './plugin-store.ts'
import { createStrikes } from './strikes.ts'

/** The plugin, in the version that failed. */
export type Failing = Pick<Plugin, 'id' | 'revision' | 'package'>

export interface FailingParts {
  readonly log: Log
  readonly release: Release
  /** Puts a plugin into quarantine and records that, unless the plugin was changed in the meantime. */
  readonly quarantine: (plugin: Failing, reason: string) => Promise<void>
  /** Called when a plugin's process has exited unexpectedly or was killed. */
  readonly onFailed: ((id: string) => void) | undefined
  /** The folder that the processes of the site share; undefined for the only process of a site. */
  readonly sharedFolder: string | undefined
}

export interface FailingPlugins {
  /** Counts a failure. @param loading true if the plugin could not be started */
  failed(plugin: Failing, error: PluginError, loading: boolean): void
  quarantine(plugin: Failing, reason: string): Promise<void>
  /** The last failures of a plugin, newest first. */
  errorsOf(id: string): readonly PluginError[]
  /** Resets the count of a plugin's failures. */
  forgive(id: string): void
}

export function createFailing(parts: FailingParts): FailingPlugins {
  const { log, release } = parts
  const strikes = createStrikes(parts.sharedFolder)
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
      const why = failsToLoad ? 'It could not be started' : 'It failed three times in ten minutes. The last failure'
      quarantine(plugin, `${why}: ${error.message}`).catch((cause: unknown) =>
        log.error('plugin not quarantined', { plugin: plugin.id, error: cause }),
      )
    },
    quarantine,
    errorsOf: (id) => strikes.of(id),
    forgive: (id) => strikes.forgive(id),
  }
}
