// The problems of a theme: every kind of page is rendered, with entries of the site and with sample data. None of these pages is
// shown. A clean result is cached until its inputs change.

import { readingCaches } from '../kept/reading-cache.ts'
import type { ThemeCheck, ThemeServices } from '../../actions/call/services.ts'
import { publicByIndex } from '../../content/entries/entry.ts'
import { Failure } from '../../base/failure.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import type { ThemeData, ThemePage } from '../../themes/contract.ts'
import { madePages } from '../../themes/engine/made-data.ts'
import { type Theme, templateOf } from '../../themes/theme.ts'
import type { ThemeProblem } from '../../themes/engine/theme-jobs.ts'
import { languageOfPath } from './alternates.ts'
import type { Frame } from './frame.ts'
import { findHome } from './make-page.ts'
import { entryPageData } from './page-data/entry-page.ts'
import { errorPageData } from './page-data/error-page.ts'
import { homePageData } from './page-data/home-page.ts'
import { postsOf } from './page-data/posts.ts'
import { dataOf } from './page-data/site.ts'

/** The most problems in an answer. */
const maxProblems = 20

type Problems = readonly ThemeProblem[]

const maxBytes = 64 * 1024

/** Problems are not cached, because a busy machine may have caused them. */
const cacheOf = readingCaches<Problems>({
  maxBytes,
  sizeOf: (problems, key) => (problems.length > 0 ? maxBytes + 1 : 2 * key.length),
})

export const checkTheme: ThemeCheck = async (site, theme, origin) => {
  if (theme.problems.length > 0) return theme.problems
  const key = `${theme.source.version} ${origin} ${JSON.stringify(theme.settings)}`
  // The origin is empty for edits of files in the folder, because no request made them.
  return cacheOf(site).load(site, key, (view) => findProblems({ site: view, origin: origin || 'http://localhost' }, theme))
}

async function findProblems(frame: Frame, theme: Theme): Promise<Problems> {
  const pages = [...(await realPages(frame)), errorPageData(frame, 404, languageOfPath(frame.site, '/'))]
  const real = await Promise.all(pages.map((page) => dataOf(frame, theme, page, '/about')))
  const [base] = real
  const found = new Map<string, ThemeProblem>()
  for (const data of base ? [...real, ...madePages(base)] : real) {
    for (const problem of await problemsOf(frame.site, theme, data)) found.set(JSON.stringify(problem), problem)
    if (found.size >= maxProblems) break
  }
  return [...found.values()].slice(0, maxProblems)
}

async function problemsOf({ themes }: ThemeServices, theme: Theme, data: ThemeData): Promise<Problems> {
  const template = templateOf(theme, data.page.kind)
  if (template === undefined) return [{ file: `${data.page.kind}.liquid`, line: null, message: 'is missing' }]
  const result = await themes.trials.render(theme.source, template, data)
  return 'problems' in result ? result.problems : []
}

const root = { branch: null, page: 1 }

/** The home page, and the newest entry of each type. */
async function realPages(frame: Frame): Promise<readonly ThemePage[]> {
  const { home } = frame.site.settings.values
  const chosen = home === null ? undefined : await findHome(frame, home, null)
  const newest = await Promise.all(frame.site.types.current.slugs.map((type) => findNewest(frame, type)))
  const posts = await postsOf(frame, root)
  const made = await Promise.all([
    homePageData(frame, root),
    chosen && entryData(frame, { ...chosen, path: '/' }, { home: posts?.entries ?? [] }),
    ...newest.map((entry) => entry && entryData(frame, entry)),
  ])
  return made.flatMap((one) => (one ? [one.page] : []))
}

/** The data of an entry's page. A text that can't be rendered is no fault of the theme. */
async function entryData(...given: Parameters<typeof entryPageData>) {
  try {
    return await entryPageData(...given)
  } catch (error) {
    if (error instanceof Failure && error.code === 'unprocessable') return undefined
    throw error
  }
}

const findNewest = ({ site }: Frame, type: string): Promise<EntryRow | undefined> =>
  site.store.read
    .selectFrom('entry')
    .selectAll()
    .where('type', '=', type)
    .where((eb) => publicByIndex(eb, site.clock.now()))
    .orderBy('updated_at', 'desc')
    .limit(1)
    .executeTakeFirst()
