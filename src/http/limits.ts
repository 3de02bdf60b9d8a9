// Every size and time that the HTTP layer holds to, with its default (ATTACKS.md, "Limits and defaults"). All may be overridden.

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
  /** A reader that takes nothing of its answer for so many seconds is cut off. */
  readonly readerSeconds: number
  /** Seconds an idle connection is kept; above the proxy's own, or requests meet a closing socket. */
  readonly keepAliveSeconds: number
  /** Seconds between looks at the deadlines above. Rarer, and thousands of sockets are cut in one tick. */
  readonly checkSeconds: number
  /** Requests answered on one connection. */
  readonly maxRequestsPerSocket: number
  /** A connection is kept, with a body on it that nobody reads, where that has no more bytes than this. */
  readonly drainBytes: number
  /**
   * Bytes of such a body that are taken off the wire before the connection is cut, which may reset the answer away. Above what a proxy
   * in front lets through: it has taken the whole body by then, and sends on while it is answered.
   */
  readonly lingerBytes: number
  /** Seconds that taking them off may last. */
  readonly drainSeconds: number
  /** Seconds between comments in an event stream, against idle limits on the way. */
  readonly eventCommentSeconds: number
  /** At a stop: milliseconds after which idle connections are closed; a proxy still sends on some until then. */
  readonly idleStopMs: number
  /** At a stop: milliseconds that what is in flight gets to end. */
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
  eventCommentSeconds: 15,
  idleStopMs: 300,
  stopMs: 10_000,
})
