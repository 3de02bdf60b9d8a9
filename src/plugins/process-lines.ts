// Reads lines from an untrusted stream. It buffers no more than the longest allowed line, and a rate counter finds floods.

/**
 * Makes a `data` listener that splits a stream into lines.
 * @param onLine called with each line, without its newline
 * @param tooLong called once, when a line is above the limit; the rest of the stream is ignored
 */
export function lineReader(maxBytes: number, onLine: (line: string) => void, tooLong: () => void): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let buffered = 0
  let over = false
  return (chunk) => {
    let rest = chunk
    while (!over) {
      const end = rest.indexOf(10)
      const part = end < 0 ? rest : rest.subarray(0, end)
      buffered += part.length
      over = buffered > maxBytes
      parts = over ? [] : [...parts, part]
      if (over) return tooLong()
      if (end < 0) return
      const line = Buffer.concat(parts).toString()
      parts = []
      buffered = 0
      rest = rest.subarray(end + 1)
      onLine(line)
    }
  }
}

/** Counts against a limit per second. */
export class Rate {
  readonly limit: number
  readonly #now: () => number
  #count = 0
  #since = 0

  /** @param now a monotonic clock in milliseconds */
  constructor(limit: number, now: () => number = () => performance.now()) {
    this.limit = limit
    this.#now = now
  }

  /** Raises the limit of the current second. */
  allow(count: number): void {
    this.add(-count)
  }

  /** Adds to the count. @returns true if the count is above the limit */
  add(count = 1): boolean {
    const now = this.#now()
    if (now - this.#since >= 1000) {
      this.#since = now
      this.#count = 0
    }
    this.#count += count
    return this.#count > this.limit
  }
}
