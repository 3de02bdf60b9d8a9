// The routes of the public site: entries at their paths, the home page, 404, and the folders that are never served.

import { protectedFolders } from '../doctor/protected-paths.ts'
import type { Services } from '../actions/services.ts'
import { notModified, notModifiedReply } from '../http/conditional.ts'
import { HttpFailure } from '../http/failure.ts'
import { foldPath } from '../http/fold-path.ts'
import { bytes, html, redirect, type Reply, text } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import type { Handler, Route } from '../http/route.ts'
import type { Fallback } from '../http/router.ts'
import { cacheCounts } from '../metrics.ts'
import { prefersMarkdown } from './accept.ts'
import { findHomeLanguage, findTranslatedHome, listHomes } from './alternates.ts'
import { findClosed } from './closed-page.ts'
import { extRoute } from './ext.ts'
import { mediaRoutes } from './media-files.ts'
import { messagePage, notFoundPage } from './message-page.ts'
import { metricsRoute } from './metrics-page.ts'
import { createPageCache, type PageCache, type PageKey } from './page-cache.ts'
import { Failure } from '../failure.ts'
import { findPublicEntry, findPublicEntryById } from './public-entries.ts'
import { redirectReply } from './redirects.ts'
import { entryMarkdown, entryReply, type Frame, homeMarkdown, homeReply, htmlHeaders, identityOf } from './public-page.ts'
import { searchPath, searchReply } from './search-reply.ts'
import { previewRoute } from './preview-page.ts'
import { signedFileRoute } from './signed-file.ts'
import { stylesheet, stylesheetPath } from './style.ts'

const door = 'site'

/** Whether a raw path leads into a protected folder, however it is spelled (ATTACKS 129). */
export function isProtected(rawPath: string): boolean {
  const folded = foldPath(rawPath)
  return protectedFolders.some((folder) => folded === folder || folded.startsWith(`${folder}/`))
}

/** The site's fixed routes. Entries are served by the fallback. @param pages the handler of the fallback */
export function siteRoutes(site: Services, pages: Handler): readonly Route[] {
  const get = (path: string, handler: Handler): Route => ({
    path,
    slash: 'exact',
    letterCase: 'exact',
    methods: { GET: handler },
    door,
  })
  const css = Buffer.from(stylesheet)
  const cssHeaders = { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=31536000, immutable' }
  return [
    extRoute(site),
    signedFileRoute(site),
    previewRoute(site),
    ...mediaRoutes(site, pages),
    get(stylesheetPath, () => bytes(200, css, cssHeaders)),
    get('/healthz', () => text(200, `ok\n${processLine(site)}${maintenanceLine(site)}`, { 'cache-control': 'no-store' })),
    get('/readyz', (request) => readiness(site, request)),
    metricsRoute(site),
  ]
}

/** Which of the site's processes answers; no line where there is only one. */
const processLine = ({ processes: { name } }: Services): string => (name === undefined ? '' : `process: ${name}\n`)

/** A line for monitoring: the service answers, but the site is closed. */
function maintenanceLine({ maintenance }: Services): string {
  const closed = maintenance.now()
  if (!closed) return ''
  return closed.until === null ? 'maintenance: on\n' : `maintenance: on until ${new Date(closed.until).toISOString()}\n`
}

/** The service is ready if the database accepts writes, calls are answered from fresh caches, and no stop has begun. */
async function readiness(site: Services, { id: reference }: Request): Promise<Reply> {
  const headers = { 'cache-control': 'no-store' }
  if (site.life.stopping) return text(503, 'The service is stopping.\n', { ...headers, 'retry-after': '5' })
  try {
    await site.store.checkWritable()
    const standing = (await site.freshness.catchUp()) ?? 'fresh'
    if (standing !== 'fresh') throw new Error('The caches could not be compared with the database yet.')
    return text(200, `ready\n${processLine(site)}${maintenanceLine(site)}`, headers)
  } catch (error) {
    site.log.error('not ready', { reference, door, error })
    // A failure with a hint says what the owner can do.
    const why = error instanceof Failure && error.detail.hint ? ` ${error.message}` : ''
    return text(503, `The database accepts no writes.${why} The log has the details under ${reference}.\n`, {
      ...headers,
      'retry-after': '5',
    })
  }
}

/** Handles every path that no route matches: a page of the site, or 404. */
export function siteFallback(pages: Handler): Fallback {
  return { door, methods: { GET: pages } }
}

/** Serves the pages of the site, and keeps them. */
export function createPages(site: Services): Handler {
  const cache = createPageCache(site.freshness, cacheCounts(site.metrics, 'pages'))
  const entryOrSearch = async (request: Request) => {
    const isEntry = await findPublicEntry(site.store.read, searchPath, site.clock.now())
    return isEntry ? publicPage(site, cache, request) : (findClosed(site, request) ?? searchReply(site, request))
  }
  return (request) => (request.path === searchPath ? entryOrSearch(request) : publicPage(site, cache, request))
}

/** Answers 404 to paths with `//`, backslashes, encoded slashes or dot segments, and 403 to protected folders. */
export function suspiciousPath(): Handler {
  return (request) => {
    throw missing(request)
  }
}

/** The public site's page for a failure. */
export function siteFailure(site: Services, failure: HttpFailure, request: Request | undefined): Reply {
  const identity = identityOf(frameOf(site, request))
  const [title, message] = pageWords[failure.status] ?? ['That did not work', failure.message]
  const isMissing = failure.status === 404 && request !== undefined
  const page = isMissing ? notFoundPage(identity, request.path) : messagePage({ site: identity, title, message })
  return html(failure.status, page, { ...htmlHeaders, 'cache-control': 'no-store', ...failure.headers })
}

const pageWords: Readonly<Record<number, readonly [title: string, message: string]>> = {
  403: ['Not for the web', 'Files in this folder are never served.'],
  404: ['Page not found', 'There is no page here.'],
  503: ['Back in a moment', 'The site is busy and could not read this page. Please try again shortly.'],
}

function missing(request: Request): HttpFailure {
  return isProtected(request.rawPath)
    ? new HttpFailure('forbidden', 'Files in this folder are never served.')
    : new HttpFailure('not_found', 'There is no page here.')
}

function frameOf(site: Services, request: Request | undefined): Frame {
  return { site, origin: request ? `${request.scheme}://${request.host}${request.basePath}` : 'http://localhost' }
}

function publicPage(site: Services, cache: PageCache, request: Request): Reply | Promise<Reply> {
  const closed = findClosed(site, request)
  if (closed && !isProtected(request.rawPath)) return closed
  const key = keyOf(site, request)
  const page = cache.find(key)
  if (page) return conditional(request, page)
  return cache.load(key, () => makePage(frameOf(site, request), key, request)).then((made) => conditional(request, made))
}

function conditional(request: Request, reply: Reply): Reply {
  const etag = reply.headers['etag']
  return typeof etag === 'string' && notModified(request, etag) ? notModifiedReply(reply.headers) : reply
}

function keyOf(site: Services, request: Request): PageKey {
  const asMarkdown = request.path.endsWith('.md')
  const isList = request.path === '/' || findHomeLanguage(site, request.path) !== undefined
  const page =
    isList && request.target.includes('?') ? Number(/^[1-9]\d{0,5}$/.exec(request.query.get('page') ?? '')?.[0] ?? 1) : 1
  return {
    origin: `${request.scheme}://${request.host}${request.basePath}`,
    form: asMarkdown || prefersMarkdown(request.header('accept')) ? 'markdown' : 'html',
    path: asMarkdown ? request.path.slice(0, -3) : request.path,
    page,
  }
}

async function makePage(frame: Frame, key: PageKey, request: Request): Promise<Reply> {
  const { form, path } = key
  const isHome = path === '/' || (form === 'markdown' && path === '/index')
  const language = isHome ? null : findHomeLanguage(frame.site, path)
  if (language !== undefined) return makeHome(frame, key, language, request)
  const entry = await findPublicEntry(frame.site.store.read, path, frame.site.clock.now())
  if (entry) return form === 'markdown' ? entryMarkdown(frame, entry) : entryReply(frame, entry)
  return elsewhere(frame, request)
}

/** @param branch the further language whose home page this is, or null */
async function makeHome(frame: Frame, { form, page }: PageKey, branch: string | null, request: Request): Promise<Reply> {
  const { site, origin } = frame
  const { home } = site.settings.values
  const chosen = home === null ? undefined : await findHome(frame, home, branch)
  if (chosen) {
    const entry = { ...chosen, path: branch === null ? '/' : request.path.replace(/\.md$/, '') }
    return form === 'markdown' ? entryMarkdown(frame, entry) : entryReply(frame, entry, listHomes(site, branch, origin))
  }
  const list = { branch, page }
  const reply = form === 'markdown' ? await homeMarkdown(frame, list) : await homeReply(frame, list)
  if (reply) return reply
  throw missing(request)
}

/** The entry that the setting `home` names by id or path, or its translation into a further language. */
async function findHome({ site }: Frame, home: string, branch: string | null) {
  const now = site.clock.now()
  const byId = (id: string) => findPublicEntryById(site.store.read, id, now)
  if (branch === null) return home.startsWith('/') ? findPublicEntry(site.store.read, home, now) : byId(home)
  const entry = await site.entries.named(home)
  const translated = entry && (await findTranslatedHome(site, entry, branch))
  return translated && byId(translated.id)
}

/** Redirects to the path without its last slash, to the entry's present path, or where a redirect leads; else 404. */
async function elsewhere(frame: Frame, request: Request): Promise<Reply> {
  const bare = request.path.replace(/\/$/, '')
  if (bare !== request.path && findHomeLanguage(frame.site, bare) !== undefined)
    return redirect(301, new URL(frame.origin).pathname.replace(/\/$/, '') + bare, { 'cache-control': 'no-cache' })
  const found = await redirectReply(frame, request)
  if (found) return found
  const failure = missing(request)
  if (failure.status === 404) frame.site.visits.missed(request.path, request.header('referer'))
  throw failure
}
