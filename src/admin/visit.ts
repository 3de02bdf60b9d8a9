// A request to the admin, and its sender. Only a cookie identifies the sender: no token opens a page (attack 127). A browser that
// is not signed in has an id, so that its forms work in that browser alone.

import { randomBytes } from 'node:crypto'
import type { Services, StoreServices } from '../actions/call/services.ts'
import { baseOf } from '../doors/shared/paths.ts'
import { HttpFailure } from '../http/failure.ts'
import type { Request } from '../http/request.ts'
import { callerOfAccount } from '../identity/account-store.ts'
import { anonymous, type Caller } from '../identity/caller.ts'
import { seal, unseal } from '../identity/sealed.ts'
import { findSession, findSessionAccount, isFresh, longestMs, noteSeen, openSession, type Session } from '../identity/session.ts'
import type { Unguarded } from '../identity/second-factor-store.ts'
import type { KnownBrowser } from '../identity/sign-in.ts'
import { isObject } from '../base/json.ts'
import type { AccountRow } from '../store/core/schema.ts'
import { cookieValues, setCookie } from './cookies.ts'
import { wordsOf, type Words } from './words.ts'

export interface Visit {
  readonly site: Services
  readonly request: Request
  /** The messages in the language of the browser. */
  readonly t: Words
  /** The current time in UTC milliseconds. Unlike local time, it never jumps back by an hour. */
  readonly now: number
  /** The owner of the forms on this page: the id of the session, or of the browser. */
  readonly holder: string
  readonly session: Session | undefined
  /**
   * The previous session in this browser. If the visitor is signed in, it belonged to the same account. Its forms may still be open
   * in the browser, and they still work.
   */
  readonly before: string | undefined
  readonly caller: Caller
  /** The account that last signed in on this browser. */
  readonly known: KnownBrowser | undefined
  /** The number of proposals that this visitor may decide on. The title and the navigation show it. */
  readonly waiting?: number
  /** The accounts that recently lost their second factors by an action of another person. All admins see them. */
  readonly unguarded?: readonly Unguarded[]
  /** The `Set-Cookie` lines of the reply. */
  readonly cookies: readonly string[]
}

/** A visit by a person who is signed in. */
export interface SignedIn extends Visit {
  readonly session: Session
}

/**
 * Identifies the sender of a request.
 * @throws HttpFailure `forbidden` for a host that only a forwarded header states. No cookie is read for such a host (attack 19).
 */
export async function openVisit(site: Services, request: Request): Promise<Visit> {
  if (!request.ownHost) throw unknownHost(request)
  const now = site.tokens.now()
  const cookies = cookieValues(request, 'session').map((text) => unseal(site.key, 'session', text))
  const known = cookieValues(request, 'known').map((text) => unseal(site.key, 'known-browser', text))
  const session = await firstSession(site, cookies, now)
  const browser = first(cookies, 'browser')
  const holder = session?.row.id ?? browser ?? randomBytes(18).toString('base64url')
  // With a session, only the cookie of that session counts: a neighbouring host may have set another one.
  const own = session ? cookies.filter((cookie) => textIn(cookie, 'session') === session.row.id) : cookies
  const before = (session ? undefined : first(own, 'session')) ?? first(own, 'before')
  const isNew = !session && browser === undefined
  return {
    site,
    request,
    t: wordsOf(request),
    now,
    holder,
    session,
    before,
    caller: session ? callerOfSession(session, request.client, now) : anonymous('admin', request.client),
    known: known.map(knownBrowser).find((one) => one !== undefined),
    cookies: isNew ? [setCookie(request, 'session', seal(site.key, 'session', { browser: holder, before }))] : [],
  }
}

function callerOfSession({ row, account }: Session, address: string, now: number): Caller {
  const caller = callerOfAccount(account, 'admin', address)
  return isFresh(row, now) ? caller : { ...caller, unproven: true }
}

/** A reverse proxy passed on the host that the browser asked for. Only the owner knows if that host belongs to the site. */
function unknownHost(request: Request): HttpFailure {
  const base = baseOf(request)
  const message = wordsOf(request)('shell.unknown_host', { base })
  return new HttpFailure('forbidden', message, undefined, { copy: `POSTERN_BASE_URL=${base}` })
}

async function firstSession({ store }: StoreServices, cookies: readonly unknown[], now: number): Promise<Session | undefined> {
  for (const cookie of cookies) {
    const id = textIn(cookie, 'session')
    const session = id === undefined ? undefined : await findSession(store.read, id, now)
    if (!session) continue
    await noteSeen(store.write, session.row, now)
    return session
  }
  return undefined
}

/** The first value of the cookie that has this name. */
const first = (cookies: readonly unknown[], name: string): string | undefined =>
  cookies.map((cookie) => textIn(cookie, name)).find((text) => text !== undefined)

function textIn(cookie: unknown, name: string): string | undefined {
  const value = isObject(cookie) ? cookie[name] : undefined
  return typeof value === 'string' ? value : undefined
}

function knownBrowser(cookie: unknown): KnownBrowser | undefined {
  const accountId = textIn(cookie, 'account')
  const browserId = textIn(cookie, 'browser')
  return accountId === undefined || browserId === undefined ? undefined : { accountId, browserId }
}

const knownSeconds = 180 * 24 * 60 * 60

/** Opens a session for an account on this browser. @returns its `Set-Cookie` lines, with a new session id */
export async function signInOn(visit: Visit, account: AccountRow): Promise<readonly string[]> {
  const { site, request, now, known } = visit
  const from = { address: request.client, agent: request.header('user-agent') ?? '' }
  const row = await site.store.transaction((db) => openSession(db, account, now, from))
  const before = await earlierSession(visit, account)
  const browser = known?.accountId === account.id ? known.browserId : randomBytes(18).toString('base64url')
  return [
    setCookie(request, 'session', seal(site.key, 'session', { session: row.id, before }), longestMs / 1000),
    setCookie(request, 'known', seal(site.key, 'known-browser', { account: account.id, browser }), knownSeconds),
  ]
}

/** Returns the previous session of this browser if it belonged to the same account. Nobody gets the forms of another person. */
export async function earlierSession(
  { site, session, before }: Visit,
  { id }: Pick<AccountRow, 'id'>,
): Promise<string | undefined> {
  const earlier = session?.row.id ?? before
  return earlier !== undefined && (await findSessionAccount(site.store.read, earlier)) === id ? earlier : undefined
}

/** The `Set-Cookie` line that deletes the session's cookie. */
export function forgetSession(request: Request): string {
  return setCookie(request, 'session', '', 0)
}
