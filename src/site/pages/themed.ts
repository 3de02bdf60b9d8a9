// Renders a page with the active theme. If the theme fails, visitors get the last good page or the page in the shipped theme. The
// site's health and the log report the error.

import { Failure } from '../../base/failure.ts'
import type { ThemePage } from '../../themes/contract.ts'
import { type Theme, templateOf } from '../../themes/theme.ts'
import type { ThemeProblem } from '../../themes/engine/theme-jobs.ts'
import type { ThemeResult } from '../../themes/engine/theme-renderer.ts'
import type { Frame } from './frame.ts'
import type { LastPages, PageAddress } from '../kept/last-pages.ts'
import { dataOf } from './page-data/site.ts'

export interface Themed {
  readonly html: string
  /** False for a fallback page. It is not cached, so that the next request tries again. */
  readonly good: boolean
}

/** @throws Failure `unavailable` when too many pages wait; `unprocessable` in a preview, with the theme's problem */
export async function themed(frame: Frame, page: ThemePage, last: LastPages | undefined, address: PageAddress): Promise<Themed> {
  const { themes } = frame.site
  const theme = frame.preview ?? (frame.aside ? { ...(await themes.active()), active: false } : await themes.active())
  const result = await rendered(frame, theme, page, address.path)
  if ('html' in result) {
    if (!frame.preview) last?.keep(address, result.html)
    return { html: result.html, good: true }
  }
  if (frame.preview) throw problemFailure(theme, result.problems)
  const kept = await last?.find(address)
  if (kept !== undefined) return { html: kept, good: false }
  const fallback = await rendered(frame, themes.fallback(), page, address.path)
  if ('html' in fallback) return { html: fallback.html, good: false }
  throw problemFailure(themes.fallback(), fallback.problems)
}

/** Renders a page in a theme, or returns the theme's problems. */
export async function rendered(frame: Frame, theme: Theme, page: ThemePage, path: string): Promise<ThemeResult> {
  const { themes } = frame.site
  if (theme.problems.length > 0) return failed(frame, theme, page.kind, theme.problems)
  const template = templateOf(theme, page.kind) ?? page.kind
  const before = themes.failedJustNow(theme, template)
  if (before) return { problems: before }
  const renderer = frame.preview || frame.aside ? themes.trials : themes.renderer
  const result = await renderer.render(theme.source, template, await dataOf(frame, theme, page, path))
  return 'html' in result ? result : failed(frame, theme, template, result.problems)
}

function failed({ site }: Frame, theme: Theme, template: string, problems: readonly ThemeProblem[]): ThemeResult {
  site.themes.failed(theme, template, problems)
  return { problems }
}

/** The first problem as a failure, with its file and line. */
function problemFailure({ slug }: Pick<Theme, 'slug'>, problems: readonly ThemeProblem[]): Failure {
  return new Failure('unprocessable', `The theme ${slug} can't show this page: ${sentenceOf(problems[0])}.`)
}

const sentenceOf = (problem: ThemeProblem | undefined): string =>
  problem === undefined
    ? 'it failed'
    : [problem.file, problem.line === null ? undefined : `line ${problem.line}`].filter(Boolean).join(', ') +
      `: ${problem.message}`
