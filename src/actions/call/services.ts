// The parts of the site as one value, composed at the start and passed to every action and door.

import type { Backups } from '../../backup/backups.ts'
import type { Elsewhere } from '../../backup/elsewhere/elsewhere.ts'
import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../base/config.ts'
import type { EntryCache } from '../../content/entries/entry-cache.ts'
import type { EntryTypeReader } from '../../content/types/entry-type-reader.ts'
import type { Excerpts } from '../../content/entries/excerpts.ts'
import type { Renderer } from '../../content/markdown/render.ts'
import type { TermIndex } from '../../content/terms/term-index.ts'
import type { Visits } from '../../content/redirects/visits.ts'
import type { TakePicture } from '../../eyes/types.ts'
import type { Reply } from '../../http/reply.ts'
import type { SiteKey } from '../../identity/site-key.ts'
import type { CallRate } from '../../identity/token-rate.ts'
import type { TokenStore } from '../../identity/token-store.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Log } from '../../base/log.ts'
import type { MediaParts } from '../../media/media-parts.ts'
import type { Metrics } from '../../base/metrics.ts'
import type { JsonText } from '../../base/json.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { Plugins } from '../../plugins/plugins.ts'
import type { Numbers } from '../../processes/numbers.ts'
import type { Processes } from '../../processes/processes.ts'
import type { Release } from '../../base/release.ts'
import type { Mail } from '../../mail/mail.ts'
import type { Maintenance } from '../../settings/maintenance.ts'
import type { SettingsReader } from '../../settings/settings-reader.ts'
import type { Statistics } from '../../statistics/statistics.ts'
import type { SkillMirror } from '../../skills/skill-mirror.ts'
import type { Themes } from '../../themes/themes.ts'
import type { Store } from '../../store/core/database.ts'
import type { SearchIndex } from '../../store/search/search-index.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import type { Theme } from '../../themes/theme.ts'
import type { Webhooks } from '../../webhooks/webhooks.ts'
import type { ThemeProblem } from '../../themes/engine/theme-jobs.ts'
import type { Freshness } from '../../cache/freshness.ts'
import type { Health } from '../health/health.ts'
import type { AreaNotes } from '../../cache/area-versions.ts'
import type { Registry } from './registry.ts'
import type { StandingCache } from '../../cache/standing-cache.ts'

/**
 * Finds the problems of a theme, which need not be active or stored. @param origin with the base path, without a slash at the end
 */
export type ThemeCheck = (site: Services, theme: Theme, origin: string) => Promise<readonly ThemeProblem[]>

/** Answers a path of the public site as visitors are answered. @throws Failure `invalid` for any other path */
export type PageLook = (
  site: Services,
  asked: {
    /** With the base path, without a slash at the end. */
    readonly origin: string
    /** The path below the origin, with its query, as it stands in an address. */
    readonly path: string
    /** A theme other than the active one. */
    readonly theme: Theme | undefined
    /** The entry that is shown at the path, instead of what is public there. */
    readonly staged: EntryRow | undefined
    readonly signal: AbortSignal
  },
) => Promise<Reply>

/** The program: its settings, clock, log and figures, and its place among the processes of the site. */
export interface ProgramServices {
  readonly config: Config
  readonly release: Release
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** The metrics of all processes on this machine. */
  readonly numbers: Numbers
  /** The state of the service. Once a stop has begun, `/readyz` reports that it is not ready. */
  readonly life: { stopping: boolean }
  /** The values that this process shares with the site's other processes on this machine. */
  readonly processes: Processes
}

/** The database, and the parts that keep caches of it fresh. */
export interface StoreServices {
  readonly store: Store
  readonly search: SearchIndex
  readonly freshness: Freshness
  /** The endpoints that get the events of the site, which each change writes for them. */
  readonly webhooks: Webhooks
  /** The mails of the site, some of which follow from changes. */
  readonly mail: Mail
  /** Cached answers, such as those of lists, which are valid until something changes. */
  readonly answers: StandingCache<JsonText>
}

/** Callers, and the limits of their rights. */
export interface IdentityServices {
  readonly key: SiteKey
  readonly tokens: TokenStore
  readonly rate: CallRate
}

/** The settings of the owner, and the maintenance mode. */
export interface SettingsServices {
  readonly settings: SettingsReader
  readonly maintenance: Maintenance
}

/** Entries, and the parts that their pages are made of. */
export interface ContentServices {
  readonly types: EntryTypeReader
  readonly entries: EntryCache
  readonly terms: TermIndex
  /** Counts followed redirects and missing paths. */
  readonly visits: Visits
  /** Counts visitors, programs and calls. */
  readonly statistics: Statistics
  readonly renderer: Renderer
  /** The summaries of entries for lists, feeds and metadata. */
  readonly excerpts: Excerpts
}

export interface MediaServices {
  /** The store of the owner's files, and the process that reads images. */
  readonly media: MediaParts
}

export interface ThemeServices {
  readonly themes: Themes
  /** Renders pages of the site with a theme to find its problems. */
  readonly themeCheck: ThemeCheck
  /** Pages as visitors get them. */
  readonly pageLook: PageLook
}

/** Extensions by others: plugins run here, and AI clients read skills. */
export interface ExtensionServices {
  readonly plugins: Plugins
  readonly skills: SkillMirror
}

/** Work outside calls: jobs, backups, checks, and requests to other machines. */
export interface OperationServices {
  readonly jobs: Jobs
  readonly backups: Backups
  /** Backups in a place on another machine. */
  readonly elsewhere: Elsewhere
  readonly health: Health
  /** The only part that sends requests to other machines. */
  readonly outbound: Outbound
  /** Takes pictures of public pages; undefined if `POSTERN_CHROMIUM` is unset. */
  readonly takePicture?: TakePicture | undefined
}

/** All parts of the site. A function that needs few of them takes a slice, which shows what it can access. */
export interface Services
  extends
    ProgramServices,
    StoreServices,
    IdentityServices,
    SettingsServices,
    ContentServices,
    MediaServices,
    ThemeServices,
    ExtensionServices,
    OperationServices {
  readonly registry: Registry
  /** In a view that records the areas that a cached value reads: the site behind the view, and the areas. */
  readonly view?: { readonly site: Services; readonly notes: AreaNotes }
}
