// The routes of the public site: entries at their paths, the home page, 404, and the folders that are never served.

import { protectedFolders } from '../doctor/protected-paths.ts'
import type { ProgramServices, Services, SettingsServices } from '../actions/call/services.ts'
import { notModified, notModifiedReply } from '../http/conditional.ts'
import { HttpFailure } from '../http/failure.ts'
import { foldPath } from '../http/fold-path.ts'
import { html, type Reply, text } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import type { Handler, Route } from '../http/route.ts'
import type { Fallback } from '../http/router.ts'
import { prefersMarkdown } from './pages/accept.ts'
import { findClosed } from './pages/closed-page.ts'
import { comparedRoute } from './pages/compared-page.ts'
import { countingImageRoute, countPage } from './count-view.ts'
import { extRoute } from './ext.ts'
import { findHomeLanguage } from './pages/alternates.ts'
import { findErrorPage, prepareErrorPage } from './pages/error-pages.ts'
import { findThanks } from './pages/form-post.ts'
import { frameOf } from './pages/frame.ts'
import { type LastPages, openLastPages } from './kept/last-pages.ts'
import { makePage, missingPage } from './pages/make-page.ts'
import { mediaRoutes } from './files/media-files.ts'
import { failurePage } from './pages/failure-page.ts'
import { metricsRoute } from './metrics-page.ts'
import { createPageCache, type PageCache, type PageKey } from './kept/page-cache.ts'
import { createQueryRedirects } from './pages/query-redirects.ts'
import { previewRoute } from './pages/preview-page.ts'
import { findPublicEntry } from './lists/public-entries.ts'
import { htmlHeaders } from './pages/public-page.ts'
import { findSearch, searchReply } from './lists/search-reply.ts'
import { isSitemap, sitemapReply } from './lists/sitemap.ts'
import { wellKnownRoutes } from './files/root-files.ts'
import { signedFileRoute } from './files/signed-file.ts'
import { themeAssetsRoute } from './files/theme-assets.ts'
import { confirmCommentRoute } from './comments/confirm-page.ts'
import { webmentionRoute } from './comments/webmention-endpoint.ts'
import { isAfterComment, thanksReply } from './comments/take-comment.ts'
import { findUnlocked, mayBeUnlocked } from './pages/locked-page.ts'
import { answerPost } from './pages/posted.ts'
import { subscriptionRoute } from './pages/subscription-page.ts'
import { pageNumber, themePreviewRoute } from './pages/theme-preview.ts'
import { Failure } from '../base/failure.ts'

const door = 'site'

/** True if a raw path leads into a protected folder, however it is spelled (attack 129). */
export function isProtected(rawPath: string): boolean {
  const folded = foldPath(rawPath)
  return protectedFolders.some((folder) => folded === folder || folded.startsWith(`${folder}/`))
}

/** The site's fixed routes. Entries are served by the fallback. */
export function siteRoutes(site: Services, { handler: pages, last }: SitePages): readonly Route[] {
  const get = (path: string, handler: Handler): Route => ({
    path,
    slash: 'exact',
    letterCase: 'exact',
    methods: { GET: handler },
    door,
  })
  return [
    extRoute(site),
    signedFileRoute(site),
    previewRoute(site),
    subscriptionRoute(site),
    comparedRoute(site),
    countingImageRoute(site),
    confirmCommentRoute(site),
    webmentionRoute(site),
    ...mediaRoutes(site, pages),
    ...wellKnownRoutes(site),
    themeAssetsRoute(site),
    themePreviewRoute(site, last),
    get('/healthz', () => text(200, `ok\n${processLine(site)}${maintenanceLine(site)}`, { 'cache-control': 'no-store' })),
    get('/readyz', (request) => readiness(site, request)),
    metricsRoute(site),
  ]
}

/** The line with the name of the answering process; empty if the site has one process. */
const processLine = ({ processes: { name } }: ProgramServices): string => (name === undefined ? '' : `process: ${name}\n`)

/** A line for monitoring: the service runs, but the site is in maintenance. */
function maintenanceLine({ maintenance }: SettingsServices): string {
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
    // A failure with a hint tells the owner what to do.
    const why = error instanceof Failure && error.detail.hint ? ` ${error.message}` : ''
    return text(503, `The database accepts no writes.${why} The log has the details under ${reference}.\n`, {
      ...headers,
      'retry-after': '5',
    })
  }
}

/** Handles every path that no route matches: a page of the site, a form of a page, or 404. */
export function siteFallback(site: Services, { handler }: SitePages): Fallback {
  return { door, methods: { GET: handler, POST: (request) => answerPost(site, request) } }
}

export interface SitePages {
  readonly handler: Handler
  /** The last good page at each address. */
  readonly last: LastPages
}

/** Creates the handler and the cache of the site's pages. */
export function createPages(site: Services): SitePages {
  const last = openLastPages(site.config.POSTERN_HOME, site.log)
  const pages: Pages = { cache: createPageCache(site), last }
  // Replies that are not cached. An entry at the same path wins.
  const entryOr = async (request: Request, make: (request: Request) => Promise<Reply | undefined>) => {
    const closed = findClosed(site, request)
    if (closed) return closed
    const isEntry = await findPublicEntry(site.store.read, request.path, site.clock.now())
    return (isEntry ? undefined : await make(request)) ?? publicPage(site, pages, request)
  }
  const entryOrThanks = async (request: Request) =>
    findClosed(site, request) ?? (await findThanks(site, request)) ?? publicPage(site, pages, request)
  const queries = createQueryRedirects(site)
  const handler: Handler = (request) => {
    const redirect = queries.find(request)
    return redirect ? redirect.then((reply) => reply ?? answer(request)) : answer(request)
  }
  const answer = (request: Request) => {
    const branch = findSearch(site, request.path)
    if (branch !== undefined)
      return entryOr(request, async () => {
        const reply = await searchReply(frameOf(site, request), request, request.path, branch)
        countPage(site, request, reply)
        return reply
      })
    if (request.query.has('sent')) return entryOrThanks(request)
    if (isAfterComment(request)) return afterComment(site, pages, request)
    if (isSitemap(request.path)) return entryOr(request, () => sitemapReply(frameOf(site, request), request.path))
    return publicPage(site, pages, request)
  }
  return { handler, last }
}

/** Answers 404 to paths with `//`, backslashes, encoded slashes or dot segments, and 403 to protected folders. */
export function suspiciousPath(): Handler {
  return (request) => {
    throw missing(request)
  }
}

/** The public site's page for a failure. */
export function siteFailure(site: Services, failure: HttpFailure, request: Request | undefined): Reply {
  const frame = frameOf(site, request)
  const path = request?.path ?? '/'
  const made = request && findErrorPage(frame, failure.status, path, request)
  const page = made ?? failurePage(frame, failure.status, path, failure)
  return html(failure.status, page, { ...htmlHeaders, 'cache-control': 'no-store', ...failure.headers })
}

function missing(request: Request): HttpFailure {
  return isProtected(request.rawPath) ? new HttpFailure('forbidden', 'Files in this folder are never served.') : missingPage()
}

function publicPage(site: Services, pages: Pages, request: Request): Reply | Promise<Reply> {
  const closed = findClosed(site, request)
  if (closed && !isProtected(request.rawPath)) return closed
  // The cache has one page for all visitors, so it never sees a page that a cookie opens.
  return mayBeUnlocked(request) ? unlockedOr(site, pages, request) : keptPage(site, pages, request)
}

/** The page with the thanks for a comment, which is not kept. */
async function afterComment(site: Services, pages: Pages, request: Request): Promise<Reply> {
  const isPage = !findClosed(site, request) && !prefersMarkdown(request.header('accept'))
  return (isPage ? await thanksReply(site, request) : undefined) ?? publicPage(site, pages, request)
}

async function unlockedOr(site: Services, pages: Pages, request: Request): Promise<Reply> {
  const unlocked = await findUnlocked(site, request)
  if (!unlocked) return keptPage(site, pages, request)
  countPage(site, request, unlocked)
  return unlocked
}

function keptPage(site: Services, pages: Pages, request: Request): Reply | Promise<Reply> {
  const key = keyOf(site, request)
  const page = pages.cache.find(key)
  if (page) return counted(site, request, key, page)
  return freshPage(site, pages, key, request)
}

/** @throws HttpFailure `not_found`, when its page in the theme is ready */
async function freshPage(site: Services, { cache, last }: Pages, key: PageKey, request: Request): Promise<Reply> {
  const frame = frameOf(site, request)
  try {
    const page = await cache.load(key, (view) => makePage({ ...frame, site: view }, last, key, request))
    return counted(site, request, key, page)
  } catch (error) {
    if (!(error instanceof HttpFailure) || error.status !== 404) throw error
    const failure = missing(request)
    // A page number beyond the end of a list is not a missing path.
    if (failure.status === 404 && key.page === 1) site.visits.missed(request.path, request.header('referer'))
    await prepareErrorPage(frame, failure.status, request.path, request)
    throw failure
  }
}

interface Pages {
  readonly cache: PageCache
  readonly last: LastPages
}

/** Counts a page, and answers 304 to a visitor who has it. */
function counted(site: Services, request: Request, { path }: PageKey, page: Reply): Reply {
  countPage(site, request, page, path)
  return conditional(request, page)
}

function conditional(request: Request, reply: Reply): Reply {
  const etag = reply.headers['etag']
  return typeof etag === 'string' && notModified(request, etag) ? notModifiedReply(reply.headers) : reply
}

function keyOf(site: SettingsServices, request: Request): PageKey {
  const asMarkdown = request.path.endsWith('.md')
  const isList = request.path === '/' || findHomeLanguage(site, request.path) !== undefined
  return {
    origin: `${request.scheme}://${request.host}${request.basePath}`,
    form: asMarkdown || prefersMarkdown(request.header('accept')) ? 'markdown' : 'html',
    path: asMarkdown ? request.path.slice(0, -3) : request.path,
    page: isList ? pageNumber(request) : 1,
  }
}
