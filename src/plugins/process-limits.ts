// How much a plugin's process may take before it is killed, each limit with its unit.

export interface ProcessLimits {
  /** Longest that one call of a registered function may take, what it waits for included. */
  readonly timeoutMs: number
  /** Longest from the start of the process to the end of `activate`. */
  readonly startMs: number
  /** V8's old generation. */
  readonly heapMb: number
  /** All that it holds in memory, buffers included. */
  readonly maxRssMb: number
  /** One message, either way. */
  readonly maxMessageBytes: number
  /** What it may have asked of the site and not been answered yet. */
  readonly maxAsks: number
  /** Lines to the log in any second. */
  readonly maxLogsASecond: number
  /** Prints in any second. */
  readonly maxPrintsASecond: number
  /** What is printed in one run, or in a second outside any. */
  readonly maxPrintedBytes: number
}

export const processLimits: ProcessLimits = {
  timeoutMs: 5000,
  startMs: 5000,
  heapMb: 64,
  maxRssMb: 256,
  maxMessageBytes: 32 * 1024 * 1024,
  maxAsks: 32,
  maxLogsASecond: 200,
  maxPrintsASecond: 1000,
  maxPrintedBytes: 1024 * 1024,
}
