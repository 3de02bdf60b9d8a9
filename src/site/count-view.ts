// Counts what the public site answers: pages, files of the media library, searches, and the image in pages that a front keeps.

import type { Services } from '../actions/call/services.ts'
import { HttpFailure } from '../http/failure.ts'
import { bytes, type Reply } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import type { Route } from '../http/route.ts'
import { attribute, html } from '../doors/shared/html.ts'
import { imageBytes, imagePath, imageQuery, pathOfImage } from '../statistics/shown-images.ts'

type Site = Pick<Services, 'statistics' | 'settings' | 'key'>

/**
 * Counts a page for the visitor who asked for it. Feeds, icons and other files that programs read are no pages.
 * @param page as it was made, also where the visitor gets a 304
 */
export function countPage({ statistics }: Pick<Site, 'statistics'>, request: Request, page: Reply, path = request.path): void {
  const type = page.headers['content-type']
  if (page.status !== 200 || typeof type !== 'string') return
  const hasImage = String(page.headers['cache-control']).includes('s-maxage')
  if (type.startsWith('text/html') || type.startsWith('text/markdown')) statistics.viewed(request, path, hasImage)
}

/** Counts a file when it is taken as a whole, or from its beginning. */
export function countDownload({ statistics }: Pick<Site, 'statistics'>, request: Request, { status, headers }: Reply): void {
  const fromStart = status === 206 && String(headers['content-range']).startsWith('bytes 0-')
  if (status === 200 || status === 304 || fromStart) statistics.downloaded(request, request.path)
}

const keyOf = ({ key }: Pick<Site, 'key'>): string => key.derive('statistics image').toString('hex')

/** Adds the image that counts a page which a front may keep. */
export function withCountingImage(site: Site, page: string, origin: string, path: string): string {
  if (!site.settings.values.statistics) return page
  const base = new URL(origin).pathname.replace(/\/$/, '')
  const source = `${base}${imagePath}?${imageQuery(keyOf(site), path)}`
  const image = html`<img ${attribute('src', source)} alt="" width="1" height="1" hidden />`
  const end = page.lastIndexOf('</body>')
  return end < 0 ? page : `${page.slice(0, end)}${image.toString()}${page.slice(end)}`
}

/** The address of that image. Whoever made up an address gets a 404. */
export function countingImageRoute(site: Site): Route {
  return {
    path: imagePath,
    slash: 'exact',
    letterCase: 'exact',
    methods: {
      GET(request) {
        const path = pathOfImage(keyOf(site), request.query)
        if (path === undefined) throw new HttpFailure('not_found', 'There is no file here.')
        site.statistics.shown(request, path)
        return bytes(200, imageBytes, { 'content-type': 'image/gif', 'cache-control': 'no-store' })
      },
    },
    door: 'site',
  }
}
