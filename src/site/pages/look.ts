// Pages as visitors get them, for a caller that can't open them. Only the site's own public renderer answers: pages, their files
// and redirects, without a cookie (attack 174). No other door is reachable from here, and nothing is cached or counted as a visit.

import type { PageLook } from '../../actions/call/services.ts'
import { isServiceSlug } from '../../content/entries/reserved-slugs.ts'
import { invalid } from '../../base/failure.ts'
import { HttpFailure } from '../../http/failure.ts'
import { html, type Reply } from '../../http/reply.ts'
import { freshId, placeOf, type Request } from '../../http/request.ts'
import { createRouter } from '../../http/router.ts'
import { readTarget } from '../../http/target.ts'
import { mediaPrefix } from '../../media/file-name.ts'
import { mediaRoutes } from '../files/media-files.ts'
import { themeAssetsRoute } from '../files/theme-assets.ts'
import type { LastPages } from '../kept/last-pages.ts'
import { isSitemap, sitemapReply } from '../lists/sitemap.ts'
import { findClosed } from './closed-page.ts'
import { failurePage } from './failure-page.ts'
import { type Frame, frameOf } from './frame.ts'
import { missingPage } from './make-page.ts'
import { renderErrorPage } from './error-pages.ts'
import { htmlHeaders, previewReply } from './public-page.ts'
import { pageOrSearch } from './theme-preview.ts'

/** Looking at a page does not make it the last good one. */
const noPages: LastPages = { keep: () => undefined, find: () => Promise.resolve(undefined) }

/** Folders of routes that a page may load files from. */
const fileFolders = [mediaPrefix, '/assets/']

/** @throws Failure `invalid` for what is no path of the public site */
export const lookAtPage: PageLook = async (site, asked) => {
  const request = requestFor(asked)
  const frame: Frame = { ...frameOf(site, request), preview: asked.theme && { ...asked.theme, active: false }, aside: true }
  const page = async (): Promise<Reply> => findClosed(site, request) ?? (await pageOr404(frame, request, asked.staged))
  const router = createRouter([...mediaRoutes(site, page), themeAssetsRoute(site)], { methods: { GET: page }, door: 'site' })
  try {
    const { handler, params } = router.match(request)
    return await handler(request, params)
  } catch (error) {
    if (error instanceof HttpFailure && error.status === 404) return missing(frame, request.path)
    throw error
  }
}

function requestFor({ origin, path: target, signal }: Parameters<PageLook>[1]): Request {
  const read = tryTarget(target)
  if (!read || read.authority !== undefined || read.suspicious)
    throw invalid(
      'path',
      'This is no path of the site: it names a host, or has `..`, `//` or characters that no address has.',
      '"/about"',
    )
  const { path, query } = read
  if (isServiceSlug(path.split('/')[1] ?? '') && !fileFolders.some((folder) => path.startsWith(folder)))
    throw invalid('path', 'Only pages of the public site are shown, and this address belongs to the service.', '"/about"')
  const { protocol, host, pathname } = new URL(origin)
  const basePath = pathname.replace(/\/$/, '')
  const unread = () => Promise.reject(new Error('A look at a page has no request body.'))
  return {
    ...placeOf({ ...read, path: basePath + path, rawPath: basePath + read.rawPath }, basePath),
    method: 'GET',
    target: basePath + target,
    suspicious: false,
    query: new URLSearchParams(query),
    header: () => undefined,
    headerNames: () => [],
    client: '127.0.0.1',
    scheme: protocol === 'https:' ? 'https' : 'http',
    host,
    ownHost: true,
    forwarded: false,
    id: freshId(),
    signal,
    readBody: unread,
    streamBody: () => {
      throw new Error('A look at a page has no request body.')
    },
  }
}

function tryTarget(target: string): ReturnType<typeof readTarget> | undefined {
  try {
    return readTarget(target)
  } catch (error) {
    if (error instanceof HttpFailure) return undefined
    throw error
  }
}

/** The page, list or file at the path of the request. @param staged the entry to show there instead */
async function pageOr404(frame: Frame, request: Request, staged: Parameters<PageLook>[1]['staged']): Promise<Reply> {
  if (staged) return previewReply(frame, staged)
  if (isSitemap(request.path)) return (await sitemapReply(frame, request.path)) ?? Promise.reject(missingPage())
  return pageOrSearch(frame, noPages, request.path, request)
}

/** The theme's page for a missing path, or the plain one. The cached one could be of another theme. */
async function missing(frame: Frame, path: string): Promise<Reply> {
  try {
    return html(404, await renderErrorPage(frame, 404, path), htmlHeaders)
  } catch (error) {
    frame.site.log.debug('no page for a failure', { status: 404, error })
    return html(404, failurePage(frame, 404, path), htmlHeaders)
  }
}
