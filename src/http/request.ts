// A request as the doors see it: its path is decoded once, and host, scheme and client are decided.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpFailure } from './failure.ts'
import type { Limits } from './limits.ts'
import type { Origin } from './origin.ts'
import { readBody } from './read-body.ts'
import { streamBody, type StreamLimits } from './stream-body.ts'
import type { Sweep } from './sweep.ts'
import type { Target } from './target.ts'

/** A request as a handler receives it. Expensive members are made at their first use. */
export interface Request extends Place, Origin {
  /** The method as sent, in upper case. */
  readonly method: string
  readonly target: string
  /**
   * True for a path with an encoded slash, a backslash, an empty segment or a dot segment. The answer is 404, or 403 if the path
   * leads to a protected folder.
   */
  readonly suspicious: boolean
  readonly query: URLSearchParams
  /** A header by its lower-case name. If a header that must be single came twice, the request has already been refused. */
  header(name: string): string | undefined
  /** The names of all headers, in lower case. */
  headerNames(): readonly string[]
  /** A short id, which is in log lines and error answers. */
  readonly id: string
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal
  /**
   * Reads the whole request body. May be called once.
   * @param seconds in which the request body must arrive; by default the server's `bodySeconds`
   * @throws HttpFailure `too_large`, `timeout`, `client_left`
   */
  readBody(maxBytes: number, seconds?: number): Promise<Uint8Array>
  /**
   * The request body as a stream with backpressure. May be called once, and not together with `readBody`.
   * @throws HttpFailure as `readBody` does, also in the middle; `timeout` for a request body that arrives too slowly
   */
  streamBody(limits: StreamLimits): AsyncIterable<Uint8Array>
}

/** The target of a request, relative to the base path. */
export interface Place {
  /** The path, decoded once, below the base path: `/mcp/`. */
  readonly path: string
  /** The undecoded path below the base path. */
  readonly rawPath: string
  /** `''` or `/blog`. */
  readonly basePath: string
  /** True for a path outside the base path. Then `path` is the whole path, and only routes marked `outside` match. */
  readonly outside: boolean
}

/** Makes a target relative to the base path. The base path must come without escapes. */
export function placeOf({ path, rawPath }: Target, basePath: string): Place {
  if (basePath === '') return { path, rawPath, basePath, outside: false }
  if (rawPath === basePath) return { path: '/', rawPath: '/', basePath, outside: false }
  if (!rawPath.startsWith(`${basePath}/`)) return { path, rawPath, basePath, outside: true }
  return { path: path.slice(basePath.length), rawPath: rawPath.slice(basePath.length), basePath, outside: false }
}

/** Returns an id that is unique among the requests of this process. */
export const freshId = (): string => `${runId}-${(++requestCount).toString(36)}`

const runId = Math.random().toString(36).slice(2, 7)
let requestCount = 0

/** Wraps Node's request. Only `server.ts` makes these. */
export class IncomingRequest implements Request {
  readonly method: string
  readonly target: string
  readonly path: string
  readonly rawPath: string
  readonly basePath: string
  readonly outside: boolean
  readonly suspicious: boolean
  readonly client: string
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly ownHost: boolean
  readonly forwarded: boolean
  readonly #incoming: IncomingMessage
  readonly #response: ServerResponse
  readonly #rawQuery: string
  readonly #reading: BodyReading
  #query: URLSearchParams | undefined
  #id: string | undefined
  #signal: AbortSignal | undefined
  #bodyTaken = false

  constructor(
    incoming: IncomingMessage,
    response: ServerResponse,
    target: Target,
    place: Place,
    origin: Origin,
    reading: BodyReading,
  ) {
    this.method = incoming.method ?? ''
    this.target = incoming.url ?? ''
    this.path = place.path
    this.rawPath = place.rawPath
    this.basePath = place.basePath
    this.outside = place.outside
    this.suspicious = target.suspicious
    this.client = origin.client
    this.scheme = origin.scheme
    this.host = origin.host
    this.ownHost = origin.ownHost
    this.forwarded = origin.forwarded
    this.#incoming = incoming
    this.#response = response
    this.#rawQuery = target.query
    this.#reading = reading
  }

  get query(): URLSearchParams {
    // With the question mark: `URLSearchParams` drops a leading one.
    return (this.#query ??= new URLSearchParams(`?${this.#rawQuery}`))
  }

  get id(): string {
    return (this.#id ??= freshId())
  }

  get signal(): AbortSignal {
    return (this.#signal ??= signalOf(this.#response))
  }

  header(name: string): string | undefined {
    // A header may be named `constructor`, so the prototype's properties don't count.
    const value: unknown = this.#incoming.headers[name]
    return typeof value === 'string' ? value : Array.isArray(value) ? value.join(', ') : undefined
  }

  headerNames(): readonly string[] {
    return Object.keys(this.#incoming.headers)
  }

  readBody(maxBytes: number, seconds: number = this.#reading.limits.bodySeconds): Promise<Uint8Array> {
    if (this.#bodyTaken) return Promise.reject(takenTwice())
    this.#bodyTaken = true
    const { sweep, awaitsContinue } = this.#reading
    return readBody(this.#incoming, this.#response, { maxBytes, seconds, sweep, awaitsContinue })
  }

  streamBody(limits: StreamLimits): AsyncIterable<Uint8Array> {
    if (this.#bodyTaken) throw takenTwice()
    this.#bodyTaken = true
    return streamBody(this.#incoming, this.#response, limits, this.#reading)
  }
}

const takenTwice = (): Error => new Error('The body of a request can be read only once.')

/** The means to read a request body. */
export interface BodyReading {
  readonly limits: Limits
  readonly sweep: Sweep
  /** True if the client sent `Expect: 100-continue` and waits before it sends the request body. */
  readonly awaitsContinue: boolean
}

function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const leave = (): void => controller.abort(new HttpFailure('client_left', 'The client left before it was answered.'))
  if (response.destroyed) leave()
  else
    response.once('close', () => {
      if (!response.writableFinished) leave()
    })
  return controller.signal
}
