// The public site as plain files that any web server can serve. It is crawled as a visitor would: from the home page and the
// sitemap along its links, so that pages, feeds, style sheets and the sizes of pictures that pages use are found alike.

import type { Db } from '../store/core/database.ts'
import { Failure } from '../base/failure.ts'
import { publicOnly } from '../content/entries/entry.ts'
import type { ExportFile, ExportFiles } from './export-file.ts'
import { linksIn, withPaths } from './page-links.ts'
import { joinChains, redirectLines, redirectPage, redirectsForNginx } from './redirect-files.ts'
import { foundPage, type FoundPage, searchFiles, searchScriptTag } from './static-search.ts'

/** The answer to a visitor at a path. */
export interface LookedPage {
  readonly status: number
  readonly contentType: string
  readonly location: string | undefined
  readonly body: Buffer | string
}

export interface StaticParts {
  readonly db: Db
  readonly now: number
  /** The origin of links, with the base path, without a slash at the end. */
  readonly origin: string
  /** @throws Failure `invalid` for what is no path of the public site */
  readonly look: (path: string) => Promise<LookedPage>
  readonly signal?: AbortSignal | undefined
}

const seeds = [
  '/',
  '/sitemap.xml',
  '/robots.txt',
  '/feed.xml',
  '/atom.xml',
  '/feed.json',
  '/llms.txt',
  '/favicon.ico',
  '/site.webmanifest',
]
const searchPath = '/search'
/** Any path that no page has. */
const missingPath = '/nothing-is-here-404'

/** @throws Failure `unavailable` while the site is closed */
export async function* staticFiles(parts: StaticParts): ExportFiles {
  const { look, origin, signal } = parts
  const taken = new Set<string>()
  const queue = [...seeds]
  const known = new Set(queue)
  const pages: FoundPage[] = []
  const moved: { readonly source: string; readonly target: string; readonly status: number }[] = []
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    signal?.throwIfAborted()
    if (isSearch(path)) continue
    const page = await tryLook(look, path)
    if (page === undefined) continue
    if (page.status === 503) throw closed()
    if (page.location !== undefined && page.status >= 300 && page.status < 400)
      moved.push({ source: path, target: page.location, status: page.status })
    if (page.status !== 200) continue
    const name = fileOf(path, page.contentType)
    taken.add(name)
    const isPage = page.contentType.startsWith('text/html')
    yield { path: name, content: isPage ? { text: withPaths(page.body.toString(), origin) } : { bytes: Buffer.from(page.body) } }
    const found = isPage && !path.includes('?') ? foundPage(path, page.body.toString()) : undefined
    if (found) pages.push(found)
    for (const link of linksIn(page.body.toString(), page.contentType, path, origin))
      if (!known.has(link)) {
        known.add(link)
        queue.push(link)
      }
  }
  const missing = await look(missingPath)
  yield { path: '404.html', content: { text: withPaths(missing.body.toString(), origin) } }
  yield* searchPage(parts, pages)
  for await (const file of rootFiles(parts)) if (!taken.has(file.path)) yield file
  yield* redirects(parts, moved, taken)
}

const closed = (): Failure =>
  new Failure('unavailable', 'The site is closed for maintenance, so it has no pages to export.', {
    hint: 'postern maintenance off',
  })

/** Searches have no end: each has pages of its own. */
const isSearch = (path: string): boolean => path === searchPath || /^(?:\/[\w-]+)?\/search(?:\/|$)/.test(path)

async function tryLook(look: StaticParts['look'], path: string): Promise<LookedPage | undefined> {
  try {
    return await look(path)
  } catch (error) {
    if (error instanceof Failure && error.code === 'invalid') return undefined
    throw error
  }
}

/** The name of the file for a path. A page is the index of its folder, so that its address stays; a page of a list is below it. */
function fileOf(path: string, contentType: string): string {
  const [plain = '', page] = path.split('?page=')
  const name = decodeURIComponent(page === undefined ? plain : `${plain}/page/${page}`).replace(/^\/+|\/$/g, '')
  if (!contentType.startsWith('text/html')) return name
  return name === '' ? 'index.html' : `${name}/index.html`
}

async function* searchPage({ look, origin }: StaticParts, pages: readonly FoundPage[]): AsyncGenerator<ExportFile> {
  const page = await look(searchPath)
  if (page.status !== 200) return
  const base = new URL(`${origin}/`).pathname.slice(0, -1)
  const html = withPaths(page.body.toString(), origin).replace(/<\/body>/i, `${searchScriptTag(base)}</body>`)
  yield { path: 'search/index.html', content: { text: html } }
  yield* searchFiles(pages, base)
}

async function* rootFiles({ db }: StaticParts): AsyncGenerator<ExportFile> {
  const rows = await db.selectFrom('site_file').selectAll().orderBy('path').execute()
  for (const { path, text } of rows) yield { path: path.slice(1), content: { text } }
}

/** Yields the redirects in three forms, of which each host understands one. */
async function* redirects(
  { db, now, origin }: StaticParts,
  moved: readonly { readonly source: string; readonly target: string; readonly status: number }[],
  taken: ReadonlySet<string>,
): AsyncGenerator<ExportFile> {
  const rules = await db.selectFrom('redirect').select(['source', 'target', 'status', 'note']).orderBy('source').execute()
  const former = await db
    .selectFrom('former_path')
    .innerJoin('entry', 'entry.id', 'former_path.entry_id')
    .select(['former_path.path as source', 'entry.path as target'])
    .where((eb) => publicOnly(eb, now))
    .orderBy('former_path.path')
    .execute()
  const all = new Map<string, (typeof rules)[number]>(
    moved.map((rule) => [rule.source, { ...rule, note: null as string | null }]),
  )
  for (const { source, target } of former) all.set(source, { source, target, status: 301, note: null })
  for (const rule of rules) all.set(rule.source, rule)
  if (all.size === 0) return
  const list = joinChains([...all.values()])
  yield { path: '_redirects', content: { text: redirectLines(list) } }
  yield { path: 'redirects.nginx.conf', content: { text: redirectsForNginx(list) } }
  for (const { source, target } of list) {
    const name = fileOf(source, 'text/html')
    if (target === null || source.endsWith('*') || taken.has(name) || taken.has(name.replace(/\/index\.html$/, ''))) continue
    yield { path: name, content: { text: redirectPage(target, origin) } }
  }
}
