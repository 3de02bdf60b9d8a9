// Sends one request to the site's own address as a client would: to a given IP address, by HTTP/1.1 or 2, with the target exactly
// as given. It follows no redirects and checks no addresses, so only the doctor uses it, and only for the site's own host.

import { once } from 'node:events'
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as requestPlain } from 'node:http'
import { connect as connect2, type IncomingHttpHeaders as Headers2 } from 'node:http2'
import { request as requestTls } from 'node:https'
import type { Socket } from 'node:net'
import { connect as connectTls, createSecureContext, rootCertificates, type SecureContext } from 'node:tls'

export interface OwnRequest {
  readonly scheme: 'http' | 'https'
  /** The IP address to connect to; `host` has the name. */
  readonly address: string
  readonly port: number
  /** The `Host` header, with the port unless it is the default one. The certificate must be for its name. */
  readonly host: string
  readonly target: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
  readonly version: '1.1' | '2'
  /**
   * The size of a body to announce with `Expect: 100-continue`. Status 100 is then the answer, and no body is sent. HTTP/1.1
   * only.
   */
  readonly announcedBytes?: number | undefined
  /** Certificates to trust in addition to those of Node, in PEM. */
  readonly trust: readonly string[]
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export interface OwnAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The times at which the parts of the body arrived, in milliseconds since the first. */
  readonly arrivals: readonly number[]
  /** True if the body broke off before its end. */
  readonly cut: boolean
}

/** The reason why there is no answer. `timeout`: no connection in time; `silent`: a connection, but no answer. */
export type FaultKind = 'refused' | 'timeout' | 'silent' | 'certificate' | 'broken'

/** The failure to get an answer, with the reason as a word and as a sentence. */
export class OwnFault extends Error {
  readonly kind: FaultKind

  constructor(kind: FaultKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OwnFault'
    this.kind = kind
  }
}

const maxBytes = 256 * 1024

/** Sends the request and reads the answer, up to 256 KiB. @throws OwnFault */
export async function askOwn(asked: OwnRequest): Promise<OwnAnswer> {
  const deadline = AbortSignal.timeout(asked.timeoutMs)
  const signal = AbortSignal.any([asked.signal, deadline])
  let isConnected = false
  const onSocket = (socket: Socket) => void socket.once('connect', () => (isConnected = true))
  try {
    return asked.version === '2' ? await askBy2(asked, signal, onSocket) : await askBy1(asked, signal, onSocket)
  } catch (error) {
    if (!deadline.aborted) throw faultOf(error)
    const [kind, lack] = isConnected ? (['silent', 'answer'] as const) : (['timeout', 'connection'] as const)
    throw new OwnFault(kind, `no ${lack} in ${asked.timeoutMs / 1000} s`, { cause: error })
  }
}

const nameOf = (host: string): string => host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
/** The server name for TLS, which may not be an IP address (RFC 6066 §3). */
const servernameOf = (host: string): string => (/^[\d.]+$|:/.test(nameOf(host)) ? '' : nameOf(host))

function tlsOf({ host, trust }: OwnRequest): { servername: string; secureContext?: SecureContext } {
  return { servername: servernameOf(host), ...(trust.length === 0 ? {} : { secureContext: contextOf(trust) }) }
}

/** One context per list of certificates. Parsing the usual certificates takes longer than a request. */
const contexts = new WeakMap<readonly string[], SecureContext>()

function contextOf(trust: readonly string[]): SecureContext {
  const context = contexts.get(trust) ?? createSecureContext({ ca: [...rootCertificates, ...trust] })
  contexts.set(trust, context)
  return context
}

type OnSocket = (socket: Socket) => void

async function askBy1(asked: OwnRequest, signal: AbortSignal, onSocket: OnSocket): Promise<OwnAnswer> {
  const { address, port, target, method, headers, body, host, announcedBytes, scheme } = asked
  const length = announcedBytes ?? (body === undefined ? undefined : Buffer.byteLength(body))
  const common = {
    host: address,
    port,
    path: target,
    method,
    signal,
    headers: {
      host,
      ...headers,
      ...(length === undefined ? {} : { 'content-length': String(length) }),
      ...(announcedBytes === undefined ? {} : { expect: '100-continue' }),
    },
    agent: false as const,
  }
  const request = scheme === 'https' ? requestTls({ ...common, ...tlsOf(asked) }) : requestPlain(common)
  request.once('socket', onSocket)
  if (announcedBytes === undefined) request.end(body)
  else request.flushHeaders()
  const answered = await (announcedBytes === undefined
    ? firstAnswer(request)
    : Promise.race([firstAnswer(request), goOn(request)]))
  if (answered === undefined) return { status: 100, headers: {}, text: '', arrivals: [], cut: false }
  const read = await readParts(answered)
  request.destroy()
  return { status: answered.statusCode ?? 0, headers: plainHeaders(answered.headers), ...read }
}

async function firstAnswer(request: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  // A server that refuses in the middle of a request body resets the connection after its answer. The answer counts.
  request.on('error', () => undefined)
  return response
}

async function goOn(request: ClientRequest): Promise<undefined> {
  await new Promise<void>((resolve) => request.once('continue', resolve))
  request.on('error', () => undefined)
  request.destroy()
}

async function askBy2(asked: OwnRequest, signal: AbortSignal, onSocket: OnSocket): Promise<OwnAnswer> {
  const { address, port, target, method, headers, body, host } = asked
  const socket = connectTls({ host: address, port, ALPNProtocols: ['h2'], ...tlsOf(asked) })
  onSocket(socket)
  const stop = () => socket.destroy(new Error('given up'))
  signal.addEventListener('abort', stop, { once: true })
  try {
    await once(socket, 'secureConnect')
    if (socket.alpnProtocol !== 'h2') throw new OwnFault('broken', 'HTTP/2 is not offered')
    const session = connect2(`https://${host}`, { createConnection: () => socket })
    const failed = once(session, 'error').then(([error]) => Promise.reject(error as Error))
    failed.catch(() => undefined)
    const stream = session.request({ ':path': target, ':method': method, ':authority': host, ...headers })
    stream.end(body)
    const [answered] = (await Promise.race([once(stream, 'response'), failed])) as [Headers2]
    const read = await readParts(stream)
    session.destroy()
    return { status: Number(answered[':status']), headers: plainHeaders(answered), ...read }
  } finally {
    signal.removeEventListener('abort', stop)
    socket.destroy()
  }
}

async function readParts(source: AsyncIterable<Buffer>): Promise<Pick<OwnAnswer, 'text' | 'arrivals' | 'cut'>> {
  const parts: Buffer[] = []
  const arrivals: number[] = []
  let [bytes, first] = [0, 0]
  try {
    for await (const part of source) {
      first ||= performance.now()
      arrivals.push(performance.now() - first)
      parts.push(part)
      bytes += part.length
      if (bytes > maxBytes) break
    }
    return { text: textOf(parts), arrivals, cut: false }
  } catch (error) {
    if (arrivals.length === 0) throw error
    return { text: textOf(parts), arrivals, cut: true }
  }
}

const textOf = (parts: readonly Buffer[]): string => Buffer.concat(parts).toString('utf8')

function plainHeaders(headers: IncomingHttpHeaders | Headers2): Readonly<Record<string, string>> {
  const all = Object.entries(headers).filter(([name, value]) => value !== undefined && !name.startsWith(':'))
  return Object.fromEntries(all.map(([name, value]) => [name, [value].flat().join(', ')]))
}

function faultOf(error: unknown): OwnFault {
  if (error instanceof OwnFault) return error
  const failure = error instanceof AggregateError ? (error.errors[0] as Error) : (error as Error)
  const { code = '' } = failure as { code?: string }
  const refused = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(code)
  const kind = refused ? 'refused' : /CERT|SIGNATURE|CHAIN|ISSUER|ALTNAME/.test(code) ? 'certificate' : 'broken'
  return new OwnFault(kind, failure.message || code, { cause: error })
}
