// Decides which backups are sent, which copies are pruned, and which one is checked.

import { isSealedName } from '../folder.ts'
import { chooseForgotten, type Keep } from '../retention.ts'
import type { BackupCopyRow, BackupRow } from '../../store/core/schema.ts'
import { checkIntervals, sendIntervals, type StoredTarget } from './target-store.ts'

/** Backups are due a little early, because each is made some seconds after its turn. */
const slackMs = 3_600_000

/** A good sealed backup, which may leave the machine. */
const maySend = ({ file, error, verified_at: at }: BackupRow): boolean => isSealedName(file) && error === null && at !== null

const toKept = ({ file, created_at: createdAt, error, note }: BackupCopyRow | BackupRow) => ({
  id: file,
  createdAt,
  good: error === null,
  noted: note !== null,
})

/**
 * The backups to send, newest first: those since the target was set, and in any case the newest. A backup that pruning would
 * remove at once is not among them; one whose copy is faulty is.
 * @param backups on this machine, newest first
 */
export function chooseSent(
  backups: readonly BackupRow[],
  copies: readonly BackupCopyRow[],
  { every, row: { since } }: StoredTarget,
  keep: Keep,
  now: number,
): readonly BackupRow[] {
  const good = copies.filter(({ error, sent_at: at }) => error === null && at !== null)
  const newestSent = good[0]?.created_at ?? -Infinity
  const sendable = backups.filter(maySend)
  const missing = sendable.filter(({ file }) => !good.some((copy) => copy.file === file))
  const gapMs = sendIntervals[every]
  const due =
    gapMs === 0
      ? missing.filter((row) => row === sendable[0] || row.created_at >= since)
      : missing.filter((row) => row === sendable[0] && row.created_at - newestSent >= gapMs - slackMs)
  const forgotten = chooseForgotten([...due, ...good].map(toKept), keep, now)
  return due.filter(({ file }) => !forgotten.includes(file))
}

/** The copies to prune, by the rules of backups on the machine. */
export function choosePruned(copies: readonly BackupCopyRow[], keep: Keep, now: number): readonly BackupCopyRow[] {
  const forgotten = chooseForgotten(copies.map(toKept), keep, now)
  return copies.filter(({ file }) => forgotten.includes(file))
}

/** The copy to check: the newest one, if none was checked for long enough. */
export function chooseChecked(
  copies: readonly BackupCopyRow[],
  { checkEvery }: StoredTarget,
  now: number,
): BackupCopyRow | undefined {
  const [newest] = copies.filter(({ sent_at: at }) => at !== null)
  if (!newest || newest.error !== null) return undefined
  const intervalMs = checkIntervals[checkEvery]
  if (intervalMs === 0) return newest.verified_at === null ? newest : undefined
  const last = Math.max(...copies.map(({ verified_at: at }) => at ?? -Infinity))
  return now - last >= intervalMs ? newest : undefined
}
