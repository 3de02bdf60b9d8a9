// The headers with which a browser describes the purpose of a request. No script can set them, so an address can refuse the
// requests that scripts of other pages make with the visitor's cookies. Clients that are not browsers send none of them, and
// browsers send most only to https and localhost.

import { HttpFailure } from './failure.ts'
import type { Request } from './request.ts'

/**
 * The kinds of addresses, by the requests of browsers that they answer.
 * - `window`, a page: only navigations of a whole window; no frame and no script
 * - `script`: only requests by `fetch` and `XMLHttpRequest`
 * - `download`: all. The address contains the key, and no cookie is read
 * - `asset`: all. The answer is the same for everyone
 */
export type AddressKind = 'window' | 'script' | 'download' | 'asset'

/** The only `Sec-Fetch-Dest` that a kind of address answers; undefined for all. The destination of `fetch` is `empty`. */
const destinations: Readonly<Record<AddressKind, string | undefined>> = {
  window: 'document',
  script: 'empty',
  download: undefined,
  asset: undefined,
}

/**
 * Refuses requests with a `Sec-Fetch-Dest` that the address does not answer, and the scripts of service workers everywhere: a
 * service worker could answer for every page of its folder. A request without `Sec-Fetch-Dest` passes. `Sec-Fetch-Mode` is
 * ignored, because Node's `fetch` also sends it.
 * @throws HttpFailure `forbidden`
 * @see Fetch Metadata Request Headers §2.1, Service Workers §4.4 (`Service-Worker: script`)
 */
export function checkFetchMetadata(request: Pick<Request, 'header'>, kind: AddressKind | undefined): void {
  if (request.header('service-worker') === 'script') {
    throw new HttpFailure('forbidden', 'Nothing on this site is a service worker. Load the script in another way.')
  }
  const expected = kind && destinations[kind]
  if (expected === undefined) return
  const destination = request.header('sec-fetch-dest')
  if (destination === undefined || destination === expected) return
  const right = kind === 'window' ? 'Open it in a window of its own' : "Only the admin's own scripts ask for it"
  throw new HttpFailure('forbidden', `This address does not answer requests for “${destination}”. ${right}.`)
}
