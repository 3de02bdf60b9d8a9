// Answers the requests of the browser. What is below the site's origin comes from the site's own renderer. Every other request
// fails before its name is looked up.

import { toError } from '../base/error-message.ts'
import type { DevTools, DevToolsEvent } from './devtools.ts'
import type { Look, Looked } from './types.ts'

/** The most requests of one page, and the largest answer in bytes. What goes beyond is missing in the picture. */
const maxRequests = 400
const maxBytes = 8 * 1024 ** 2

/** The requests of a page. */
export interface OwnRequests {
  /** Intercepts the requests of a target. */
  watch(session: string): Promise<unknown>
  /** True while a request waits for its answer. */
  isBusy(): boolean
  /** The error with which the site failed to make the page itself. */
  pageError(): Error | undefined
}

/** @param origin with its base path */
export function answerRequests(devtools: DevTools, origin: string, look: Look): OwnRequests {
  let asked = 0
  let pending = 0
  let pageError: Error | undefined
  const answer = async ({ params, sessionId: session }: DevToolsEvent): Promise<void> => {
    const { requestId, request } = params as unknown as Paused
    const path = ownPath(origin, request)
    asked++
    const looked = path === undefined || asked > maxRequests ? undefined : await look(path)
    if (looked && looked.body.length <= maxBytes) {
      await devtools.send('Fetch.fulfillRequest', { requestId, ...replyOf(looked) }, session)
      return
    }
    // A navigation that is aborted leaves the page where it is, and other things are missing without a notice of the browser.
    await devtools.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }, session)
  }
  devtools.on((event) => {
    if (event.method !== 'Fetch.requestPaused') return
    pending++
    const { requestId, resourceType } = event.params as unknown as Paused
    answer(event)
      .catch((error: unknown) => {
        if (resourceType === 'Document') pageError ??= toError(error)
        return devtools.send('Fetch.failRequest', { requestId, errorReason: 'Failed' }, event.sessionId)
      })
      // The page went on without this request, or the browser has ended, which others notice.
      .catch(() => undefined)
      .finally(() => pending--)
  })
  return {
    watch: (session) => devtools.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }, session),
    isBusy: () => pending > 0,
    pageError: () => pageError,
  }
}

interface Paused {
  readonly requestId: string
  readonly request: { readonly url: string; readonly method: string }
  readonly resourceType: string
}

/** The path of a request below the origin, with its query; undefined for every other request. */
function ownPath(origin: string, { url, method }: Paused['request']): string | undefined {
  if (method !== 'GET' || !url.startsWith(`${origin}/`)) return undefined
  return url.slice(origin.length).split('#', 1)[0]
}

function replyOf({ status, contentType, body, policy }: Looked): object {
  const headers = {
    'content-type': contentType,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...(policy === undefined ? {} : { 'content-security-policy': policy }),
  }
  return {
    responseCode: status,
    responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
    body: Buffer.from(body).toString('base64'),
  }
}
