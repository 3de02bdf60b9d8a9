// The whole site in another theme, below the address of a link: `/theme-preview/TOKEN/…`. Links lead to pages below the same
// address, because that address replaces the site's own. No page of it is cached or indexed.

import type { Services } from '../../actions/call/services.ts'
import { Failure } from '../../base/failure.ts'
import { HttpFailure } from '../../http/failure.ts'
import { html, redirect, type Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import type { Route } from '../../http/route.ts'
import { mediaPrefix } from '../../media/file-name.ts'
import { type ThemeLook, openLook } from '../../actions/shared/theme-look.ts'
import { makeTheme } from '../../themes/theme.ts'
import { findPreview } from '../../identity/preview-store.ts'
import { openLink } from '../../identity/signed-link.ts'
import { linkRequestOf } from '../../doors/shared/link-request.ts'
import { previewFolder } from '../../themes/preview-address.ts'
import { findClosed } from './closed-page.ts'
import { type Frame, frameOf } from './frame.ts'
import type { LastPages } from '../kept/last-pages.ts'
import { makePage, missingPage } from './make-page.ts'
import { findSearch, searchReply } from '../lists/search-reply.ts'
import { isSitemap } from '../lists/sitemap.ts'
import { type SiteMessage, siteWord } from '../../themes/site-words.ts'
import { languageOfPath } from './alternates.ts'
import { identityOf, messagePage } from './message-page.ts'
import { findErrorPage, prepareErrorPage } from './error-pages.ts'
import { inTurn } from './link-turns.ts'
import { closedHeaders, htmlHeaders } from './public-page.ts'
import { withOlderNotice } from './older-notice.ts'
import { findPreviewedTheme } from './previewed-theme.ts'
import { themeAsset } from '../files/theme-assets.ts'

export function themePreviewRoute(site: Services, last: LastPages): Route {
  return {
    path: `${previewFolder}/*`,
    slash: 'exact',
    letterCase: 'exact',
    methods: { GET: async (request) => findClosed(site, request) ?? (await serve(site, last, request)) },
    door: 'site',
  }
}

async function serve(site: Services, last: LastPages, request: Request): Promise<Reply> {
  const below = request.path.slice(previewFolder.length + 1)
  const slash = below.indexOf('/')
  const token = slash < 0 ? below : below.slice(0, slash)
  const path = slash < 0 ? '/' : below.slice(slash)
  const { key, store } = site
  const look = await openLook({ key, db: store.read }, token, linkRequestOf(site, request))
  if (look) return lookReply(site, last, request, { look, token, path })
  const link = await openLink({ key, db: store.read }, 'theme', token, linkRequestOf(site, request))
  const frame = frameOf(site, request)
  if (link?.isOver === true)
    return message(frame, 403, 'link_expired_title', siteWord(languageOfPath(site, path), 'link_expired'), path)
  const row = link && (await findPreview(store.read, link.id))
  if (!row) throw missingPage()
  const shown = await findPreviewedTheme(site, row)
  if (!shown) return message(frame, 404, 'theme_gone_title', siteWord(languageOfPath(site, path), 'theme_gone'), path)
  if (path.startsWith('/assets/')) return themeAsset(site, request, path, shown.theme)
  const inTheme: Frame = { site, origin: `${frame.origin}${previewFolder}/${token}`, preview: shown.theme }
  const reply = await inTurn(link.id, () => page(inTheme, last, path, request))
  return shown.isOlder ? withOlderNotice(reply, site, path) : reply
}

interface Looked {
  readonly look: ThemeLook
  readonly token: string
  readonly path: string
}

/** Serves a page in a look that a frame of the admin shows. */
async function lookReply(site: Services, last: LastPages, request: Request, { look, token, path }: Looked): Promise<Reply> {
  const present = await site.themes.find(look.theme)
  if (!present) throw missingPage()
  const theme = makeTheme({ ...present, active: false, chosen: look.chosen ?? present.chosen })
  if (path.startsWith('/assets/')) return themeAsset(site, request, path, theme)
  const origin = `${frameOf(site, request).origin}${previewFolder}/${token}`
  return inTurn(token, () => page({ site, origin, preview: theme, framed: true }, last, path, request))
}

async function page(frame: Frame, last: LastPages, path: string, request: Request): Promise<Reply> {
  try {
    const reply = await pageBelow(frame, last, path, request)
    const { etag: _etag, ...headers } = reply.headers
    return { ...reply, headers: { ...headers, ...closedHeaders } }
  } catch (error) {
    if (error instanceof HttpFailure && error.status === 404) {
      await prepareErrorPage(frame, 404, path)
      const made = findErrorPage(frame, 404, path)
      if (made !== undefined) return html(404, made, { ...htmlHeaders, ...closedHeaders })
    }
    if (error instanceof Failure && error.code === 'unprocessable')
      return message(frame, 422, 'not_shown_title', error.message, path)
    throw error
  }
}

/** True for paths that don't depend on the theme and are redirected: media files, pages of plugins, signed files, the sitemap. */
const isUnthemed = (path: string): boolean =>
  [mediaPrefix, '/ext/', '/user-content/signed/'].some((folder) => path.startsWith(folder)) || isSitemap(path)

/** Serves the addresses below the preview: pages, lists, feeds and files, the search, and redirects for `isUnthemed`. */
async function pageBelow(frame: Frame, last: LastPages, path: string, request: Request): Promise<Reply> {
  try {
    return await pageOrSearch(frame, last, path, request)
  } catch (error) {
    if (!(error instanceof HttpFailure) || error.status !== 404 || !isUnthemed(path)) throw error
    // `/theme-preview/TOKEN` are the first two segments of the raw target, below the base path.
    return redirect(302, request.basePath + request.target.slice(request.basePath.length).replace(/^(?:\/[^/]*){2}/, ''))
  }
}

/** Makes the page, list, feed, file or search that the public site has at a path. @throws HttpFailure 404 for nothing */
export async function pageOrSearch(frame: Frame, last: LastPages, path: string, request: Request): Promise<Reply> {
  try {
    return await makePage(frame, last, { form: 'html', path, page: pageNumber(request) }, { path, target: request.target })
  } catch (error) {
    if (!(error instanceof HttpFailure) || error.status !== 404) throw error
    const branch = findSearch(frame.site, path)
    if (branch === undefined) throw error
    return searchReply(frame, request, path, branch)
  }
}

/** `?page=2`; 1 for anything else. */
export const pageNumber = (request: Request): number =>
  request.target.includes('?') ? Number(/^[1-9]\d{0,5}$/.exec(request.query.get('page') ?? '')?.[0] ?? 1) : 1

function message(frame: Frame, status: number, title: SiteMessage, text: string, path: string): Reply {
  const identity = identityOf(frame, path)
  const made = messagePage({ site: identity, title: siteWord(identity.language, title), message: text, linkHome: false })
  return html(status, made, { ...htmlHeaders, ...closedHeaders })
}
