// Builds the site from its settings: home, database, keys, caches, actions. It opens no port; serve.ts and the command line both start here.

import { allActions } from './actions/all.ts'
import { createFreshness } from './actions/freshness.ts'
import { pluginsHost } from './actions/plugin-host.ts'
import { createHealth } from './actions/health/health.ts'
import { createRegistry } from './actions/registry.ts'
import type { Services } from './actions/services.ts'
import { createStandingCache } from './actions/standing-cache.ts'
import { createBackups } from './backup/backups.ts'
import type { TrySite } from './backup/check-copy.ts'
import { enterHome } from './backup/enter-home.ts'
import { type BackupWork, workHere } from './backup/work.ts'
import type { JsonText } from './json.ts'
import { type Clock, systemClock } from './clock.ts'
import { backupsFolderOf, type Config } from './config.ts'
import { createEntryCache } from './content/entry-cache.ts'
import { createRenderer } from './content/render.ts'
import { createErrorLog, logFolder } from './error-log.ts'
import { openSiteKey } from './identity/site-key.ts'
import { createCallRate } from './identity/token-rate.ts'
import { openTokenStore } from './identity/token-store.ts'
import { createLog, type Log, type Sink } from './log.ts'
import { cacheCounts, createMetrics } from './metrics.ts'
import { createOutbound } from './outbound/outbound.ts'
import { sweepIncoming } from './plugins/incoming.ts'
import { pluginsFolderOf } from './plugins/plugin-store.ts'
import { createPlugins } from './plugins/plugins.ts'
import { sweepStaging } from './plugins/staging.ts'
import { releaseOf } from './release.ts'
import { openMaintenance } from './settings/maintenance.ts'
import { openSettings } from './settings/settings-reader.ts'
import { openSkillMirror } from './skills/skill-mirror.ts'
import { openStore } from './store/database.ts'
import { migrateToLatest } from './store/migrate.ts'

/** The open site; `close` lets go of everything it holds. */
export type Site = Services & { close(): Promise<void> }

/** A log to this sink and, what should be found again, to the home's error log. */
export function openLog(config: Config, sink: Sink): Log {
  const errors = createErrorLog(logFolder(config.POSTERN_HOME))
  return createLog(config.POSTERN_LOG_LEVEL, (line, level, fields) => {
    sink(line, level, fields)
    errors(line, level, fields)
  })
}

/** Opens the site of a scratch home as it would be served, until it takes a write: what `/readyz` asks. */
export function createTrySite(config: Config, clock: Clock): TrySite {
  return async (home) => {
    const site = await openSite({ ...config, POSTERN_HOME: home, POSTERN_BACKUPS: undefined }, () => undefined, clock)
    try {
      await site.store.transaction(async () => undefined)
    } finally {
      await site.close()
    }
  }
}

/**
 * Opens the site of these settings, making its home and bringing its database up to date.
 * @param backupWork where backups are made and tried; in this thread unless told
 * @throws Failure with one sentence for a home that can't be written, a lost key, a database newer than the program
 */
export async function openSite(
  config: Config,
  sink: Sink,
  clock: Clock = systemClock,
  backupWork: BackupWork = workHere(createTrySite(config, clock)),
): Promise<Site> {
  const { home, leave } = await enterHome(config.POSTERN_HOME)
  const log = openLog(config, sink)
  const metrics = createMetrics(log)
  const release = releaseOf(config.POSTERN_COMPAT)
  const store = await openStore({ path: home.database, log }).catch(async (error: unknown) => {
    await leave()
    throw error
  })
  try {
    await migrateToLatest(store)
    const key = await openSiteKey(home.data, store)
    const settings = await openSettings(store, release)
    const maintenance = await openMaintenance(store, home.path, clock, log)
    const tokens = await openTokenStore(store, clock, log, cacheCounts(metrics, 'tokens'))
    const rate = createCallRate(config, clock)
    const entries = createEntryCache(store, { counts: cacheCounts(metrics, 'entries') })
    const skills = openSkillMirror(store, home.path, clock, log)
    const outbound = createOutbound({ log, config })
    const renderer = createRenderer({ timeoutMs: config.POSTERN_RENDER_SECONDS * 1000, log })
    const folder = backupsFolderOf(config)
    const backups = createBackups({ home: home.path, folder, store, clock, log, work: backupWork })
    const registry = createRegistry(allActions())
    await sweepStaging(pluginsFolderOf(home.path))
    await sweepIncoming(home.path, clock.now())
    const plugins = createPlugins({
      pluginsFolder: pluginsFolderOf(home.path),
      store,
      log,
      clock,
      release,
      onFailed: (plugin) => metrics.count('plugin_restarts', { plugin }),
    })
    const freshness = await createFreshness(store, { entries, tokens, settings, skills, maintenance, plugins }, log)
    const answers = createStandingCache<JsonText>(freshness, {
      maxBytes: 16 * 1024 ** 2,
      sizeOf: ({ text }) => 5 * text.length,
      counts: cacheCounts(metrics, 'answers'),
    })
    const close = async () => {
      await plugins.close()
      freshness.stop()
      maintenance.close()
      await tokens.close()
      await renderer.close()
      await store.close()
      await leave()
    }
    const site = {
      config,
      release,
      clock,
      log,
      metrics,
      life: { stopping: false },
      store,
      freshness,
      key,
      settings,
      maintenance,
      tokens,
      rate,
      entries,
      skills,
      outbound,
      answers,
      renderer,
      plugins,
      backups,
      health: createHealth(),
      registry,
      close,
    }
    await plugins.open(pluginsHost(site))
    return site
  } catch (error) {
    await store.close()
    await leave()
    throw error
  }
}
