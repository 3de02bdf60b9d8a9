// The rows of the target and of the copies that were sent there. The secret is sealed with the site's key.

import { hostname } from 'node:os'
import { Failure } from '../../base/failure.ts'
import { seal, unseal } from '../../identity/sealed.ts'
import type { SiteKey } from '../../identity/site-key.ts'
import { setTurn } from '../../jobs/turn-store.ts'
import type { Db, Store } from '../../store/core/database.ts'
import type { BackupCopyRow, BackupTargetRow } from '../../store/core/schema.ts'
import type { TargetSettings } from './target.ts'

const targetName = 'own'
const purpose = 'backup target'
const dayMs = 86_400_000

/** The choice of the backups that are sent: each one, or at most one in this time, in milliseconds. */
export const sendIntervals = { backup: 0, day: dayMs, week: 7 * dayMs } as const
/** The time between two checks of the newest copy, in milliseconds; 0 to check each copy. */
export const checkIntervals = { copy: 0, week: 7 * dayMs, month: 30 * dayMs } as const

type SendEvery = keyof typeof sendIntervals
type CheckEvery = keyof typeof checkIntervals
export const sendEveries = Object.keys(sendIntervals) as readonly SendEvery[]
export const checkEveries = Object.keys(checkIntervals) as readonly CheckEvery[]

/** The target of a site, as it is stored. */
export interface StoredTarget {
  readonly settings: TargetSettings
  readonly every: SendEvery
  readonly checkEvery: CheckEvery
  readonly row: BackupTargetRow
}

export async function findTarget(db: Db): Promise<StoredTarget | undefined> {
  const row = await db.selectFrom('backup_target').selectAll().where('name', '=', targetName).executeTakeFirst()
  if (!row) return undefined
  const settings = JSON.parse(row.settings) as TargetSettings
  return { settings, every: row.every as SendEvery, checkEvery: row.check_every as CheckEvery, row }
}

/** @throws Failure `refused` if the site has no target */
export async function getTarget(db: Db): Promise<StoredTarget> {
  const target = await findTarget(db)
  if (target) return target
  throw new Failure('refused', 'No place elsewhere is set for backups.', {
    rule: 'backups are sent to the place that an admin has set',
    hint: 'SVC_Backup.set-target',
  })
}

/** Opens the secret of a target. @throws Failure `refused` if it was sealed with another key */
export function secretOf(key: SiteKey, { row }: StoredTarget): string {
  const secret = unseal(key, purpose, row.secret)
  if (typeof secret === 'string') return secret
  throw new Failure('refused', 'The secret of the place elsewhere was sealed with another key of the site.', {
    rule: 'a secret opens with the key that sealed it',
    hint: 'Set the place again with its secret: SVC_Backup.set-target',
  })
}

/** True if both settings name the same place, with the same access to it. */
export const isSamePlace = (a: TargetSettings, b: TargetSettings): boolean =>
  (['kind', 'address', 'folder', 'bucket', 'bucket_in', 'region', 'user'] as const).every((name) => a[name] === b[name])

/** The names of the work on several machines differ, because each sends the backups in its own folder. */
export const sendTurnOf = ({ engine }: Pick<Store, 'engine'>): { readonly name: string; readonly call: string } => ({
  name: engine === 'SQLite' ? 'backup-elsewhere' : `backup-elsewhere ${hostname()}`,
  call: 'SVC_Backup.send',
})

/** Sets the target. Another place begins without copies. */
export async function keepTarget(
  db: Db,
  key: SiteKey,
  wanted: Pick<StoredTarget, 'settings' | 'every' | 'checkEvery'> & { readonly secret: string },
  now: number,
): Promise<void> {
  const before = await findTarget(db)
  const isSame = before !== undefined && isSamePlace(before.settings, wanted.settings)
  if (!isSame) await dropTarget(db)
  const values = {
    settings: JSON.stringify(wanted.settings),
    secret: seal(key, purpose, wanted.secret),
    every: wanted.every,
    check_every: wanted.checkEvery,
    error: null,
  }
  await db
    .insertInto('backup_target')
    .values({ name: targetName, ...values, since: now, tried_at: null, reached_at: null })
    .onConflict((on) => on.column('name').doUpdateSet(values))
    .execute()
}

/** Forgets the target and its copies. The files there stay. */
export async function dropTarget(db: Db): Promise<void> {
  await db.deleteFrom('backup_target').execute()
  await db.deleteFrom('backup_copy').execute()
}

/** Notes the outcome of an attempt. @param error null for a success */
export async function noteTried(db: Db, now: number, error: string | null): Promise<void> {
  const reached = error === null ? { reached_at: now } : {}
  await db
    .updateTable('backup_target')
    .set({ tried_at: now, error, ...reached })
    .execute()
}

/** Makes the work that sends backups due at once, if the site has a target. */
export async function wakeSending(store: Pick<Store, 'engine' | 'read' | 'write'>, now: number): Promise<void> {
  if (!(await findTarget(store.read))) return
  const { name, call } = sendTurnOf(store)
  await setTurn(store.write, name, call, now, now)
}

/** Lists the copies, newest first. */
export async function listCopyRows(db: Db): Promise<readonly BackupCopyRow[]> {
  return db.selectFrom('backup_copy').selectAll().orderBy('created_at', 'desc').orderBy('file', 'desc').execute()
}

export async function keepCopy(db: Db, row: BackupCopyRow): Promise<void> {
  const { file: _file, ...values } = row
  await db
    .insertInto('backup_copy')
    .values(row)
    .onConflict((on) => on.column('file').doUpdateSet(values))
    .execute()
}

export async function changeCopy(db: Db, file: string, values: Partial<BackupCopyRow>): Promise<void> {
  await db.updateTable('backup_copy').set(values).where('file', '=', file).execute()
}

export async function forgetCopy(db: Db, file: string): Promise<void> {
  await db.deleteFrom('backup_copy').where('file', '=', file).execute()
}
