// Copies the write-ahead log into the database, on a separate connection. By default the writer does this within a commit, after
// each 4 MB, while all other writers wait for the disk. Neither readers nor the writer wait for a passive checkpoint.
// @see https://www.sqlite.org/wal.html#ckpt

import { type Repeating, repeat } from '../../base/repeating.ts'
import type { SqliteConnection } from './connection.ts'

export interface Checkpoints {
  /** Records that this process has committed. */
  noteCommit(): void
  /** Waits for a checkpoint in progress. */
  stop(): Promise<void>
}

const everyMs = 500

/** @param onError gets the error of a failed checkpoint; the writer makes a checkpoint itself when the log has grown */
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
