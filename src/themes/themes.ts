// The themes of a running site: the active one, kept in memory until a theme changes, the thread that renders, and what failed last.

import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { RowChange } from '../store/change.ts'
import type { Store } from '../store/database.ts'
import { defaultTheme, shippedThemes } from './shipped.ts'
import type { Theme } from './theme.ts'
import type { ThemeProblem } from './theme-jobs.ts'
import type { ThemeMirror } from './theme-mirror.ts'
import type { ThemeRenderer } from './theme-renderer.ts'
import { findActive, findTheme, themeOf } from './theme-store.ts'

/** A page that the active theme could not show. */
export interface ThemeFailure {
  readonly slug: string
  readonly template: string
  readonly problems: readonly ThemeProblem[]
  readonly at: number
}

export interface Themes {
  readonly renderer: ThemeRenderer
  /** Renders previews and checks, in a thread of its own: a slow theme makes nobody wait but those who look at it. */
  readonly trials: ThemeRenderer
  readonly mirror: ThemeMirror
  /** The theme that visitors see. */
  active(): Promise<Theme>
  find(slug: string): Promise<Theme | undefined>
  /** The shipped theme that is shown where the active one fails. */
  fallback(): Theme
  /** What failed last since the themes changed; undefined where nothing did. */
  readonly failure: ThemeFailure | undefined
  /** Themes as preview links keep them, by link, so that a page and its assets read their files once. */
  readonly previewed: LRUCache<string, Promise<Theme>>
  /** Notes that a page could not be shown. It isn't tried again for a few seconds. */
  failed(theme: Theme, template: string, problems: readonly ThemeProblem[]): void
  /** What a template of a theme failed with a moment ago. */
  failedJustNow(theme: Theme, template: string): readonly ThemeProblem[] | undefined
  /** Forgets what is in memory, after a theme changed. */
  reload(): void
  /** Tells the folder of theme files what a commit of this process changed. */
  applied(records: readonly RowChange[]): Promise<void>
}

const maxPreviewed = 8

/** A theme that is too slow must not take the thread for itself. */
const restMs = 10_000
/** A preview of the active theme that fails says nothing about the pages of visitors. */
const restingKey = ({ active, source }: Theme, template: string): string => `${active} ${source.version} ${template}`

export interface ThemesParts {
  readonly store: Store
  readonly renderer: ThemeRenderer
  readonly trials: ThemeRenderer
  readonly mirror: ThemeMirror
  readonly clock: Clock
  readonly log: Log
}

export function createThemes({ store, renderer, trials, mirror, clock, log }: ThemesParts): Themes {
  let loaded = new Map<string, Promise<Theme | undefined>>()
  let active: Promise<string> | undefined
  let failure: ThemeFailure | undefined
  let resting = new Map<string, ThemeFailure>()

  const find = (slug: string): Promise<Theme | undefined> => {
    const known = loaded.get(slug)
    if (known) return known
    const into = loaded
    const loading = findTheme(store.read, slug).catch((error: unknown) => {
      into.delete(slug)
      throw error
    })
    into.set(slug, loading)
    return loading
  }
  const activeSlug = (): Promise<string> => {
    const looking = (active ??= findActive(store.read).catch((error: unknown) => {
      active = undefined
      throw error
    }))
    return looking
  }
  let shipped: Theme | undefined
  const fallback = (): Theme =>
    (shipped ??= themeOf(defaultTheme, undefined, {
      shipped: true,
      own: shippedThemes().get(defaultTheme) ?? new Map(),
      limited: new Set(),
      active: false,
    }))

  return {
    renderer,
    trials,
    mirror,
    find,
    fallback,
    previewed: new LRUCache({ max: maxPreviewed }),
    async active() {
      return (await find(await activeSlug())) ?? fallback()
    },
    get failure() {
      return failure
    },
    failed(theme, template, problems) {
      const failed = { slug: theme.slug, template, problems, at: clock.now() }
      resting.set(restingKey(theme, template), failed)
      if (!theme.active) return
      failure = failed
      log.warn('the theme could not show a page', { theme: theme.slug, template, problems })
    },
    failedJustNow(theme, template) {
      const last = resting.get(restingKey(theme, template))
      return last && Math.abs(clock.now() - last.at) < restMs ? last.problems : undefined
    },
    reload() {
      loaded = new Map()
      active = undefined
      failure = undefined
      resting = new Map()
    },
    applied: (records) => mirror.applied(records),
  }
}
