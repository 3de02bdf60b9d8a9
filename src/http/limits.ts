// The limits of the HTTP layer in size and time, with their defaults.

export interface Limits {
  /** Bytes of the request line and headers together; more is 431. */
  readonly maxHeaderBytes: number
  /** Header lines in a request; more is 431. */
  readonly maxHeaders: number
  /** Seconds for a request's headers to arrive; later is 408. */
  readonly headersSeconds: number
  /** Seconds for a request body to arrive, unless `readBody` is given another limit; later is 408. */
  readonly bodySeconds: number
  /** Seconds for any request to arrive as a whole, including the longest upload. */
  readonly uploadSeconds: number
  /** Seconds after which a client that reads nothing of its answer is disconnected. */
  readonly readerSeconds: number
  /**
   * Seconds after which an idle connection is closed. They must exceed the proxy's own limit, or requests meet a closing socket.
   */
  readonly keepAliveSeconds: number
  /** Seconds between checks of the deadlines above. With longer intervals, thousands of sockets would be closed in one tick. */
  readonly checkSeconds: number
  /** The largest number of requests on one connection. */
  readonly maxRequestsPerSocket: number
  /** Bytes of the largest unread request body after which a connection stays open. */
  readonly drainBytes: number
  /**
   * Bytes of an unread request body that are drained before the connection is closed, because closing it at once can lose the
   * answer. The number is above the limit of a reverse proxy: the proxy already has the whole body, and continues to send it
   * while it is answered.
   */
  readonly lingerBytes: number
  /** Seconds that draining may take. */
  readonly drainSeconds: number
  /** Milliseconds for which further bytes are read and discarded, after bytes that are not a request were refused. */
  readonly refusalMs: number
  /** Seconds between comments in an event stream, which keep proxies from closing it as idle. */
  readonly eventCommentSeconds: number
  /** At a stop: milliseconds until idle connections are closed. Until then a proxy may still send requests on them. */
  readonly idleStopMs: number
  /** At a stop: milliseconds in which open requests may finish. */
  readonly stopMs: number
}

export const defaultLimits: Limits = Object.freeze({
  maxHeaderBytes: 16 * 1024,
  maxHeaders: 200,
  headersSeconds: 10,
  bodySeconds: 30,
  uploadSeconds: 3600,
  readerSeconds: 30,
  keepAliveSeconds: 75,
  checkSeconds: 1,
  maxRequestsPerSocket: 1000,
  drainBytes: 1024 * 1024,
  lingerBytes: 80 * 1024 * 1024,
  drainSeconds: 5,
  refusalMs: 500,
  eventCommentSeconds: 15,
  idleStopMs: 300,
  stopMs: 10_000,
})
