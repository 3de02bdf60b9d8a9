// A made visit to a page of the admin: a real site without a server, a session, and a request of which only what pages read is there.

import { randomBytes } from 'node:crypto'
import type { Site } from '../../src/app/compose.ts'
import type { Fields } from '../../src/admin/form.ts'
import { wordsOf } from '../../src/admin/words.ts'
import type { SignedIn } from '../../src/admin/visit.ts'
import type { Reply } from '../../src/http/reply.ts'
import type { Request } from '../../src/http/request.ts'
import { callerOfAccount } from '../../src/identity/account-store.ts'
import { csrfToken } from '../../src/identity/csrf.ts'
import { openSession } from '../../src/identity/session.ts'
import type { AccountRow } from '../../src/store/core/schema.ts'

type Values = Readonly<Record<string, string | readonly string[]>>

interface MadeVisit {
  readonly site: Site
  readonly account: AccountRow
  /** The path of the page, with its query. */
  readonly path: string
  readonly now: number
  readonly language?: string
  /** A form that is sent to the page, with the token of this purpose. */
  readonly form?: { readonly purpose: string; readonly values: Values }
}

/** A visit of somebody who has just signed in. */
export async function makeVisit({ site, account, path, now, language = 'en', form }: MadeVisit): Promise<SignedIn> {
  const row = await openSession(site.store.write, account, now, { address: '192.0.2.1', agent: '' })
  const csrf = form && csrfToken(site.key, row.id, form.purpose)
  const body = form ? paramsOf({ ...form.values, csrf: csrf ?? '' }).toString() : ''
  const request = requestOf(path, { 'accept-language': language }, form && body)
  return {
    site,
    request,
    t: wordsOf(request),
    now,
    holder: row.id,
    session: { row, account },
    before: undefined,
    caller: callerOfAccount(account, 'admin', '192.0.2.1'),
    known: undefined,
    cookies: [],
  }
}

function requestOf(target: string, headers: Readonly<Record<string, string>>, body: string | undefined): Request {
  const { pathname, searchParams } = new URL(target, 'http://localhost')
  const all: Readonly<Record<string, string>> = {
    ...headers,
    'sec-fetch-site': 'same-origin',
    ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
  }
  const made: Omit<Request, 'streamBody'> = {
    method: body === undefined ? 'GET' : 'POST',
    target,
    path: pathname,
    rawPath: pathname,
    basePath: '',
    outside: false,
    suspicious: false,
    query: searchParams,
    header: (name) => all[name],
    headerNames: () => Object.keys(all),
    client: '192.0.2.1',
    scheme: 'https',
    host: 'example.org',
    ownHost: true,
    forwarded: false,
    id: randomBytes(4).toString('hex'),
    signal: new AbortController().signal,
    readBody: async () => Buffer.from(body ?? ''),
  }
  return made as Request
}

function paramsOf(values: Values): URLSearchParams {
  const pairs = Object.entries(values).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one]))
  return new URLSearchParams(pairs)
}

/** The fields of a form, as a page reads them. */
export function fieldsOf(values: Values): Fields {
  const params = paramsOf(values)
  return { get: (name) => params.get(name) ?? '', has: (name) => params.has(name), all: (name) => params.getAll(name) }
}

/** The page in a reply. */
export function htmlOf({ body }: Reply): string {
  if (!body || !('text' in body)) throw new Error('The reply is not a page.')
  return body.text
}
