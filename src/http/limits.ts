// The limits of the HTTP layer in size and time, with their defaults.

/** Limits of the HTTP layer. */
export interface Limits {
  /** Request line and headers together, bytes; more is 431. */
  readonly maxHeaderBytes: number
  /** Header lines in a request; more is 431. */
  readonly maxHeaders: number
  /** Seconds for a request's headers to arrive; later is 408. */
  readonly headersSeconds: number
  /** Seconds for a body to arrive where `readBody` isn't told otherwise; later is 408. */
  readonly bodySeconds: number
  /** Seconds for any request to arrive as a whole, the longest upload included. */
  readonly uploadSeconds: number
  /** Seconds after which a client that reads nothing of its answer is cut off. */
  readonly readerSeconds: number
  /** Seconds that an idle connection is kept. It must be longer than the proxy's own, or requests meet a closing socket. */
  readonly keepAliveSeconds: number
  /** Seconds between checks of the deadlines above. With longer intervals, thousands of sockets are cut in one tick. */
  readonly checkSeconds: number
  /** Requests answered on one connection. */
  readonly maxRequestsPerSocket: number
  /** Largest unread body, in bytes, for which a connection is kept. */
  readonly drainBytes: number
  /**
   * Bytes of an unread body that are drained before the connection is cut, since a cut connection can lose the answer. It is above what a proxy in
   * front lets through: the proxy has the whole body by then, and goes on sending it while it is answered.
   */
  readonly lingerBytes: number
  /** Seconds that draining may take. */
  readonly drainSeconds: number
  /** Milliseconds for which what arrives is read and dropped after bytes that are no request were refused. */
  readonly refusalMs: number
  /** Seconds between comments in an event stream, which keep proxies from closing it as idle. */
  readonly eventCommentSeconds: number
  /** At a stop: milliseconds until idle connections are closed. Until then a proxy may still send requests on them. */
  readonly idleStopMs: number
  /** At a stop: milliseconds that open requests get to end. */
  readonly stopMs: number
}

export const defaultLimits: Limits = Object.freeze({
  maxHeaderBytes: 16 * 1024,
  maxHeaders: 200,
  headersSeconds: 10,
  bodySeconds: 30,
  uploadSeconds: 600,
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
