// The limits of a plugin's process.

export interface ProcessLimits {
  /** The longest run of a registered function, including the time that it waits. */
  readonly timeoutMs: number
  /** The longest time for loading and activating the plugin. */
  readonly startMs: number
  /** The size of V8's old generation. */
  readonly heapMb: number
  /** The resident memory of the whole process, including buffers. */
  readonly maxRssMb: number
  /** The size of one message from the plugin. */
  readonly maxMessageBytes: number
  /**
   * Messages per second, not counting answers to runs. A large message counts once for each 4 KiB. Each run in the same second
   * raises this limit, `maxLogsASecond` and `maxPrintedASecond` by a twentieth.
   */
  readonly maxMessagesASecond: number
  /** Runs at the same time. Above this, callers are asked to try again. */
  readonly maxRuns: number
  /** Unread bytes that were sent to the process. Above this, callers must try again. At twice as many, the process is killed. */
  readonly maxWaitingBytes: number
  /** Questions to the site that are not answered yet. */
  readonly maxAsks: number
  /** Log lines per second, and the bytes of one line. */
  readonly maxLogsASecond: number
  readonly maxLogBytes: number
  /** Printed characters per second. */
  readonly maxPrintedASecond: number
}

/** The share by which each run raises the limits per second, so that the messages of a busy plugin don't count as a flood. */
export const shareOfARun = 1 / 20

export const processLimits: ProcessLimits = {
  timeoutMs: 5000,
  startMs: 5000,
  heapMb: 64,
  maxRssMb: 256,
  maxMessageBytes: 8 * 1024 * 1024,
  maxMessagesASecond: 5000,
  maxRuns: 200,
  maxWaitingBytes: 32 * 1024 * 1024,
  maxAsks: 32,
  maxLogsASecond: 50,
  maxLogBytes: 64 * 1024,
  maxPrintedASecond: 256 * 1024,
}
