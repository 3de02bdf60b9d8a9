// An app that connects to a running site, step by step: registration, request, consent, exchange. The owner's yes is given beside the
// service, by the same functions that the page calls.

import { createHash, randomBytes } from 'node:crypto'
import { openSite as openBeside, type Site } from '../../../src/app/compose.ts'
import { databaseSettings } from '../../postgres.ts'
import { readConfig } from '../../../src/base/config.ts'
import { findOldestAdmin } from '../../../src/identity/account-store.ts'
import type { Scope } from '../../../src/identity/caller.ts'
import {
  type AuthorizeDecision,
  type AuthorizeRequest,
  parseAuthorizeRequest,
} from '../../../src/doors/oauth/authorize-request.ts'
import { issueCode } from '../../../src/doors/oauth/consent.ts'
import type { Answer, TestSite } from '../../site.ts'

export const callback = 'http://localhost:3118/callback'

/** A verifier and its S256 challenge. */
export interface Proof {
  readonly verifier: string
  readonly challenge: string
}

export function makeProof(): Proof {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** What a request is decided on, of an address. */
export function askedOf(url: URL, basePath = ''): Parameters<typeof parseAuthorizeRequest>[1] {
  return { query: url.searchParams, scheme: url.protocol.slice(0, -1) as 'http', host: url.host, basePath }
}

/** Posts a form. A value that is a list is sent as often. */
export function postForm(
  site: Pick<TestSite, 'send'>,
  path: string,
  fields: Readonly<Record<string, string | readonly string[] | undefined>>,
): Promise<Answer> {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) for (const one of [value ?? []].flat()) form.append(name, one)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return site.send(path, { method: 'POST', token: null, headers, body: form.toString() })
}

/** Registers with these members beside one redirect URI. */
export function postRegistration(
  site: Pick<TestSite, 'send'>,
  metadata: Readonly<Record<string, unknown>> = {},
): Promise<Answer> {
  const body = JSON.stringify({ redirect_uris: [callback], client_name: 'Claude', ...metadata })
  return site.send('/oauth/register', { method: 'POST', token: null, headers: { 'content-type': 'application/json' }, body })
}

export async function register(site: Pick<TestSite, 'send'>, metadata?: Readonly<Record<string, unknown>>): Promise<string> {
  const { status, json, text } = await postRegistration(site, metadata)
  if (status !== 201) throw new Error(`register: ${text}`)
  return json.client_id as string
}

export const refreshing = { grant_types: ['authorization_code', 'refresh_token'] }

/** The address of a right authorization request, changed as the test wants: undefined leaves out, a list doubles. */
export function authorizeUrl(
  base: string,
  clientId: string,
  changes: Readonly<Record<string, string | readonly string[] | undefined>> = {},
): URL {
  const url = new URL(`${base}/oauth/authorize`)
  const right = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    state: 'af0ifjsldkj',
    resource: `${base}/mcp/`,
  }
  for (const [name, value] of Object.entries({ ...right, ...changes })) {
    for (const one of [value ?? []].flat()) url.searchParams.append(name, one)
  }
  return url
}

/** The owner beside the service. */
export interface Owner extends AsyncDisposable {
  readonly site: Site
  /** Says yes to a request and returns where the browser is sent. */
  allow(url: URL, scope?: Scope): Promise<URL>
}

/** Opens the home of a running site a second time, to answer for its owner. */
export async function openOwner(
  on: Pick<TestSite, 'home' | 'base' | 'address'>,
  env: Readonly<Record<string, string>> = {},
): Promise<Owner> {
  const site = await openBeside(
    readConfig({ POSTERN_HOME: on.home, ...(await databaseSettings(on.home)), ...env }),
    () => undefined,
  )
  const basePath = on.base.slice(on.address.length)
  return {
    site,
    async allow(url, scope) {
      const request = good(parseAuthorizeRequest(site, askedOf(url, basePath)))
      const account = await findOldestAdmin(site.store.read)
      if (!account) throw new Error('The site has no owner.')
      return new URL(await issueCode(site, { request, account, scope: scope ?? request.scope }))
    },
    [Symbol.asyncDispose]: () => site.close(),
  }
}

export function good(decision: AuthorizeDecision): AuthorizeRequest {
  if ('ok' in decision) return decision.ok
  throw new Error(`The request was refused: ${JSON.stringify(decision)}`)
}

/** What exchanges a code for tokens. */
export const exchangeForm = (code: string, clientId: string, verifier: string) => ({
  grant_type: 'authorization_code',
  code,
  client_id: clientId,
  redirect_uri: callback,
  code_verifier: verifier,
})

/** A code that waits to be exchanged, with the form that does. */
export interface Waiting {
  readonly code: string
  readonly clientId: string
  readonly form: Readonly<Record<string, string>>
}

/** Everything up to the exchange. */
export async function untilCode(
  site: Pick<TestSite, 'send' | 'base'>,
  owner: Owner,
  { scope, metadata }: { scope?: Scope; metadata?: Readonly<Record<string, unknown>> } = {},
): Promise<Waiting> {
  const clientId = await register(site, metadata)
  const { verifier, challenge } = makeProof()
  const back = await owner.allow(authorizeUrl(site.base, clientId, { code_challenge: challenge }), scope)
  const code = back.searchParams.get('code') ?? ''
  const form = exchangeForm(code, clientId, verifier)
  return { code, clientId, form }
}

export interface Connected {
  readonly clientId: string
  readonly accessToken: string
  readonly refreshToken: string
  readonly answer: Answer
}

/** A whole sign-in. */
export async function connect(...given: Parameters<typeof untilCode>): Promise<Connected> {
  const { clientId, form } = await untilCode(...given)
  const answer = await postForm(given[0], '/oauth/token', form)
  if (answer.status !== 200) throw new Error(`token: ${answer.text}`)
  const { access_token: accessToken, refresh_token: refreshToken = '' } = answer.json
  return { clientId, accessToken, refreshToken, answer }
}
