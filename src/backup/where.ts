// Decides if the file of a listed backup is on this machine. Several machines that serve one site share the list of backups. Each
// has a separate folder of backups, unless the folder is on a shared volume.

import { access } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { Failure } from '../base/failure.ts'
import { unlessMissing } from '../base/missing.ts'
import type { Store } from '../store/core/database.ts'
import type { BackupRow } from '../store/core/schema.ts'

interface Place {
  readonly folder: string
  readonly store: Pick<Store, 'engine'>
}

type Listed = Pick<BackupRow, 'file' | 'node'>

/** True if this machine made the backup. A site on SQLite has one machine, whose name may have changed. */
export const isOwn = ({ engine }: Pick<Store, 'engine'>, { node }: Pick<BackupRow, 'node'>): boolean =>
  engine === 'SQLite' || node === null || node === hostname()

/** True if another machine has the file of a backup. */
export async function isElsewhere({ folder, store }: Place, row: Listed): Promise<boolean> {
  if (isOwn(store, row)) return false
  return (await unlessMissing(access(join(folder, row.file)).then(() => true))) === undefined
}

/** Checks that the files are on this machine. @throws Failure `refused` if another machine has one of them */
export async function checkHere(place: Place, rows: readonly Listed[]): Promise<void> {
  for (const row of rows) {
    if (!(await isElsewhere(place, row))) continue
    throw new Failure('refused', whereItIs(row), {
      rule: 'each machine verifies, serves and deletes the backups in its own folder',
      hint: `On ${row.node}: scripts/postern verify ${row.file}`,
    })
  }
}

export const whereItIs = ({ file, node }: Listed): string => `The file ${file} is on the machine ${node}.`
