// One request and its answer on their connection: the state that writer, server and access log share.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressKind } from './fetch-metadata.ts'
import type { Request } from './request.ts'

export interface Connection {
  /** The number of requests received on it. */
  requests: number
  /** True after an answer with `Connection: close`. Later requests are ignored, because they can't be answered. */
  ended: boolean
}

/** State of one exchange. The server makes it and the writer ends it. */
export interface Exchange {
  readonly incoming: IncomingMessage
  readonly response: ServerResponse
  readonly connection: Connection
  /** Undefined until the request is understood, which may never happen. */
  request: Request | undefined
  path: string | undefined
  door: string | undefined
  kind: AddressKind | undefined
  /** The start, in milliseconds of the monotonic clock; 0 if answers are not recorded. */
  readonly startedMs: number
  /** True while the client waits for `100 Continue` before it sends the request body. */
  readonly heldBack: boolean
  /** True after an answer was begun. A second one is an error in the code. */
  answered: boolean
  /** True if the connection ends with this answer: the framing is uncertain, or the client still waits for `100 Continue`. */
  lastOnConnection: boolean
  /** True if the request took too long to arrive. Its connection is closed with the answer, even if the client still sends. */
  timedOut: boolean
}

/** One answered request, for the access log and metrics. */
export interface AnswerRecord {
  /** Undefined if the request could not be parsed; then only status, bytes and peer are known. */
  readonly request: Request | undefined
  /** The address of the client, or of the peer if the request was not understood. */
  readonly client: string | undefined
  readonly method: string | undefined
  /** The raw path below the base path, without its query. */
  readonly path: string | undefined
  readonly status: number
  /** The number of body bytes written to the socket. */
  readonly bytes: number
  readonly durationMs: number
  readonly door: string | undefined
}
