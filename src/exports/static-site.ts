// The public site as plain files that any web server can serve. It is crawled as a visitor would: from the home page and the
// sitemap along its links, so that pages, feeds, style sheets and the sizes of pictures that pages use are found alike.

import { setTimeout as sleep } from 'node:timers/promises'
import { bodyBytes } from '../http/body-bytes.ts'
import { HttpFailure } from '../http/failure.ts'
import type { Reply } from '../http/reply.ts'
import { inPieces } from '../base/bytes-of.ts'
import { PackedMap, type ReadonlyPackedMap } from '../base/packed-map.ts'
import type { RedirectRow } from '../store/core/schema.ts'
import type { Db } from '../store/core/database.ts'
import { errorMessage } from '../base/error-message.ts'
import { Failure } from '../base/failure.ts'
import { publicByIndex, publicOnly } from '../content/entries/entry.ts'
import { languagePath, languagesOf } from '../content/languages/languages.ts'
import { siteWord } from '../themes/site-words.ts'
import type { SettingValues } from '../settings/definitions.ts'
import type { ExportFile, ExportFiles } from './export-file.ts'
import { basePathIn, linksIn, withPaths } from './page-links.ts'
import { oldPathRedirects } from './old-address-files.ts'
import { joinChains, redirectLines, redirectPage, redirectsForNginx } from './redirect-files.ts'
import { rootFiles } from './structure-files.ts'
import { createIndex, foundPage, searchFiles, searchScriptTag } from './static-search.ts'

export interface StaticParts {
  readonly db: Db
  readonly now: number
  readonly settings: Pick<SettingValues, 'language' | 'languages' | 'home'>
  /** The origin of links, with the base path, without a slash at the end. */
  readonly origin: string
  /** Answers as a visitor is answered at a path. @throws Failure `invalid` for what is no path of the public site */
  readonly look: (path: string) => Promise<Reply>
  readonly isClosed: () => boolean
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
/** Any path that no page has. */
const missingPath = '/nothing-is-here-404'

/** @throws Failure `unavailable` while the site is closed */
export async function* staticFiles(parts: StaticParts): ExportFiles {
  const { origin } = parts
  const taken = new PackedMap<1>()
  const searches = searchPaths(parts)
  // Paths that are found on the way are added at the end, and this loop reaches them.
  const known = new PackedMap<1>()
  for (const seed of seeds) known.set(seed, 1)
  const index = createIndex()
  const entries = await entryPaths(parts)
  const homes = homePaths(parts)
  const moved = new PackedMap<Redirect>()
  for (const path of known.keys()) {
    if (searches.includes(path)) continue
    const reply = await lookAt(parts, path)
    if (reply === undefined) continue
    const { status } = reply
    const location = headerOf(reply, 'location')
    if (location !== '' && status >= 300 && status < 400) {
      const source = decoded(path)
      moved.set(source, { source, target: targetIn(location, origin), status, note: null })
    }
    if (status !== 200) continue
    const contentType = headerOf(reply, 'content-type')
    const name = fileOf(path, contentType)
    taken.set(name, 1)
    const size = Number(headerOf(reply, 'content-length'))
    if (size > maxHeldBytes) {
      yield { path: name, content: { size, open: opener(reply, () => lookAt(parts, path)) } }
      continue
    }
    const body = await bodyBytes(reply.body)
    const html = contentType.startsWith('text/html') ? body.toString() : undefined
    yield { path: name, content: html === undefined ? { bytes: body } : { text: withPaths(html, origin) } }
    const found = html !== undefined && (entries.has(decoded(path)) || homes.includes(path)) ? foundPage(path, html) : undefined
    if (found) index.add(found)
    for (const link of linksIn(html ?? body, contentType, path, origin)) if (!known.has(link)) known.set(link, 1)
  }
  const missing = await lookAt(parts, missingPath)
  // A rule for all paths leads on from this one, too.
  if (missing?.status === 404)
    yield { path: '404.html', content: { text: withPaths((await bodyBytes(missing.body)).toString(), origin) } }
  yield* searchPages(parts, searches)
  yield* searchFiles(index, basePathIn(origin))
  for await (const file of rootFiles(parts, '')) if (!taken.has(file.path)) yield file
  yield* redirects(parts, moved, taken)
}

/** The most bytes of a file in memory. A larger one is read when it is written. */
const maxHeldBytes = 4 * 1024 ** 2

/** The paths of home pages, if they show an entry. */
const homePaths = ({ settings }: StaticParts): readonly string[] =>
  settings.home === null ? [] : ['/', ...languagesOf(settings).further.map(languagePath)]

/** The paths of public entries. The search finds these alone: lists only name them. */
async function entryPaths({ db, now }: StaticParts): Promise<ReadonlyPackedMap<1>> {
  const paths = new PackedMap<1>()
  const rows = await db
    .selectFrom('entry')
    .select('path')
    .where((eb) => publicByIndex(eb, now))
    .execute()
  for (const { path } of rows) if (path !== null) paths.set(path, 1)
  return paths
}

const headerOf = ({ headers }: Reply, name: string): string => headers[name]?.toString() ?? ''

/** Returns what opens the stream of a reply. The first reader takes the reply that is there, whose file is open already. */
function opener(first: Reply, look: () => Promise<Reply | undefined>): () => AsyncGenerator<Uint8Array> {
  let next: Reply | undefined = first
  return async function* () {
    const reply = next
    next = undefined
    const body = (reply ?? (await look()))?.body
    if (body && 'stream' in body) yield* body.stream
  }
}

const closed = (): Failure =>
  new Failure('unavailable', 'The site is closed for maintenance, so it has no pages to export.', {
    hint: 'postern maintenance off',
  })

/** The pages of the search: that of the whole site, and one for each further language. */
const searchPaths = ({ settings }: StaticParts): readonly string[] => [
  searchPath,
  ...languagesOf(settings).further.map((language) => languagePath(language) + searchPath),
]

const searchPath = '/search'

/** The most tries for an answer that is promised for later, such as a picture whose sizes are being made. */
const maxTries = 20

/** Looks at a path; undefined for what is no path of the public site. @throws Failure that names the path */
async function lookAt({ look, isClosed, signal }: StaticParts, path: string): Promise<Reply | undefined> {
  for (let tries = 1; ; tries += 1) {
    signal?.throwIfAborted()
    if (isClosed()) throw closed()
    try {
      return await look(path)
    } catch (error) {
      if (error instanceof Failure && error.code === 'invalid') return undefined
      const wait = error instanceof HttpFailure ? error.retryAfterSeconds : undefined
      if (wait === undefined || tries === maxTries)
        throw new Failure('unavailable', `${path} could not be exported: ${errorMessage(error)}`, {}, { cause: error })
      await sleep(wait * 1000, undefined, { signal })
    }
  }
}

/** The target of a redirect as rules have it: a path of the site is decoded, and without the base path. */
function targetIn(location: string, origin: string): string {
  const base = [origin, basePathIn(origin)].find((one) => location.startsWith(`${one}/`))
  return base === undefined ? location : decoded(location.slice(base.length))
}

/** The name of the file for a path. A page is the index of its folder, so that its address stays; a page of a list is below it. */
function fileOf(path: string, contentType: string): string {
  const [plain = '', page] = path.split('?page=')
  const name = decoded(page === undefined ? plain : `${plain}/page/${page}`).replace(/^\/+|\/$/g, '')
  if (!contentType.startsWith('text/html')) return name
  return name === '' ? 'index.html' : `${name}/index.html`
}

/** Decodes a path. An old path may have a percent sign of its own. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Yields the pages with the form of the search. The script on each finds what is below its own folder. */
async function* searchPages(parts: StaticParts, paths: readonly string[]): AsyncGenerator<ExportFile> {
  const { origin, settings } = parts
  const { main, further } = languagesOf(settings)
  for (const path of paths) {
    const reply = await lookAt(parts, path)
    if (reply?.status !== 200) continue
    const branch = path.slice(0, -searchPath.length)
    const language = further.find((one) => languagePath(one) === branch) ?? main
    const tag = searchScriptTag(basePathIn(origin), branch, siteWord(language, 'nothing_found', new Map([['query', '{query}']])))
    const html = withPaths((await bodyBytes(reply.body)).toString(), origin).replace(/<\/body>/i, `${tag}</body>`)
    yield { path: fileOf(path, 'text/html'), content: { text: html } }
  }
}

type Redirect = Pick<RedirectRow, 'source' | 'target' | 'status' | 'note'>

/**
 * Yields the redirects in three forms, of which each host understands one. A page wins over a redirect from its path.
 * @param all the redirects that the crawl met, by source; the rules of the site are added
 * @param taken the names of files that are there
 */
async function* redirects(
  { db, now, origin }: StaticParts,
  all: PackedMap<Redirect>,
  taken: PackedMap<1>,
): AsyncGenerator<ExportFile> {
  const rules = await db.selectFrom('redirect').select(['source', 'target', 'status', 'note']).orderBy('source').execute()
  const former = await db
    .selectFrom('former_path')
    .innerJoin('entry', 'entry.id', 'former_path.entry_id')
    .select(['former_path.path as source', 'entry.path as target'])
    .where((eb) => publicOnly(eb, now))
    .orderBy('former_path.path')
    .execute()
  for await (const rule of oldPathRedirects(db, now)) all.set(rule.source, { ...rule, status: 301, note: null })
  for (const { source, target } of former) all.set(source, { source, target, status: 301, note: null })
  for (const rule of rules) all.set(rule.source, rule)
  const isPage = (source: string): boolean =>
    taken.has(fileOf(source, 'text/html')) || (source.length > 1 && taken.has(fileOf(source, '')))
  const below = (path: string): string => (/^\/(?!\/)/.test(path) ? basePathIn(origin) + path : path)
  function* shown(): Iterable<Redirect> {
    for (const rule of joinChains(all))
      if (!isPage(rule.source))
        yield { ...rule, source: below(rule.source), target: rule.target === null ? null : below(rule.target) }
  }
  if (shown()[Symbol.iterator]().next().done) return
  yield { path: '_redirects', content: { pieces: inPieces(redirectLines(shown())) } }
  yield { path: 'redirects.nginx.conf', content: { pieces: inPieces(redirectsForNginx(shown())) } }
  for (const { source, target } of joinChains(all)) {
    // A page can't stand in for a picture, a query or a pattern.
    if (target === null || isPage(source) || /\*$|\?|\.(?:jpe?g|png|gif|webp|avif|svg|pdf)$/i.test(source)) continue
    const path = fileOf(source, 'text/html')
    taken.set(path, 1)
    yield { path, content: { text: redirectPage(below(target), origin) } }
  }
}
