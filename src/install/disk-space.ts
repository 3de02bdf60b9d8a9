// Whether there is room for an upgrade, asked before anything is written.

import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure } from '../failure.ts'
import { unlessMissing } from '../missing.ts'

/** What will be written, and where. */
export interface Demand {
  readonly folder: string
  readonly bytes: number
}

/** Holds demands against what is free; those on one disk together. @throws Failure `refused` that names folder and numbers */
export async function holdSpace(demands: readonly Demand[]): Promise<void> {
  const disks = new Map<number, Demand>()
  for (const { folder, bytes } of demands) {
    const place = await nearestFolder(folder)
    const { dev } = await stat(place)
    disks.set(dev, { folder: place, bytes: bytes + (disks.get(dev)?.bytes ?? 0) })
  }
  for (const { folder, bytes } of disks.values()) {
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize >= bytes) continue
    const words = `The disk of ${folder} has ${mebibytes(bavail * bsize)} MiB free, and ${mebibytes(bytes)} MiB are needed.`
    throw new Failure('refused', words, { rule: 'twice the database and the release must fit' })
  }
}

const mebibytes = (bytes: number): number => Math.ceil(bytes / 1024 ** 2)

async function nearestFolder(folder: string): Promise<string> {
  for (let place = folder; ; place = dirname(place)) if (await unlessMissing(stat(place))) return place
}
