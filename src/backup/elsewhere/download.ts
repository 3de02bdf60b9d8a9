// Downloads a backup from a target into the folder of backups, under a folder of its own, so that no list and no run takes it for a
// backup of this machine.

import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure, notFound } from '../../base/failure.ts'
import { isBackupName, isNameOf, isSealedName } from '../folder.ts'
import { makeFolder, type Owner } from '../owner.ts'
import { checkFree } from '../room.ts'
import type { BackupTarget, TargetFile } from './target.ts'

/** The folder of downloads in a folder of backups. */
const downloadsIn = (folder: string): string => join(folder, '.elsewhere')

/** The sealed backups in the folder of a target, newest first. */
export async function listSealed(target: BackupTarget, signal: AbortSignal): Promise<readonly TargetFile[]> {
  const files = (await target.list(signal)).filter(({ name }) => isBackupName(name) && isSealedName(name))
  return files.toSorted((a, b) => (a.name < b.name ? 1 : -1))
}

/**
 * Finds a backup there by its file name, its id or as `latest`.
 * @throws Failure `not_found`
 */
export async function getThere(target: BackupTarget, name: string, signal: AbortSignal): Promise<TargetFile> {
  const files = await listSealed(target, signal)
  const found = name === 'latest' ? files[0] : files.find((file) => file.name === name || isNameOf(file.name, name))
  if (found) return found
  throw notFound('backup', name, `On ${target.host} there ${files.length === 1 ? 'is 1 backup' : `are ${files.length} backups`}.`)
}

/** A downloaded backup. `drop` deletes it. */
export interface Downloaded {
  readonly path: string
  drop(): Promise<void>
}

export interface DownloadOrder {
  /** The folder of backups, which is made where it is missing. */
  readonly folder: string
  readonly owner: Owner | undefined
  /** The SHA-256 that the file must have, in hex, if it is known. */
  readonly sha256?: string | undefined
  readonly signal: AbortSignal
}

/**
 * Downloads a backup.
 * @throws Failure `unprocessable` for other bytes than were sent; `unavailable` without room on the disk
 */
export async function download(
  target: BackupTarget,
  { name, bytes }: TargetFile,
  { folder, owner, sha256, signal }: DownloadOrder,
): Promise<Downloaded> {
  const into = downloadsIn(folder)
  const path = join(into, name)
  const drop = () => rm(into, { recursive: true, force: true })
  // Removes the download of a process that was killed.
  await drop()
  for (const one of [folder, into]) await makeFolder(one, 0o700, owner)
  try {
    await checkFree(into, bytes)
    const file = await open(path, 'wx', 0o600)
    const hash = createHash('sha256')
    let got = 0
    try {
      const sink = async (part: Uint8Array) => {
        got += part.length
        if (got > bytes) throw differs(target, name)
        hash.update(part)
        await file.writeFile(part)
      }
      await target.get(name, sink, signal)
    } finally {
      await file.close()
    }
    if (got !== bytes || (sha256 !== undefined && hash.digest('hex') !== sha256)) throw differs(target, name)
    return { path, drop }
  } catch (error) {
    await drop()
    throw error
  }
}

const differs = ({ host }: BackupTarget, name: string): Failure =>
  new Failure('unprocessable', `The backup ${name} on ${host} is not the file that was sent: its bytes differ.`)
