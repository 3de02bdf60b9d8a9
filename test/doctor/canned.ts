// A doctor that sends nothing: it answers each question as a healthy site behind nginx would, save where a test plants another answer.

import type { BaseUrl } from '../../src/base/config.ts'
import { type DoctorKey, parseDoctorKey } from '../../src/doctor/doctor-key.ts'
import { type Doctor, type DoctorAnswer, type DoctorOptions, hrefOf, type Question, twinOf } from '../../src/doctor/doctor.ts'
import { type FaultKind, OwnFault } from '../../src/outbound/ask-own.ts'
import type { FindingState } from '../../src/doctor/finding.ts'
import type { Seen } from '../../src/doctor/seen.ts'

/** Another answer: to which requests, as `POST https://example.org/mcp/`, and what differs from the healthy one. */
export type Planted = readonly [
  request: RegExp,
  change: (healthy: DoctorAnswer, question: Question) => Partial<DoctorAnswer> | undefined,
]

export interface Canned {
  readonly base?: BaseUrl
  readonly answers?: readonly Planted[]
  readonly options?: Partial<DoctorOptions>
}

/** A fault, and what its row says of it. */
export interface RowFault extends Canned {
  readonly planted: string
  /** `broken` unless given. */
  readonly state?: FindingState
  readonly says: RegExp
  readonly fix: RegExp
}

/** Its name is one of this machine only, so that no row asks DNS. */
export const atRoot: BaseUrl = { scheme: 'https', host: 'localhost', path: '' }
export const atBlog: BaseUrl = { ...atRoot, path: '/blog' }

/** It opens nothing here: that there is one tells the rows that the service reports what arrives. */
const key: DoctorKey | undefined = parseDoctorKey(`pdk_zzzzzzzz_${'A'.repeat(43)}`)

/** The first change that applies to a question makes its answer. */
export function cannedDoctor({ base = atRoot, answers = [], options = {} }: Canned = {}): Doctor {
  const full: DoctorOptions = {
    base,
    token: 'pst_canned',
    key,
    names: { instead: new Map() },
    trust: [],
    plainPort: 80,
    signal: new AbortController().signal,
    timeoutMs: 1000,
    gapsMs: 0,
    ...options,
  }
  const ask = async (question: Question): Promise<DoctorAnswer> => {
    const healthy = healthyAnswer(full, question)
    for (const [request, change] of answers) {
      const changed = request.test(healthy.what) ? change(healthy, question) : undefined
      if (changed) return { ...healthy, ...changed }
    }
    return healthy
  }
  return { options: full, base, ask, askAll: (questions) => Promise.all(questions.map(ask)) }
}

type Told = Pick<DoctorAnswer, 'status' | 'headers' | 'text'>

const json = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Told => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  text: JSON.stringify(body),
})
/** With Postern's mark: at the documents as JSON, elsewhere as a page. */
function refusal(status: number, { path }: BaseUrl, target: string): Told {
  const mark = { 'x-answered-by': `Postern at ${path || '/'}` }
  if (target.includes('/.well-known/')) return json(status, { error: { code: 'not_found' } }, mark)
  return { ...page, status, headers: { ...page.headers, ...mark } }
}

function healthyAnswer(options: DoctorOptions, question: Question): DoctorAnswer {
  const { base } = options
  const { method = 'GET', path, body, twin = false, plain = false, token } = question
  const target = path.startsWith('//') ? path.slice(1) : base.path + path
  const scheme = plain ? 'http' : base.scheme
  const host = twin ? twinOf(base.host) : base.host
  const sentBytes = body === undefined ? 0 : Buffer.byteLength(body)
  const seen: Seen = {
    nonce: 'canned',
    method,
    target,
    headers: ['host', 'x-forwarded-for', 'x-forwarded-proto', 'authorization'],
    authorization: token === 'useless' || (token === 'own' && options.token !== undefined) ? 'bearer' : null,
    bytes: sentBytes,
    client: '203.0.113.9',
    scheme,
    host,
  }
  // nginx itself refuses plain http, and asks for a body that is only announced.
  const isOwn = !plain && question.announcedBytes === undefined
  const told = isOwn ? tell(options, question, target) : question.plain ? json(403, {}) : { status: 100, headers: {}, text: '' }
  return {
    ...told,
    what: `${method} ${scheme}://${host}${target}`,
    target,
    sentBytes,
    headers: { server: 'nginx', date: new Date().toUTCString(), ...told.headers },
    arrivals: question.wish === 'events' ? [0, 200, 400, 600, 800] : [0],
    cut: false,
    sentAt: 0,
    cameAt: 0,
    fault: undefined,
    seen: isOwn && options.key !== undefined ? seen : undefined,
    kept: false,
  }
}

/** What Postern answers at a target. */
function tell(options: DoctorOptions, question: Question, target: string): Told {
  const { base } = options
  const href = hrefOf({ base })
  const places: Readonly<Record<string, () => Told>> = {
    [`${base.path}/.well-known/oauth-protected-resource`]: () => json(200, { resource: `${href}/mcp/` }),
    [`${base.path}/.well-known/oauth-authorization-server`]: () => json(200, { issuer: href }),
    [`/.well-known/oauth-protected-resource${base.path}/mcp/`]: () => json(200, { resource: `${href}/mcp/` }),
    [`/.well-known/oauth-authorization-server${base.path}`]: () => json(200, { issuer: href }),
    [`${base.path}/mcp`]: () => tellMcp(options, question),
    [`${base.path}/mcp/`]: () => tellMcp(options, question),
    [`${base.path}/MCP`]: () => tellMcp(options, question),
    [`${base.path}/api/`]: () => tellApi(options, question),
    [`${base.path}/oauth/register`]: () => json(400, { error: 'invalid_client_metadata' }),
    [`${base.path}/oauth/token`]: () => json(400, { error: 'invalid_request' }),
    [`${base.path}/`]: () => page,
    [`${base.path}/admin/`]: () => ({ status: 303, headers: { location: `${base.path}/admin/sign-in` }, text: '' }),
  }
  return places[target]?.() ?? refusal(target.includes('user-content') ? 403 : 404, base, target)
}

const page: Told = { status: 200, headers: { 'content-type': 'text/html' }, text: '<!doctype html><title>Home</title>' }

function tellMcp({ token }: DoctorOptions, question: Question): Told {
  if (question.wish !== undefined)
    return { status: 200, headers: { 'content-type': 'text/event-stream' }, text: 'data: 1\n\ndata: 2\n\n' }
  if (question.token === 'own' && token !== undefined) return json(200, { jsonrpc: '2.0', id: 1, result: {} })
  const error = question.token === 'useless' ? ' error="invalid_token",' : ''
  const challenge = { 'www-authenticate': `Bearer${error} resource_metadata="x"` }
  return json(401, { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Sign in.' } }, challenge)
}

function tellApi({ token }: DoctorOptions, question: Question): Told {
  if (question.body instanceof Uint8Array) return json(400, { success: false, error: { code: 'invalid_json' } })
  const own = question.token === 'own' && token !== undefined
  return json(200, { success: true, data: { you: { token: own ? 'doctor' : null } } })
}

/** A page of the web server's own: the request did not reach Postern. */
export const pageOfFront = (
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Partial<DoctorAnswer> => ({
  status,
  text,
  headers: { server: 'nginx', 'content-type': 'text/html', ...headers },
  seen: undefined,
})

/** Nothing came back. */
export const noAnswer = (kind: FaultKind, message: string): Partial<DoctorAnswer> => ({
  status: 0,
  headers: {},
  text: '',
  seen: undefined,
  fault: new OwnFault(kind, message),
})

/** The service reports another request than the one that was sent. */
export const reporting =
  (change: Partial<Seen>): Planted[1] =>
  ({ seen }) => ({ seen: seen && { ...seen, ...change } })
