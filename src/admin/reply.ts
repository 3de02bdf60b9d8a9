// The headers of the admin's replies: no caching, no framing, and only styles and scripts of this site.

import { type Headers, html as htmlReply, json, redirect, type Reply } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import { linkTo } from './paths.ts'
import type { Visit } from './visit.ts'

const policy = (formTarget: string, frames: boolean): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    ...(frames ? ["frame-src 'self'"] : []),
    `form-action 'self'${formTarget}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/**
 * This value differs from the `same-origin` of public pages. Browsers therefore never put a page of the admin and a public page
 * into one browsing context group, and the script of a public page gets no reference to a window with the admin.
 * @see HTML §7.1.3 "Opener policies", "match"
 */
const adminOpenerPolicy = 'same-origin-allow-popups'

/** The options of a reply beyond the usual headers. */
export interface ReplyOptions {
  /** `Set-Cookie` lines in addition to those of the visit. */
  readonly cookies?: readonly string[]
  /** The verified origin or scheme to which a form of this page may redirect. Browsers apply `form-action` to redirects as well. */
  readonly formTarget?: string
  /**
   * True if an app may have opened this page as a pop-up. If the page were isolated from the app, the app would never learn how the
   * consent ended.
   */
  readonly inPopUp?: boolean
  /** True if the page shows other pages of this site in frames, as the editor shows a preview. */
  readonly frames?: boolean
  readonly headers?: Headers
}

/**
 * Returns the headers of every reply. Nothing is cached, and other sites can neither frame a page nor learn its address (attack
 * 44).
 */
export function adminHeaders(
  scheme: Request['scheme'],
  { formTarget, inPopUp = false, frames = false, headers = {} }: ReplyOptions = {},
): Headers {
  return {
    'cache-control': 'no-store',
    'content-security-policy': policy(formTarget === undefined ? '' : ` ${formTarget}`, frames),
    // With `no-referrer`, browsers would send `Origin: null` with the site's own forms.
    'referrer-policy': 'same-origin',
    ...(inPopUp ? {} : { 'cross-origin-opener-policy': adminOpenerPolicy }),
    ...(scheme === 'https' ? { 'strict-transport-security': 'max-age=31536000' } : {}),
    ...headers,
  }
}

function headersOf({ request, cookies }: Visit, options: ReplyOptions): Headers {
  const lines = [...cookies, ...(options.cookies ?? [])]
  return { ...adminHeaders(request.scheme, options), ...(lines.length > 0 ? { 'set-cookie': lines } : {}) }
}

export function pageReply(visit: Visit, status: number, document: string, options: ReplyOptions = {}): Reply {
  return htmlReply(status, document, headersOf(visit, options))
}

export function dataReply(visit: Visit, status: number, data: Readonly<Record<string, unknown>>): Reply {
  return json(status, data, headersOf(visit, {}))
}

/** Redirects to another page of this site, with GET. */
export function goTo(visit: Visit, path: string, options: ReplyOptions = {}): Reply {
  return redirect(303, linkTo(visit.request, path), headersOf(visit, options))
}

/** Redirects to a verified address outside this site. */
export function sendAway(visit: Visit, location: string, options: ReplyOptions = {}): Reply {
  return redirect(302, location, headersOf(visit, options))
}
