// Submitted forms. A form must come from a page of this site, and must have been shown to this browser or session for this purpose.
// Everything else is refused before its fields are read.

import { decodeUtf8 } from '../http/body.ts'
import { HttpFailure } from '../http/failure.ts'
import { parseAuthority } from '../http/origin.ts'
import type { Request } from '../http/request.ts'
import { csrfToken, isCsrfToken } from '../identity/csrf.ts'
import { html, type Html } from '../doors/html.ts'
import type { Visit } from './visit.ts'
import { wordsOf } from './words.ts'

const usualMaxBytes = 256 * 1024
const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/** The fields of a submitted form. */
export interface Fields {
  /** `''` where the form had no such field. Lines end in `\n`. */
  get(name: string): string
  has(name: string): boolean
  /** Every value of a field that may come several times, such as the boxes of a table. */
  all(name: string): readonly string[]
}

/** The hidden field without which a form is refused. */
export function csrfField({ site, holder }: Pick<Visit, 'site' | 'holder'>, purpose: string): Html {
  return html`<input type="hidden" name="csrf" value="${csrfToken(site.key, holder, purpose)}" />`
}

/**
 * Reads a form.
 * @param maxBytes more than the usual 256 KiB only for a form whose fields may be longer, and only from people who are or were signed in
 * @throws HttpFailure `forbidden` for one that another site sent, or that belongs to another session or purpose (attack 69);
 * `malformed` for one that is too large, and for a body that is not a form
 */
export async function readFields(visit: Visit, purpose: string, maxBytes = usualMaxBytes): Promise<Fields> {
  checkSameSite(visit.request)
  return checkFields(visit, purpose, await readForm(visit.request, maxBytes))
}

/** @throws HttpFailure `forbidden` for a form that another site sent */
export function checkSameSite(request: Request): void {
  if (!isFromThisSite(request)) throw new HttpFailure('forbidden', wordsOf(request)('shell.form_foreign'))
}

/** The fields of a form, where it was made for this purpose and holder, or for the session before. @throws HttpFailure `forbidden` */
export function checkFields(
  visit: Pick<Visit, 'site' | 'holder' | 'session' | 'before' | 't'>,
  purpose: string,
  form: (Pick<ReadonlyMap<string, string>, 'get' | 'has'> & { readonly getAll?: never }) | URLSearchParams,
): Fields {
  if (!isOwnForm(visit, purpose, form.get('csrf') ?? '')) {
    throw new HttpFailure('forbidden', visit.t('shell.form_expired'))
  }
  return {
    get: (name) => (form.get(name) ?? '').replace(/\r\n?/g, '\n'),
    has: (name) => form.has(name),
    all: (name) => form.getAll?.(name) ?? [],
  }
}

/** Whether the body is a form without files. */
export const isUrlencoded = (request: Request): boolean => formType.test(request.header('content-type')?.trim() ?? '')

function isOwnForm(
  { site, holder, session, before }: Pick<Visit, 'site' | 'holder' | 'session' | 'before'>,
  purpose: string,
  token: string,
): boolean {
  const earlier = session && before
  return (
    isCsrfToken(site.key, holder, purpose, token) || (earlier !== undefined && isCsrfToken(site.key, earlier, purpose, token))
  )
}

/** Reads the body of a form, whoever sent it. @throws HttpFailure `malformed` */
export async function readForm(request: Request, maxBytes = usualMaxBytes): Promise<URLSearchParams> {
  const bytes = await request.readBody(maxBytes).catch((error: unknown) => {
    if (!(error instanceof HttpFailure) || error.code !== 'too_large') throw error
    throw new HttpFailure(
      'malformed',
      wordsOf(request)('shell.form_large', { most: Math.floor(maxBytes / 1024) }),
      {},
      { cause: error },
    )
  })
  const decoded = decodeUtf8(bytes, 'strict')
  if (!isUrlencoded(request) || 'badByteAt' in decoded) {
    throw new HttpFailure('malformed', wordsOf(request)('shell.form_other'))
  }
  const form = new URLSearchParams(decoded.text)
  readForms.set(request, form)
  return form
}

/** The forms of requests that are still being answered. */
const readForms = new WeakMap<Request, URLSearchParams>()

/** The form of a request that has been read already. A page that asks for a proof first shows it again. */
export const formOf = (request: Request): URLSearchParams | undefined => readForms.get(request)

/**
 * Whether a browser says that a page of this site sent the request. `Sec-Fetch-Site` is the browser's own word; where it has none, as on
 * plain http, `Origin` is. A client that sends neither is not a browser with somebody's cookies.
 * @see Fetch metadata, OWASP CSRF
 */
export function isFromThisSite(request: Request): boolean {
  const site = request.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const origin = request.header('origin')
  if (origin === undefined) return true
  const host = /^https?:\/\/([^/?#@\\]+)$/i.exec(origin)?.[1]?.toLowerCase()
  if (host === undefined || !parseAuthority(host)) return false
  return host === request.host || host === request.header('host')?.toLowerCase()
}

/** The number that a text says, or the text, about which the action then says what would be right. */
export const numberIn = (text: string): number | string => (Number.isFinite(Number(text)) ? Number(text) : text)
