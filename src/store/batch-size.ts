// The size of the batches of background jobs: small enough that callers who want to write never wait long for one.

export interface BatchSize {
  /** The number of entries in the next batch. */
  readonly entries: number
  /** @param tookMs for how long the writer was held by a batch of so many entries */
  wrote(entries: number, tookMs: number): void
}

const first = 10

/** @param holdMs for how long a batch should hold the writer */
export function createBatchSize({ most, holdMs }: { readonly most: number; readonly holdMs: number }): BatchSize {
  let entries = Math.min(first, most)
  return {
    get entries() {
      return entries
    },
    wrote(count, tookMs) {
      const fitting = (count * holdMs) / Math.max(tookMs, 0.1)
      // A single slow moment of the machine only halves a batch, and batches grow again step by step.
      const next = Math.min(Math.max(fitting, entries / 2), entries * 1.25 + 1)
      entries = Math.max(1, Math.min(Math.round(next), most))
    },
  }
}
