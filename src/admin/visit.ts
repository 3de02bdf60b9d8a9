// A request to the admin with who sends it, by cookie alone: no token opens a page (attack 127). Before the sign-in a browser has a name
// of its own, so that the forms it was given are good on it and nowhere else.

import { randomBytes } from 'node:crypto'
import type { Services } from '../actions/services.ts'
import { baseOf } from '../doors/paths.ts'
import { HttpFailure } from '../http/failure.ts'
import type { Request } from '../http/request.ts'
import { callerOfAccount } from '../identity/account-store.ts'
import { anonymous, type Caller } from '../identity/caller.ts'
import { seal, unseal } from '../identity/sealed.ts'
import { findSession, longestMs, noteSeen, openSession, type Session } from '../identity/session.ts'
import type { KnownBrowser } from '../identity/sign-in.ts'
import { isObject } from '../json.ts'
import type { AccountRow } from '../store/schema.ts'
import { cookieValues, setCookie } from './cookies.ts'

export interface Visit {
  readonly site: Services
  readonly request: Request
  /** UTC milliseconds, never an hour back. */
  readonly now: number
  /** To whom the forms on this page belong: the session, or the browser. */
  readonly holder: string
  readonly session: Session | undefined
  readonly caller: Caller
  /** Who signed in on this browser before. */
  readonly known: KnownBrowser | undefined
  /** `Set-Cookie` lines that the answer must carry. */
  readonly cookies: readonly string[]
}

/** A visit of somebody who is signed in. */
export interface SignedIn extends Visit {
  readonly session: Session
}

/**
 * Finds out who a request comes from.
 * @throws HttpFailure `forbidden` for a host that only a header vouches for: there no cookie is read (attack 19)
 */
export async function openVisit(site: Services, request: Request): Promise<Visit> {
  if (!request.ownHost) throw unknownHost(request)
  const now = site.tokens.now()
  const cookies = cookieValues(request, 'session').map((text) => unseal(site.key, 'session', text))
  const known = cookieValues(request, 'known').map((text) => unseal(site.key, 'known-browser', text))
  const session = await firstSession(site, cookies, now)
  const browser = cookies.map((cookie) => textIn(cookie, 'browser')).find((id) => id !== undefined)
  const holder = session?.row.id ?? browser ?? randomBytes(18).toString('base64url')
  const isNew = !session && browser === undefined
  return {
    site,
    request,
    now,
    holder,
    session,
    caller: session ? callerOfAccount(session.account, 'admin', request.client) : anonymous('admin', request.client),
    known: known.map(knownBrowser).find((one) => one !== undefined),
    cookies: isNew ? [setCookie(request, 'session', seal(site.key, 'session', { browser: holder }))] : [],
  }
}

/** The host is what the browser asked for, as a proxy passed it on. Whether it is the site's, the owner knows alone. */
function unknownHost(request: Request): HttpFailure {
  const base = baseOf(request)
  const message =
    `This site does not know its own name yet, so nobody can sign in here. If ${base} is its address, ` +
    'put this line into /etc/postern/postern.env, and restart it with "systemctl restart postern":'
  return new HttpFailure('forbidden', message, undefined, { copy: `POSTERN_BASE_URL=${base}` })
}

async function firstSession({ store }: Services, cookies: readonly unknown[], now: number): Promise<Session | undefined> {
  for (const cookie of cookies) {
    const id = textIn(cookie, 'session')
    const session = id === undefined ? undefined : await findSession(store.read, id, now)
    if (!session) continue
    await noteSeen(store.write, session.row, now)
    return session
  }
  return undefined
}

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

/** Opens a session for an account on this browser: its cookies, of which none was known before. */
export async function signInOn(visit: Visit, account: AccountRow): Promise<readonly string[]> {
  const { site, request, now, known } = visit
  const row = await site.store.transaction((db) => openSession(db, account, now))
  const browser = known?.accountId === account.id ? known.browserId : randomBytes(18).toString('base64url')
  return [
    setCookie(request, 'session', seal(site.key, 'session', { session: row.id }), longestMs / 1000),
    setCookie(request, 'known', seal(site.key, 'known-browser', { account: account.id, browser }), knownSeconds),
  ]
}

/** The line that takes the session's cookie away. */
export function forgetSession(request: Request): string {
  return setCookie(request, 'session', '', 0)
}
