// The size of the batches of background jobs, chosen so that other writers never wait long for a batch.

export interface BatchSize {
  readonly entries: number
  /** @param tookMs the time for which a batch of `entries` entries held the writer */
  wrote(entries: number, tookMs: number): void
}

const first = 10

/** @param holdMs the time for which a batch should hold the writer */
export function createBatchSize({ most, holdMs }: { readonly most: number; readonly holdMs: number }): BatchSize {
  let entries = Math.min(first, most)
  return {
    get entries() {
      return entries
    },
    wrote(count, tookMs) {
      const fitting = (count * holdMs) / Math.max(tookMs, 0.1)
      // A single slow moment of the machine only halves a batch, and batches then grow step by step.
      const next = Math.min(Math.max(fitting, entries / 2), entries * 1.25 + 1)
      entries = Math.max(1, Math.min(Math.round(next), most))
    },
  }
}
