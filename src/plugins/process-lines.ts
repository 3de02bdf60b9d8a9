// Lines out of a stream that nobody vouches for: never more than one line's limit is held, and what comes too fast is noticed.

/**
 * A listener for a stream's data that calls for each line, without its end.
 * @param tooLong is called once, when a line passes the limit; after it nothing is held or told
 */
export function lineReader(maxBytes: number, onLine: (line: string) => void, tooLong: () => void): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let held = 0
  let over = false
  return (chunk) => {
    let rest = chunk
    while (!over) {
      const end = rest.indexOf(10)
      const part = end < 0 ? rest : rest.subarray(0, end)
      held += part.length
      over = held > maxBytes
      parts = over ? [] : [...parts, part]
      if (over) return tooLong()
      if (end < 0) return
      const line = Buffer.concat(parts).toString()
      parts = []
      held = 0
      rest = rest.subarray(end + 1)
      onLine(line)
    }
  }
}

/** Counts within a second at a time. */
export class Rate {
  readonly limit: number
  readonly #now: () => number
  #count = 0
  #since = 0

  /** @param now milliseconds that never go back */
  constructor(limit: number, now: () => number = () => performance.now()) {
    this.limit = limit
    this.#now = now
  }

  /** Lets so many more pass in this second. */
  allow(count: number): void {
    this.add(-count)
  }

  /** Counts so many more. @returns whether they are too many */
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
