// Checks that the disks have room for an upgrade, before any byte is written.

import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure } from '../base/failure.ts'
import { unlessMissing } from '../base/missing.ts'

/** The number of bytes that will be written into a folder. */
export interface Demand {
  readonly folder: string
  readonly bytes: number
}

/** Compares demands with the free space, with one sum per disk. @throws Failure `refused`, with folder and numbers */
export async function checkSpace(demands: readonly Demand[]): Promise<void> {
  const disks = new Map<number, Demand>()
  for (const { folder, bytes } of demands) {
    const place = await nearestFolder(folder)
    const { dev } = await stat(place)
    disks.set(dev, { folder: place, bytes: bytes + (disks.get(dev)?.bytes ?? 0) })
  }
  for (const { folder, bytes } of disks.values()) {
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize >= bytes) continue
    const words = `The disk of ${folder} has ${mebibytes(bavail * bsize)} MiB free, but ${mebibytes(bytes)} MiB are needed.`
    throw new Failure('refused', words, { rule: 'there must be room for the release and twice the database' })
  }
}

const mebibytes = (bytes: number): number => Math.ceil(bytes / 1024 ** 2)

async function nearestFolder(folder: string): Promise<string> {
  for (let place = folder; ; place = dirname(place)) if (await unlessMissing(stat(place))) return place
}
