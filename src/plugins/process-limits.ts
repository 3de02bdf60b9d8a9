// How much a plugin's process may take before it is killed, each limit with its unit.

export interface ProcessLimits {
  /** Longest that one call of a registered function may take, what it waits for included. */
  readonly timeoutMs: number
  /** Longest for loading and activating it. */
  readonly startMs: number
  /** V8's old generation. */
  readonly heapMb: number
  /** All that it holds in memory, buffers included. */
  readonly maxRssMb: number
  /** One message of the plugin's. */
  readonly maxMessageBytes: number
  /** Messages in a second that answer no run, a large one counted as one for each 4 KiB. A run in that second allows a twentieth more of these, and of the two below. */
  readonly maxMessagesASecond: number
  /** Runs in flight, and bytes on their way to it: what comes beyond is told to come back, and beyond twice as many bytes it is killed. */
  readonly maxRuns: number
  readonly maxWaitingBytes: number
  /** What it may have asked of the site and not been answered yet. */
  readonly maxAsks: number
  /** Lines to the log in a second, and the bytes of one. */
  readonly maxLogsASecond: number
  readonly maxLogBytes: number
  /** Characters printed in a second. */
  readonly maxPrintedASecond: number
}

/** By how much a run raises what may be said in its second, so that a busy site isn't taken for a flood. */
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
