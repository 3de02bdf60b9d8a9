// Sends every request from the site to other machines. Only public addresses are allowed, each redirect is checked again, bytes
// and time are limited, and every refusal has the same sentence. The caller interprets the answer.

import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import type { Agent } from 'undici'
import type { Config } from '../base/config.ts'
import { errorMessage } from '../base/error-message.ts'
import { Failure } from '../base/failure.ts'
import type { Log } from '../base/log.ts'
import { guardConnect, guardLookup, type Lookup, lookupAll, notPublic } from './guarded-connect.ts'
import { type HttpClient, loadHttpClient } from './http-client.ts'
import { type Hop, nextHop } from './next-hop.ts'
import { isInPrivateNetwork, isPublicAddress } from './public-address.ts'
import { acceptEncoding, readAnswer, type BodySink } from './read-answer.ts'

export interface OutboundOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
  /** A body of this size that is read while it is sent. No redirect is followed then. */
  readonly stream?: { readonly bytes: number; readonly parts: AsyncIterable<Uint8Array> }
  /** The largest body of the answer, both compressed and decompressed. The default is 10 MiB. */
  readonly maxBytes?: number
  /** The time from the first lookup to the last byte. The default is 10 s. */
  readonly timeoutMs?: number
  /** True if the time begins anew with each part that is sent or received, for bodies of any size. */
  readonly perPart?: boolean
  /** Ends the request early. */
  readonly signal?: AbortSignal
  /** Receives the body of the answer in parts. The answer's own `body` is then empty. */
  readonly sink?: BodySink
  /** The number of redirects to follow. The default is 5; with 0 a redirect is the answer. */
  readonly maxHops?: number
  /** The allowed ports. The default is 80 and 443. */
  readonly ports?: readonly number[]
  /** Returns true if a host is allowed. It is called for each redirect. The default allows all hosts. */
  readonly allowHost?: (host: string) => boolean
  /** For probing the site itself: allows the host of `POSTERN_BASE_URL` and no other, at any address and port. */
  readonly ownAddress?: boolean
  /** Also allows addresses in private networks. Only where somebody with all rights has named the address and consented. */
  readonly privateNetwork?: boolean
  /** The request target exactly as it is sent, because a URL would normalise it: `//x/../y`. Only with `ownAddress`. */
  readonly rawPath?: string
}

/** A complete answer, decompressed. */
export interface OutboundAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: Uint8Array
  /** The address that answered, after all redirects. */
  readonly url: string
}

export interface Outbound {
  /**
   * Sends a request to another machine. Any status is an answer.
   * @throws Failure `unreachable`, with the same sentence for every reason, so that nobody can explore the site's own network
   * (attacks 116 to 118); the reason is in its `cause` and in the log
   */
  fetch(url: string, options?: OutboundOptions): Promise<OutboundAnswer>
  /**
   * Finds an allowed address of a host, for a program that connects by itself. It must connect to this address, because a second
   * lookup may answer another one. @throws Error if the host has no address, or one that is not allowed
   */
  findAddress(host: string, options: Pick<OutboundOptions, 'privateNetwork'>): Promise<string>
}

/** The parts that `openOutbound` needs. `lookup` and `isAllowed` are for tests, which have no public address. */
export interface OutboundParts {
  readonly log: Log
  readonly config: Pick<Config, 'POSTERN_BASE_URL'>
  readonly lookup?: Lookup
  readonly isAllowed?: (address: string) => boolean
}

interface Rule {
  readonly options: OutboundOptions
  readonly maxBytes: number
  readonly ports: readonly number[]
  readonly ownHost: string | undefined
  /** Called with each part that was sent or received. */
  readonly onPart: () => void
}

/** Creates an outbound client. It loads and connects nothing before the first `fetch`. */
export function createOutbound({ log, config, lookup = lookupAll, isAllowed = isPublicAddress }: OutboundParts): Outbound {
  const base = config.POSTERN_BASE_URL
  const ownHost = base && new URL(`${base.scheme}://${base.host}`).hostname
  const allowedBy = ({ ownAddress, privateNetwork }: OutboundOptions) => {
    if (ownAddress === true) return () => true
    return privateNetwork === true ? (address: string) => isAllowed(address) || isInPrivateNetwork(address) : isAllowed
  }
  return {
    async fetch(url, options = {}) {
      const { maxBytes = 10 * 1024 ** 2, ports = [80, 443] } = options
      const onPart = () => void (options.perPart === true && timer.refresh())
      const rule = { options, maxBytes, ports, ownHost, onPart }
      const timeoutMs = options.timeoutMs ?? 10_000
      const client = await loadHttpClient()
      const allowed = allowedBy(options)
      const connect = client.buildConnector({ lookup: guardLookup(lookup, allowed), timeout: timeoutMs })
      // One agent per call: no connection stays open after the call or serves a call with other rights.
      const agent = new client.Agent({ connect: guardConnect(connect, allowed), connections: 1, maxHeaderSize: 32 * 1024 })
      const deadline = new AbortController()
      const timer = setTimeout(() => deadline.abort(new Error(`no whole answer in ${timeoutMs} ms`)), timeoutMs)
      try {
        const signal = options.signal ? AbortSignal.any([deadline.signal, options.signal]) : deadline.signal
        return await follow(client, agent, firstHop(url, options), rule, signal)
      } catch (error) {
        const host = URL.canParse(url) ? new URL(url).host : ''
        log.info('outbound request failed', { host, reason: reasonOf(error) })
        throw unreachable(timeoutMs, rule.maxBytes, error)
      } finally {
        clearTimeout(timer)
        await agent.destroy()
      }
    },

    async findAddress(host, options) {
      const allowed = allowedBy(options)
      const bare = host.replace(/^\[|\]$/g, '')
      if (isIP(bare) !== 0) {
        if (allowed(bare)) return bare
        throw notPublic(bare)
      }
      return new Promise((resolve, reject) => {
        const found = (error: Error | null, address: unknown) => (error ? reject(error) : resolve(address as string))
        guardLookup(lookup, allowed)(bare, {}, found)
      })
    },
  }
}

/** The allowed methods: those of HTTP and WebDAV. `CONNECT` is not among them: it would open a tunnel to any address. */
const methods: ReadonlySet<string> = new Set(
  ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].concat('PROPFIND', 'MKCOL', 'MOVE'),
)

function firstHop(url: string, options: OutboundOptions): Hop {
  if (!URL.canParse(url)) throw new Error('no address')
  const method = (options.method ?? 'GET').toUpperCase()
  if (!methods.has(method)) throw new Error(`the method ${method}`)
  const headers = Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const)
  const sent = headers.filter(([name]) => !ownHeaders.has(name))
  return {
    url: new URL(url),
    method,
    headers: { 'user-agent': 'Postern', accept: '*/*', ...Object.fromEntries(sent), 'accept-encoding': acceptEncoding },
    body: options.body,
  }
}

/** Headers that callers may not set. With a `host` header, a request could reach another site at the same address. */
const ownHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'proxy-authorization',
  'proxy-connection',
])

async function follow(client: HttpClient, agent: Agent, first: Hop, rule: Rule, signal: AbortSignal): Promise<OutboundAnswer> {
  const { rawPath, ownAddress, stream } = rule.options
  const maxHops = stream ? 0 : (rule.options.maxHops ?? 5)
  let hop = first
  for (let hops = 0; ; hops++) {
    checkHop(hop.url, rule)
    const raw = ownAddress === true && hops === 0 ? rawPath : undefined
    const {
      statusCode: status,
      headers: all,
      body,
    } = await client.request(agent, {
      origin: hop.url.origin,
      path: raw ?? `${hop.url.pathname}${hop.url.search}`,
      method: hop.method,
      headers: stream ? { ...hop.headers, 'content-length': String(stream.bytes) } : hop.headers,
      body: stream ? Readable.from(told(stream.parts, rule.onPart), { objectMode: false }) : (hop.body ?? null),
      signal,
    })
    const headers = known(all)
    const next = maxHops > 0 ? nextHop(hop, status, headers['location']) : undefined
    if (!next) {
      const bare = hop.method === 'HEAD' || status === 204 || status === 304
      const encoding = bare ? undefined : headers['content-encoding']?.toString()
      const { sink } = rule.options
      const toldSink = sink && (async (part: Uint8Array) => sink(part).finally(rule.onPart))
      return { status, headers, body: await readAnswer(body, encoding, rule.maxBytes, toldSink), url: hop.url.href }
    }
    if (hops === maxHops) throw new Error(`more than ${maxHops} redirects`)
    // An unread body may be endless.
    body.on('error', () => undefined).destroy()
    hop = next
  }
}

async function* told(parts: AsyncIterable<Uint8Array>, onPart: () => void): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    yield part
    onPart()
  }
}

function checkHop(url: URL, { options, ports, ownHost }: Rule): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error(`the scheme ${url.protocol}`)
  if (url.username !== '' || url.password !== '') throw new Error('credentials in the address')
  if (options.allowHost && !options.allowHost(url.hostname)) throw new Error(`the host ${url.hostname} is not allowed`)
  if (options.ownAddress === true) {
    if (url.hostname !== ownHost) throw new Error(`${url.hostname} is not the site's own host`)
    return
  }
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  if (!ports.includes(port)) throw new Error(`port ${port}`)
}

/** Headers by name. The value is a list if the header came twice. */
function known(headers: Readonly<Record<string, string | string[] | undefined>>): OutboundAnswer['headers'] {
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return errorMessage(error)
}

function unreachable(timeoutMs: number, maxBytes: number, cause: unknown): Failure {
  const message =
    'That address gave no usable answer. It must be http or https on its usual port, on the public internet, ' +
    `and answer within ${timeoutMs / 1000} seconds with at most ${maxBytes} bytes.`
  return new Failure('unreachable', message, {}, { cause })
}
