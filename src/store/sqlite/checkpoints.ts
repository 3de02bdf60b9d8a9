// Copies the write-ahead log into the database, on a connection of its own. By default the writer does this within a commit, after each 4 MB, and all
// callers who want to write wait for the disk meanwhile. A passive checkpoint makes neither readers nor the writer wait.
// @see https://www.sqlite.org/wal.html#ckpt

import { type Repeating, repeat } from '../../repeating.ts'
import type { SqliteConnection } from './connection.ts'

export interface Checkpoints {
  /** Notes that this process has committed. */
  noteCommit(): void
  /** Waits for a checkpoint in progress. */
  stop(): Promise<void>
}

const everyMs = 500

/** @param onError gets the error of a checkpoint that failed; the writer makes one when the log has grown */
export function createCheckpoints(connection: SqliteConnection, onError: (error: unknown) => void): Checkpoints {
  let isDue = false
  const look = async () => {
    if (!isDue) return
    isDue = false
    await connection.rows('pragma wal_checkpoint(passive)')
  }
  const job: Repeating = repeat(everyMs, look, onError)
  return {
    noteCommit: () => void (isDue = true),
    stop: () => job.stop(),
  }
}
