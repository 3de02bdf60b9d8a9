// Builds the site from its settings: home, database, keys, caches, actions. It opens no port. serve.ts and the command line
// both begin with it.

import { join } from 'node:path'
import { allActions } from '../actions/all.ts'
import { createFreshness } from '../cache/freshness.ts'
import { pluginsHost } from '../actions/plugins/plugin-host.ts'
import { createHealth } from '../actions/health/health.ts'
import { createRegistry } from '../actions/call/registry.ts'
import type { Services } from '../actions/call/services.ts'
import { createStandingCache } from '../cache/standing-cache.ts'
import { createBackups } from '../backup/backups.ts'
import type { TrySite } from '../backup/check-copy.ts'
import { createElsewhere } from '../backup/elsewhere/elsewhere.ts'
import { enterHome } from '../backup/enter-home.ts'
import { databasePath } from '../backup/manifest.ts'
import { readSitePassphrase } from '../backup/passphrase.ts'
import { type BackupWork, workHere } from '../backup/work.ts'
import { createJobs } from '../jobs/jobs.ts'
import type { JsonText } from '../base/json.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { backupsFolderOf, type Config } from '../base/config.ts'
import { createEntryCache } from '../content/entries/entry-cache.ts'
import { openEntryTypes } from '../content/types/entry-type-reader.ts'
import { createExcerpts } from '../content/entries/excerpts.ts'
import { openTermIndex } from '../content/terms/term-index.ts'
import { createVisits } from '../content/redirects/visits.ts'
import { createRenderer } from '../content/markdown/render.ts'
import { createErrorLog, logFolder } from '../base/error-log.ts'
import { createTakePicture } from '../eyes/take-picture.ts'
import type { Home } from '../identity/home.ts'
import { openSiteKey } from '../identity/site-key.ts'
import { createCallRate } from '../identity/token-rate.ts'
import { openTokenStore } from '../identity/token-store.ts'
import { createLog, type Log, type Sink } from '../base/log.ts'
import { cacheCounts, createMetrics } from '../base/metrics.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { sweepStaged } from '../imports/staged-imports.ts'
import { sweepIncoming } from '../media/incoming.ts'
import { createMediaParts, sweepMediaDrafts } from '../media/media-parts.ts'
import { pluginsFolderOf } from '../plugins/plugin-store.ts'
import { createPlugins, type Plugins } from '../plugins/plugins.ts'
import { eventLoopMetric } from './measures.ts'
import { createNumbers } from '../processes/numbers.ts'
import { openProcesses } from '../processes/processes.ts'
import { nameOfSeat, type Seat } from '../processes/seat.ts'
import { sweepStaging } from '../plugins/staging.ts'
import { releaseOf } from '../base/release.ts'
import { openMaintenance } from '../settings/maintenance.ts'
import { openSettings } from '../settings/settings-reader.ts'
import { createStatistics } from '../statistics/statistics.ts'
import { checkTheme } from '../site/pages/theme-check.ts'
import { lookAtPage } from '../site/pages/look.ts'
import { openThemeMirror } from '../themes/theme-mirror.ts'
import { createThemeRenderer } from '../themes/engine/theme-renderer.ts'
import { createThemes } from '../themes/themes.ts'
import { accountNotices } from '../actions/mail/account-notices.ts'
import { createMail } from '../mail/mail.ts'
import { openWebhooks } from '../webhooks/webhooks.ts'
import { openSkillMirror } from '../skills/skill-mirror.ts'
import { type DatabasePlace, openStore } from '../store/core/database.ts'
import { migrateToLatest } from '../store/core/migrate.ts'
import { type DatabaseSettings, findDatabase } from '../store/core/place.ts'
import { createSearchIndex } from '../store/search/search-index.ts'

/** The open site. `close` releases everything that it holds. */
export type Site = Services & { close(): Promise<void> }

/**
 * Creates a log that writes to the sink, and also writes warnings and errors to the error log in the home.
 * @param process the name of this process
 */
export function openLog(config: Config, sink: Sink, process?: string): Log {
  const errors = createErrorLog(logFolder(config.POSTERN_HOME))
  const both: Sink = (line, level, fields) => {
    sink(line, level, fields)
    errors(line, level, fields)
  }
  return createLog(config.POSTERN_LOG_LEVEL, both, undefined, process)
}

/** Returns a function that tests a scratch home: it opens the site as a service would, and begins a write, as `/readyz` does. */
export function createTrySite(config: Config, clock: Clock): TrySite {
  return async (home) => {
    const site = await openSite(
      {
        ...config,
        POSTERN_HOME: home,
        POSTERN_BACKUPS: undefined,
        POSTERN_BACKUP_PASSPHRASE_FILE: undefined,
        // A scratch home has its own database file.
        POSTERN_DATABASE_URL: undefined,
      },
      () => undefined,
      clock,
    )
    try {
      await site.store.transaction(async () => undefined)
    } finally {
      await site.close()
    }
  }
}

/** Reads the passphrase that seals the site's backups; undefined if none is set. @throws Failure if it can't be used */
export function passphraseOf(config: Config): Promise<string | undefined> {
  return readSitePassphrase(config.POSTERN_BACKUP_PASSPHRASE_FILE, [config.POSTERN_HOME, backupsFolderOf(config)])
}

/**
 * Opens the site of these settings. Creates its home if there is none, and migrates its database.
 * @param backupWork makes and tests backups; by default in this thread
 * @param seat of this process, if it is one of several that serve the site
 * @throws Failure with one sentence for a home that can't be written, a lost key, a database newer than the program
 */
export async function openSite(
  config: Config,
  sink: Sink,
  clock: Clock = systemClock,
  backupWork: BackupWork = workHere(createTrySite(config, clock)),
  seat?: Seat,
): Promise<Site> {
  const log = openLog(config, sink, seat && nameOfSeat(seat))
  const base: BaseParts = { config, clock, log, release: releaseOf(config.POSTERN_COMPAT), metrics: createMetrics(log) }
  const opened = new Opened()
  try {
    const place = await databaseOf(config)
    const { home, leave } = await enterHome(config.POSTERN_HOME, place)
    opened.add(leave)
    const stored = await openStored(base, home, place, opened, seat)
    const plugins = await preparePlugins(base, stored, home)
    const inMemory = await openInMemory(base, stored, plugins, home, opened)
    const folder = backupsFolderOf(config)
    const passphrase = () => passphraseOf(config)
    const outbound = createOutbound({ log, config })
    const backups = createBackups({
      home: home.path,
      database: databaseSettingsOf(config),
      folder,
      store: stored.store,
      clock,
      log,
      work: backupWork,
      passphrase,
    })
    const site = {
      ...base,
      ...stored,
      ...inMemory,
      plugins,
      numbers: createNumbers({ ...base, processes: stored.processes, sinceLastLook: new Set([eventLoopMetric]) }),
      life: { stopping: false },
      rate: createCallRate(config, clock, stored.processes.limiter),
      outbound,
      takePicture: config.POSTERN_CHROMIUM === undefined ? undefined : createTakePicture(config.POSTERN_CHROMIUM, log),
      backups,
      elsewhere: createElsewhere({ ...base, ...stored, outbound, backups }),
      themeCheck: checkTheme,
      pageLook: lookAtPage,
      health: createHealth(),
      mail: createMail(accountNotices({ ...base, ...stored, ...inMemory })),
      jobs: createJobs({ store: stored.store, clock, log }),
      registry: createRegistry(allActions(), stored.types),
      close: () => opened.close(),
    }
    opened.add(() => site.numbers.stop())
    opened.add(() => plugins.close())
    opened.add(() => site.jobs.stop())
    await plugins.open(pluginsHost(site))
    return site
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** The parts opened so far, which are closed in reverse order. */
class Opened {
  readonly #closes: (() => unknown)[] = []

  add(close: () => unknown): void {
    this.#closes.push(close)
  }

  /** Closes the parts, the last opened first. If one fails, the others are still closed. */
  async close(): Promise<void> {
    const close = this.#closes.pop()
    if (!close) return
    try {
      await close()
    } finally {
      await this.close()
    }
  }
}

/** The parts that need no home. */
type BaseParts = Pick<Services, 'config' | 'clock' | 'log' | 'release' | 'metrics'>
/** The parts that are opened from the home. */
type StoredParts = Awaited<ReturnType<typeof openStored>>
/** The parts that live in memory while the site is open. */
type MemoryParts = Pick<Services, 'entries' | 'terms' | 'answers' | 'freshness' | 'renderer' | 'excerpts' | 'media' | 'themes'>

/** The settings that name a site's database. */
export const databaseSettingsOf = (config: Config): DatabaseSettings => ({
  url: config.POSTERN_DATABASE_URL,
  passwordFile: config.POSTERN_DATABASE_PASSWORD_FILE,
  path: join(config.POSTERN_HOME, databasePath),
})

/**
 * The database of a site: the one of its settings, or the file in its home. @throws Failure `refused` if the settings can't be used
 */
export const databaseOf = (config: Config): Promise<DatabasePlace> => findDatabase(databaseSettingsOf(config))

async function openStored(
  { clock, log, metrics, release }: BaseParts,
  home: Home,
  place: DatabasePlace,
  opened: Opened,
  seat: Seat | undefined,
) {
  const processes = openProcesses(home.data, seat, () => key.derive('rate limits'))
  opened.add(() => processes.close())
  const store = await openStore({ ...place, log, turns: processes.turns })
  opened.add(() => store.close())
  await migrateToLatest(store)
  const search = createSearchIndex(store, log)
  opened.add(() => search.stop())
  const key = await openSiteKey(home.data, store)
  const settings = await openSettings(store, release)
  const types = await openEntryTypes(store, clock.now())
  const maintenance = await openMaintenance(store, home.path, clock, log)
  opened.add(() => maintenance.close())
  const tokens = await openTokenStore(store, clock, log, cacheCounts(metrics, 'tokens'))
  opened.add(() => tokens.close())
  const visits = createVisits(store, clock, log)
  opened.add(() => visits.close())
  const statistics = createStatistics(store, settings, clock, log)
  opened.add(() => statistics.close())
  const skills = openSkillMirror(store, home.path, clock, log)
  const webhooks = await openWebhooks(store)
  return { store, processes, search, key, settings, types, maintenance, tokens, visits, statistics, skills, webhooks }
}

/** Prepares the plugins without running them. Deletes packages, uploads and drafts of media files that were left over. */
async function preparePlugins(
  { clock, log, metrics, release }: BaseParts,
  { store, processes }: StoredParts,
  home: Home,
): Promise<Plugins> {
  const pluginsFolder = pluginsFolderOf(home.path)
  await sweepStaging(pluginsFolder)
  await sweepIncoming(home.path, clock.now())
  await sweepMediaDrafts(home.path, clock.now())
  await sweepStaged(home.path, clock.now())
  const onFailed = (plugin: string) => metrics.count('plugin_restarts', { plugin })
  return createPlugins({ pluginsFolder, store, log, clock, release, onFailed, sharedFolder: processes.folder })
}

async function openInMemory(
  { config, clock, log, metrics }: BaseParts,
  stored: StoredParts,
  plugins: Plugins,
  home: Home,
  opened: Opened,
): Promise<MemoryParts> {
  const perPage = { log, timeoutMs: config.POSTERN_RENDER_SECONDS * 1000 }
  const renderer = createRenderer(perPage)
  opened.add(() => renderer.close())
  const entries = createEntryCache(stored.store, { counts: cacheCounts(metrics, 'entries') })
  const terms = await openTermIndex(stored.store)
  const media = createMediaParts(config.POSTERN_HOME, { log, timeoutMs: config.POSTERN_PICTURE_SECONDS * 1000 }, stored.store)
  opened.add(() => media.close())
  const themeRenderer = createThemeRenderer(perPage)
  opened.add(() => themeRenderer.close())
  const trials = createThemeRenderer(perPage)
  opened.add(() => trials.close())
  const mirror = openThemeMirror(stored.store, home.path, clock, log)
  const themes = createThemes({ store: stored.store, renderer: themeRenderer, trials, mirror, clock, log })
  const freshness = await createFreshness(
    stored.store,
    { ...stored, entries, terms, plugins, media, themes },
    { log, processes: stored.processes },
  )
  opened.add(() => freshness.stop())
  stored.search.onLate((counters) => freshness.committed({ counters, records: [], rows: [], stale: ['content'] }))
  const answers = createStandingCache<JsonText>(freshness, {
    maxBytes: 16 * 1024 ** 2,
    sizeOf: ({ text }) => 5 * text.length,
    counts: cacheCounts(metrics, 'answers'),
  })
  const excerpts = createExcerpts(renderer, cacheCounts(metrics, 'excerpts'))
  return { entries, terms, answers, freshness, renderer, excerpts, media, themes }
}
