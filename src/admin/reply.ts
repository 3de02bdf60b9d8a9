// How the admin answers: never kept, never framed, styled by its own sheet, running no script of anybody else's.

import { type Headers, html as htmlReply, redirect, type Reply } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import { linkTo } from './paths.ts'
import type { Visit } from './visit.ts'

const policy = (formTarget: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    `form-action 'self'${formTarget}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** What an answer may need beside what all have. */
export interface ReplyOptions {
  /** `Set-Cookie` lines beside those of the visit. */
  readonly cookies?: readonly string[]
  /** Where a form of this page may lead in the end: an origin or a scheme that was verified. Browsers hold redirects to it too. */
  readonly formTarget?: string
  /** A page that an app may have opened as its pop-up: cut off from it, the app would never learn that all went well. */
  readonly inPopUp?: boolean
  readonly headers?: Headers
}

/** The headers of every answer (ATTACKS "Headers"). */
export function adminHeaders(
  scheme: Request['scheme'],
  { formTarget, inPopUp = false, headers = {} }: ReplyOptions = {},
): Headers {
  return {
    'cache-control': 'no-store',
    'content-security-policy': policy(formTarget === undefined ? '' : ` ${formTarget}`),
    // Not `no-referrer`: it makes browsers send `Origin: null` with one's own forms.
    'referrer-policy': 'same-origin',
    ...(inPopUp ? {} : { 'cross-origin-opener-policy': 'same-origin' }),
    ...(scheme === 'https' ? { 'strict-transport-security': 'max-age=31536000' } : {}),
    ...headers,
  }
}

function headersOf({ request, cookies }: Visit, options: ReplyOptions): Headers {
  const lines = [...cookies, ...(options.cookies ?? [])]
  return { ...adminHeaders(request.scheme, options), ...(lines.length > 0 ? { 'set-cookie': lines } : {}) }
}

/** A document. */
export function pageReply(visit: Visit, status: number, document: string, options: ReplyOptions = {}): Reply {
  return htmlReply(status, document, headersOf(visit, options))
}

/** On to another page of this site, asked for by GET whatever this was. */
export function goTo(visit: Visit, path: string, options: ReplyOptions = {}): Reply {
  return redirect(303, linkTo(visit.request, path), headersOf(visit, options))
}

/** Away from this site, to an address that was verified. */
export function sendAway(visit: Visit, location: string, options: ReplyOptions = {}): Reply {
  return redirect(302, location, headersOf(visit, options))
}
