// The image in pages of a site whose front keeps pages: its address, and the views that it counts. The front answers such a page
// without Postern, but not the image. Its path is neutral, because blockers refuse names such as `stats`.

import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { sameSecret } from '../base/same-secret.ts'
import type { VisitRequest } from './counted-request.ts'
import { makeSalt, mixedId, valueNumber, visitorId } from './visitor-id.ts'

/** Below the folder of derived media files, where no entry can be. */
export const imagePath = '/media/_/point.gif'

/** A transparent GIF of one pixel. */
export const imageBytes = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** The query of the image for a page. The seal keeps anyone from counting paths that the site doesn't have. */
export const imageQuery = (key: string, path: string): string => `at=${encodeURIComponent(path)}&is=${sealOf(key, path)}`

/** The path in the query of an image; undefined if its seal is wrong. */
export function pathOfImage(key: string, query: URLSearchParams): string | undefined {
  const path = query.get('at')
  return path !== null && sameSecret(query.get('is') ?? '', sealOf(key, path)) ? path : undefined
}

const sealOf = (key: string, path: string): string => hash('sha256', `${key} ${path}`, 'hex').slice(0, 16)

const againMs = 10_000
const maxKept = 5000

/** Remembers for ten seconds which visitor was shown which page, so that an image that is loaded again counts once. */
export function createShownImages({ now }: Clock): { isNew(request: VisitRequest, path: string): boolean } {
  const salt = makeSalt()
  const kept = new LRUCache<number, number>({ max: maxKept })
  return {
    isNew(request, path) {
      const visitor = visitorId(salt, request.client, request.header('user-agent') ?? '')
      const view = mixedId(visitor, valueNumber('path', path))
      const last = kept.get(view)
      const at = now()
      if (last !== undefined && at >= last && at - last < againMs) return false
      kept.set(view, at)
      return true
    },
  }
}
