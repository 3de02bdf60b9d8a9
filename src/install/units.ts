// The systemd units of a release: those of `systemd/`, with the path of this machine's node.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessMissing } from '../missing.ts'
import type { InstalledFile } from './installed-file.ts'
import { paths, type Places } from './places.ts'

/** The units to enable. The timer starts the service of a backup. */
export const startedUnits = ['postern.socket', 'postern.service', 'postern-backup.timer'] as const

/** The units of a release, as they are installed on this machine. */
export async function readUnits(from: string): Promise<readonly InstalledFile[]> {
  const names = (await readdir(join(from, 'systemd'))).filter((name) => /\.(?:service|socket|timer)$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(from, 'systemd', name), 'utf8')
      return { path: join(paths.units, name), text: text.replaceAll('/usr/bin/node ', `${process.execPath} `), mode: 0o644 }
    }),
  )
}

/** The units that differ between the machine and a release. */
export async function listOtherUnits(places: Places, from: string): Promise<readonly string[]> {
  const other: string[] = []
  for (const { path, text } of await readUnits(from))
    if ((await unlessMissing(readFile(places.at(path), 'utf8'))) !== text) other.push(path)
  return other
}
