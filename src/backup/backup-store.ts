// The rows of backups and of their schedule. The row of a backup describes its file and the result of the last test.

import { notFound } from '../base/failure.ts'
import { nextTurnAt, setTurn } from '../jobs/turn-store.ts'
import type { Db } from '../store/core/database.ts'
import type { BackupRow } from '../store/core/schema.ts'
import { type Keep, usualKeep } from './retention.ts'

/** The intervals at which a service makes backups, in milliseconds; null for never. */
export const intervals = { off: null, hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 } as const
export type Every = keyof typeof intervals
export const everies = Object.keys(intervals) as readonly Every[]

export interface BackupSchedule {
  readonly every: Every
  readonly keep: Keep
  /** UTC milliseconds; null if the schedule is off. */
  readonly nextAt: number | null
}

const scheduleName = 'own'
/** The recurring work that makes the scheduled backups. */
export const backupTurn = { name: 'backup', call: 'SVC_Backup.create' } as const

/**
 * Finds a backup by its id or file name, or as `latest` or `oldest`. `latest` is the newest backup that passed its test or, if
 * none has passed, the newest that didn't fail.
 */
export async function findBackup(db: Db, name: string): Promise<BackupRow | undefined> {
  const all = db.selectFrom('backup').selectAll()
  if (name === 'latest')
    return (await findGood(db)) ?? all.where('error', 'is', null).orderBy('created_at', 'desc').limit(1).executeTakeFirst()
  if (name === 'oldest') return all.orderBy('created_at').orderBy('id').limit(1).executeTakeFirst()
  return all.where((eb) => eb.or([eb('id', '=', name), eb('file', '=', name)])).executeTakeFirst()
}

/** The newest backup that passed its test. */
export async function findGood(db: Db): Promise<BackupRow | undefined> {
  const good = db.selectFrom('backup').selectAll().where('error', 'is', null).where('verified_at', 'is not', null)
  return good.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()
}

/** @throws Failure `not_found` */
export async function getBackup(db: Db, name: string): Promise<BackupRow> {
  const row = await findBackup(db, name)
  if (!row) throw notFound('backup', name, 'SVC_Backup.list names those there are.')
  return row
}

/** Lists all backups, newest first. */
export async function listBackups(db: Db): Promise<readonly BackupRow[]> {
  return db.selectFrom('backup').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').execute()
}

/** Inserts a row, unless it already exists. */
export async function keepBackup(db: Db, row: BackupRow): Promise<void> {
  await db
    .insertInto('backup')
    .values(row)
    .onConflict((on) => on.doNothing())
    .execute()
}

/** Stores the result of a backup's test. @param error null for a good backup */
export async function noteVerified(db: Db, id: string, now: number, error: string | null): Promise<void> {
  const result = error === null ? { verified_at: now, error } : { verified_at: null, error }
  await db.updateTable('backup').set(result).where('id', '=', id).execute()
}

/** Deletes the row of a backup, not its file. */
export async function forgetBackup(db: Db, id: string): Promise<void> {
  await db.deleteFrom('backup').where('id', '=', id).execute()
}

/** Reads the schedule. A site without a schedule has `off`. */
export async function readSchedule(db: Db): Promise<BackupSchedule> {
  const row = await db.selectFrom('backup_schedule').selectAll().where('name', '=', scheduleName).executeTakeFirst()
  if (!row) return { every: 'off', keep: usualKeep, nextAt: null }
  const { daily, weekly, monthly } = row
  return { every: row.every as Every, keep: { daily, weekly, monthly }, nextAt: await nextTurnAt(db, backupTurn.name) }
}

/** Sets the schedule. When the interval changes, the first backup is due at once. @param now UTC milliseconds */
export async function writeSchedule(db: Db, every: Every, keep: Keep, now: number): Promise<BackupSchedule> {
  const before = await readSchedule(db)
  const nextAt = intervals[every] === null ? null : before.every === every ? before.nextAt : now
  const values = { every, ...keep, next_at: nextAt }
  await db
    .insertInto('backup_schedule')
    .values({ name: scheduleName, ...values })
    .onConflict((on) => on.column('name').doUpdateSet(values))
    .execute()
  await setTurn(db, backupTurn.name, backupTurn.call, nextAt, now)
  return { every, keep, nextAt }
}
