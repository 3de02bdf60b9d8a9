// The themes of a running site: the active theme, cached until a theme changes, the rendering threads, and the last failure.

import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { RowChange } from '../store/change/change.ts'
import type { Store } from '../store/core/database.ts'
import { defaultTheme, shippedThemes } from './shipped.ts'
import type { Theme } from './theme.ts'
import type { ThemeProblem } from './engine/theme-jobs.ts'
import type { ThemeMirror } from './theme-mirror.ts'
import type { ThemeRenderer } from './engine/theme-renderer.ts'
import { findActive, findTheme, themeOf } from './theme-store.ts'

/** The failure of the active theme on a page. */
export interface ThemeFailure {
  readonly slug: string
  readonly template: string
  readonly problems: readonly ThemeProblem[]
  readonly at: number
}

export interface Themes {
  readonly renderer: ThemeRenderer
  /** The renderer for previews and checks. It has a separate thread, so that a slow theme does not delay visitors. */
  readonly trials: ThemeRenderer
  readonly mirror: ThemeMirror
  /** The theme that visitors see. */
  active(): Promise<Theme>
  find(slug: string): Promise<Theme | undefined>
  /** The shipped theme that replaces the active one after a failure. */
  fallback(): Theme
  /** The last failure since the themes changed; undefined if there was none. */
  readonly failure: ThemeFailure | undefined
  /** Themes in the states of preview links, by link, so that a page and its assets read the files once. */
  readonly previewed: LRUCache<string, Promise<Theme>>
  /** Records a failure of a template. The template isn't tried again for a few seconds. */
  failed(theme: Theme, template: string, problems: readonly ThemeProblem[]): void
  /** The problems of a template that failed a moment ago. */
  failedJustNow(theme: Theme, template: string): readonly ThemeProblem[] | undefined
  /** Empties the caches after a theme has changed. */
  reload(): void
  /** Updates the folder of theme files after a commit of this process. */
  applied(records: readonly RowChange[]): Promise<void>
}

const maxPreviewed = 8

/** The pause after a failure, so that a slow theme does not occupy the thread. */
const restMs = 10_000
/** The key of a template's pause. Previews have their own keys, because their failures say nothing about the pages of visitors. */
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
