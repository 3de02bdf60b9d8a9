// The assets of themes: style sheets, images, fonts. An address contains a hash of all assets of the theme, so browsers cache them
// for ever. An outdated hash answers with the current file, because other caches may still have older pages.

import type { ThemeServices } from '../../actions/call/services.ts'
import { etagOf, notModified, notModifiedReply } from '../../http/conditional.ts'
import { bytes, type Headers, type Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import type { Route } from '../../http/route.ts'
import { fontFiles, fontFolder, fontFolderStart } from '../../themes/font-files.ts'
import { bytesOf, type Theme } from '../../themes/theme.ts'
import { assetTypeOf } from '../../themes/theme-path.ts'
import { missingPage } from '../pages/make-page.ts'

export function themeAssetsRoute(site: ThemeServices): Route {
  return {
    path: '/assets/*',
    slash: 'exact',
    letterCase: 'exact',
    methods: { GET: (request) => themeAsset(site, request, request.path) },
    door: 'site',
  }
}

const form = /^\/assets\/([a-z0-9-]+)-([0-9a-f]{12})\/(.+)$/

/**
 * @param path below the site's address
 * @param shown the theme of a preview, which may have had other files
 * @throws HttpFailure `not_found`
 */
export async function themeAsset(site: ThemeServices, request: Request, path: string, shown?: Theme): Promise<Reply> {
  if (path.startsWith(fontFolderStart)) return fontAsset(request, path)
  const [, slug = '', hash = '', name = ''] = form.exec(path) ?? []
  const theme = shown ?? (slug === '' ? undefined : await site.themes.find(slug))
  const file = `assets/${name}`
  const text = theme?.files.get(file)
  if (!theme || text === undefined) throw missingPage()
  const reply = assetReply(theme, file, text, theme.assetFolder.endsWith(`-${hash}`))
  return notModified(request, String(reply.headers['etag'])) ? notModifiedReply(reply.headers) : reply
}

/** A font that comes with Postern, for the pages of any theme. @throws HttpFailure `not_found` */
function fontAsset(request: Request, path: string): Reply {
  const [folder = '', name = ''] = path.split(/\/(?=[^/]*$)/)
  const content = fontFiles().get(name)
  if (!content) throw missingPage()
  const headers = headersOf(name, content, folder === fontFolder())
  return notModified(request, headers.etag) ? notModifiedReply(headers) : bytes(200, content, headers)
}

/** Nothing in an asset runs when a browser opens the asset as a page. */
const shared: Headers = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}

/** A frame of the admin shows a page without its origin, and browsers load a font there only if any origin may. */
const forFonts: Headers = { 'access-control-allow-origin': '*' }

function headersOf(file: string, content: Buffer, current: boolean): Headers & { readonly etag: string } {
  const type = assetTypeOf(file)
  return {
    ...shared,
    ...(type.startsWith('font/') && forFonts),
    'content-type': type,
    'cache-control': current ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: etagOf(content),
  }
}

function assetReply(theme: Theme, file: string, text: string, current: boolean): Reply {
  const replies = theme.assetReplies
  const key = `${current} ${file}`
  const known = replies.get(key)
  if (known) return known
  const content = bytesOf(file, text)
  const reply = bytes(200, content, Object.freeze(headersOf(file, content, current)))
  replies.set(key, reply)
  return reply
}
