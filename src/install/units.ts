// The systemd units of a release: those of `systemd/`, with the path of this machine's node. A service with several processes has
// one instance of postern@.service for each, and postern.service represents all of them.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessMissing } from '../base/missing.ts'
import type { InstalledFile } from './installed-file.ts'
import { paths, type Places } from './places.ts'

/** The unit of one process of several. */
export const instanceUnit = (instance: number): string => `postern@${instance}.service`

/** The units of all processes; empty if the service is a single process. */
export const instanceUnits = (processes: number): readonly string[] =>
  processes === 1 ? [] : instancesOf(processes).map(instanceUnit)

/** The numbers of the processes, which begin at 1. */
export const instancesOf = (processes: number): readonly number[] => Array.from({ length: processes }, (_, at) => at + 1)

/** The units to enable. The timer starts the service of a backup. */
export const startedUnits = (processes: number): readonly string[] => [
  'postern.socket',
  'postern.service',
  ...instanceUnits(processes),
  'postern-backup.timer',
]

/** The socket of the browser that takes pictures. It is started by hand, on a machine that has Chromium. */
export const eyesSocket = 'postern-eyes.socket'

/** The path of the file that makes postern.service represent several processes. A service of one process has no such file. */
export const severalPath = join(paths.units, 'postern.service.d', 'processes.conf')

/**
 * The text of that file. postern.service then runs nothing itself. It starts the processes, and stopping or restarting it stops
 * or restarts them. So the socket, which starts postern.service for the first connection, and every command that names
 * postern.service work as they do with one process.
 * @see systemd.socket(5) "Service=", systemd.service(5) "Sockets="
 */
export function severalText(processes: number): string {
  const units = instanceUnits(processes).join(' ')
  return [
    `# Written by postern processes ${processes}. postern.service stands for ${processes} processes, and runs nothing itself.`,
    '[Unit]',
    `Wants=${units}`,
    `After=${units}`,
    '[Service]',
    'Type=oneshot',
    'RemainAfterExit=yes',
    'Restart=no',
    'WatchdogSec=0',
    'ExecStart=',
    'ExecStart=/bin/true',
    '',
  ].join('\n')
}

/** The units of a release, as they are installed on this machine. */
export async function readUnits(from: string): Promise<readonly InstalledFile[]> {
  const names = (await readdir(join(from, 'systemd'))).filter((name) => /\.(?:service|socket|timer|slice)$/.test(name)).sort()
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
