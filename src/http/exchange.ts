// One request and its answer on their connection: what the writer, the server and the log line share.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Request } from './request.ts'

/** State of one connection. */
export interface Connection {
  /** Requests it has brought. */
  requests: number
  /** An answer has announced the end: what still comes is not looked at, since nothing would answer it. */
  ended: boolean
}

/** State of one exchange. Made by the server, ended by the writer. */
export interface Exchange {
  readonly incoming: IncomingMessage
  readonly response: ServerResponse
  readonly connection: Connection
  /** Undefined while, or when, the request can't be made sense of. */
  request: Request | undefined
  path: string | undefined
  door: string | undefined
  /** Milliseconds of the monotonic clock; 0 when nobody keeps records. */
  readonly startedMs: number
  /** The client holds its body back until it is told to go on. */
  readonly heldBack: boolean
  /** An answer was begun; another is an error in our code. */
  answered: boolean
  /** The connection ends with this answer: the framing is in doubt, or the client waits to be told to go on. */
  lastOnConnection: boolean
}

/** One answered request, for the access log and metrics. */
export interface AnswerRecord {
  /** Undefined where none could be made of what came; then nothing but status, bytes and peer may be known. */
  readonly request: Request | undefined
  /** The client's address, or the peer's where the request wasn't understood. */
  readonly client: string | undefined
  readonly method: string | undefined
  /** The raw path below the base path, without its query. */
  readonly path: string | undefined
  readonly status: number
  /** Body bytes handed to the socket. */
  readonly bytes: number
  readonly durationMs: number
  readonly door: string | undefined
}
