// A page with a password: the form in its place, the answer to the form, and the page itself for a browser that has typed the
// password. Whoever has no valid cookie gets a page without any part of the text (attack 190).

import { attribute, type Html, html } from '../../doors/shared/html.ts'
import { urlOf } from '../../content/entries/entry.ts'
import { languageOf, languagesOf } from '../../content/languages/languages.ts'
import { checkPagePassword, isUnlocked, sealUnlocked, unlockedSeconds } from '../../identity/page-password.ts'
import { HttpFailure } from '../../http/failure.ts'
import { redirect, type Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import type { Services } from '../../actions/call/services.ts'
import { siteWord } from '../../themes/site-words.ts'
import { findLockedEntry, type LockedEntry } from '../lists/public-entries.ts'
import { prefersMarkdown } from './accept.ts'
import { type Frame, frameOf } from './frame.ts'
import { crumbsOf } from './page-data/crumbs.ts'
import { entryOf } from './page-data/entry.ts'
import { nothingAround } from './page-data/around.ts'
import { iconLinks } from './page-data/feed-links.ts'
import { headOf } from './page-data/head.ts'
import { pageOf } from './page-data/page.ts'
import { themed } from './themed.ts'
import { htmlHeaders, lockedHeaders, ownReply } from './public-page.ts'
import { pageReply } from '../kept/page-cache.ts'

const cookieStart = 'postern-page'
const maxPasswordChars = 1000

/** The reason why the form is shown again. */
type Refusal = 'locked_wrong' | 'locked_wait'

/**
 * The form in place of an entry.
 * @throws HttpFailure `forbidden` for a program that asks for Markdown
 */
export async function lockedReply(
  frame: Frame,
  entry: LockedEntry,
  form: 'html' | 'markdown' = 'html',
  refusal?: Refusal,
): Promise<Reply> {
  const { site, origin } = frame
  if (form === 'markdown')
    throw new HttpFailure('forbidden', 'This page has a password, which visitors type in a browser. It has no Markdown.')
  const { title } = entry
  const path = entry.path ?? '/'
  const language = languageOf(languagesOf(site.settings.values), entry.locale) || 'en'
  const blank = { ...entry, body: '', terms: '[]' }
  const crumbs = await crumbsOf(frame, path, entry.locale, site.types.current.of(entry.type))
  const parts = { excerpt: '', author: null, image: null, fields: {}, around: nothingAround, comments: null }
  const page = pageOf('page', {
    title,
    url: null,
    description: null,
    head: headOf({
      title,
      siteTitle: site.settings.values.site_title,
      description: undefined,
      canonical: undefined,
      kind: 'website',
      links: iconLinks(frame),
    }),
    crumbs,
    language,
    entry: entryOf(frame, blank, parts, formOf(origin, path, language, refusal).toString()),
  })
  const { html: text } = await themed(frame, page, undefined, { origin, path, page: 1, version: '' })
  const { etag: _etag, ...headers } = pageReply('', { ...htmlHeaders, ...lockedHeaders }).headers
  return { status: 403, headers, body: { bytes: Buffer.from(text) } }
}

function formOf(origin: string, path: string, language: string, refusal: Refusal | undefined): Html {
  const word = (key: Parameters<typeof siteWord>[1]): string => siteWord(language, key)
  const action = new URL(urlOf(origin, path)).pathname
  const wrong = refusal && html`<p id="page-password-wrong" role="alert"><strong>${word(refusal)}</strong></p>`
  return html`<p>${word('locked')}</p>
    ${wrong}
    <form class="search" method="post" ${attribute('action', action)}>
      <label for="page-password">${word('locked_label')}</label>
      <input id="page-password" name="password" type="password" required maxlength="200" autocomplete="current-password" />
      <button type="submit">${word('locked_open')}</button>
    </form>`
}

/** True for a browser with a cookie of any page that asks for HTML. */
export const mayBeUnlocked = (request: Request): boolean =>
  (request.header('cookie') ?? '').includes(cookieStart) && !prefersMarkdown(request.header('accept'))

/**
 * The entry at the path of a request, for a browser that has typed its password; undefined for every other request. The caller must
 * not keep the reply.
 */
export async function findUnlocked(site: Services, request: Request): Promise<Reply | undefined> {
  const now = site.clock.now()
  const entry = await findLockedEntry(site.store.read, request.path, now)
  if (!entry || !isUnlocked(site.key, entry, cookieValues(request), now)) return undefined
  return ownReply(frameOf(site, request), entry)
}

/** Answers the form: the page with a cookie, or the form again. @returns undefined if no page at the path has a password */
export async function takePassword(site: Services, request: Request, fields: URLSearchParams): Promise<Reply | undefined> {
  const now = site.clock.now()
  const entry = await findLockedEntry(site.store.read, request.path, now)
  if (!entry) return undefined
  const frame = frameOf(site, request)
  const password = (fields.get('password') ?? '').slice(0, maxPasswordChars)
  const checked = await checkPagePassword(site.store, entry, { password, address: request.client, now })
  if ('retryAfterSeconds' in checked) {
    const reply = await lockedReply(frame, entry, 'html', 'locked_wait')
    return { ...reply, status: 429, headers: { ...reply.headers, 'retry-after': String(checked.retryAfterSeconds) } }
  }
  if (!checked.opened) return lockedReply(frame, entry, 'html', 'locked_wrong')
  const value = sealUnlocked(site.key, entry, now)
  return redirect(303, pathOf(request), { 'cache-control': 'no-store', 'set-cookie': setCookie(request, value) })
}

const pathOf = ({ basePath, path }: Request): string => urlOf(basePath, path)

const cookieName = ({ scheme }: Request): string => (scheme === 'https' ? `__Secure-${cookieStart}` : cookieStart)

function setCookie(request: Request, value: string): string {
  const secure = request.scheme === 'https' ? '; Secure' : ''
  return `${cookieName(request)}=${value}; Path=${pathOf(request)}; Max-Age=${unlockedSeconds}; HttpOnly; SameSite=Lax${secure}`
}

const maxCookies = 50

/** All values, because a page and the page above it have cookies of the same name. */
function cookieValues(request: Request): readonly string[] {
  const start = `${cookieName(request)}=`
  const pairs = (request.header('cookie') ?? '').split(';', maxCookies).map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length))
}
