// Submitted forms. A form is refused before its fields are read unless it came from a page of this site, and was shown to this
// browser or session for this purpose.

import { decodeUtf8 } from '../http/body.ts'
import { HttpFailure } from '../http/failure.ts'
import { parseAuthority } from '../http/origin.ts'
import type { Request } from '../http/request.ts'
import { csrfToken, isCsrfToken } from '../identity/csrf.ts'
import { html, type Html } from '../doors/shared/html.ts'
import type { Visit } from './visit.ts'
import { wordsOf } from './words.ts'

const usualMaxBytes = 256 * 1024
const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

export interface Fields {
  /** `''` if the form had no such field. Lines end in `\n`. */
  get(name: string): string
  has(name: string): boolean
  /** Returns every value of a field that may occur several times, such as the checkboxes of a table. */
  all(name: string): readonly string[]
}

/** The hidden field with the CSRF token. A form without it is refused. */
export function csrfField({ site, holder }: Pick<Visit, 'site' | 'holder'>, purpose: string): Html {
  return html`<input type="hidden" name="csrf" value="${csrfToken(site.key, holder, purpose)}" />`
}

/**
 * Reads a form.
 * @param maxBytes above the default of 256 KiB only for forms with longer fields, and only from people who are or were signed in
 * @throws HttpFailure `forbidden` for a form that another site sent, or that belongs to another session or purpose (attack 69);
 * `malformed` for a form that is too large, and for a request body that is not a form
 */
export async function readFields(visit: Visit, purpose: string, maxBytes = usualMaxBytes): Promise<Fields> {
  checkSameSite(visit.request)
  return checkFields(visit, purpose, await readForm(visit.request, maxBytes))
}

/** @throws HttpFailure `forbidden` for a form that another site sent */
export function checkSameSite(request: Request): void {
  if (!isFromThisSite(request)) throw new HttpFailure('forbidden', wordsOf(request)('shell.form_foreign'))
}

/**
 * Returns the fields of a form that was made for this purpose and holder, or for the previous session.
 * @throws HttpFailure `forbidden`
 */
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

/** Returns true if the request body is a form without files. */
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

/** Reads the request body as a form, without any check of the sender. @throws HttpFailure `malformed` */
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

/** The forms of requests in progress. */
const readForms = new WeakMap<Request, URLSearchParams>()

/** Returns the form of a request if it has been read. A page that asks for re-authentication shows the form again afterwards. */
export const formOf = (request: Request): URLSearchParams | undefined => readForms.get(request)

/**
 * Returns true if the browser says that a page of this site sent the request. Browsers send `Sec-Fetch-Site`, or only `Origin`, as
 * on plain http. A client that sends neither is not a browser, so it does not carry another person's cookies.
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

/** Returns the parts of a text, without the spaces around them and without empty parts. */
export const partsOf = (text: string, separator: string | RegExp): readonly string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Returns the number in a text. Any other text is returned as it is, and the action says what it expects. */
export const numberIn = (text: string): number | string => (Number.isFinite(Number(text)) ? Number(text) : text)
