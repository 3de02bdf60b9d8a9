// The rows of runs. A run that was interrupted is taken up by the same call with the same files.

import type { Insertable } from 'kysely'
import type { Db } from '../../store/core/database.ts'
import type { ImportRunRow, Schema } from '../../store/core/schema.ts'

/** The phases of a run, in order. */
export const phases = ['plan', 'authors', 'terms', 'files', 'entries', 'links', 'people', 'fetch', 'texts', 'report'] as const
export type Phase = (typeof phases)[number]

export type NewRun = Insertable<Schema['import_run']>

export const findRun = (db: Db, id: string): Promise<ImportRunRow | undefined> =>
  db.selectFrom('import_run').selectAll().where('id', '=', id).executeTakeFirst()

export const findNewestRun = (db: Db): Promise<ImportRunRow | undefined> =>
  db.selectFrom('import_run').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()

/** Finds the newest run of these files that has not come to its end. */
export function findUnfinished(db: Db, fingerprint: string): Promise<ImportRunRow | undefined> {
  return db
    .selectFrom('import_run')
    .selectAll()
    .where('fingerprint', '=', fingerprint)
    .where('state', '!=', 'done')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function insertRun(db: Db, row: NewRun): Promise<void> {
  await db.insertInto('import_run').values(row).execute()
}

/** Writes the columns of a run that change. */
export async function updateRun(db: Db, id: string, patch: Partial<ImportRunRow>): Promise<void> {
  await db.updateTable('import_run').set(patch).where('id', '=', id).execute()
}
