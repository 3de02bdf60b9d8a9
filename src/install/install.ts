// The plan of an install: a user, a release owned by root, a home of the service's, settings, units, and the web server's files. Repeatable:
// what is there as it should be stays. From one release to another is an upgrade's affair.

import { chmod, mkdir, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import type { FrontFile } from '../front/front-options.ts'
import { type Earlier, type InstalledFile, readRecord, type WrittenFile, writeStep, writtenFile } from './installed-file.ts'
import { machineStep } from './machine.ts'
import { paths, type Places, serviceUser } from './places.ts'
import { loadPackages } from './program.ts'
import { putRelease } from './put-release.ts'
import { readSource, type Source } from './release-files.ts'
import { findCurrent, switchTo } from './releases.ts'
import type { Service } from './service.ts'
import { readServiceEnv, settingsText } from './settings-file.ts'
import type { Step } from './step.ts'
import { readUnits, startedUnits } from './units.ts'

export interface InstallOrder {
  readonly places: Places
  readonly from: string
  readonly service: Service
  /** Whether the service and the web server are (re)started. */
  readonly start: boolean
  /** For the settings, where there are none yet. */
  readonly baseUrl: string | undefined
  /** The web server's files, below its own folder; none where it is somebody else's affair. */
  readonly front: readonly FrontFile[]
}

export interface InstallPlan {
  readonly release: string
  /** Each file that is written, by its place on the machine. */
  readonly files: readonly string[]
  /** Those of them that somebody had changed; known at the end. */
  replaced(): readonly string[]
  /** The address in the settings that are there already, where it is another than the web server's. */
  readonly otherBaseUrl: string | undefined
  readonly steps: readonly Step[]
}

/**
 * Reads and changes nothing.
 * @throws Failure `exists` where another release is installed, `unprocessable` for a folder that holds none, and a node of somebody's own
 */
export async function planInstall(order: InstallOrder): Promise<InstallPlan> {
  const { places, from } = order
  holdNode(places)
  const source = await readSource(from)
  const current = await findCurrent(places)
  if (current !== undefined && current !== source.name)
    throw new Failure('exists', `${current} is installed already, and ${source.name} is another release.`, {
      hint: 'postern upgrade',
    })
  const files = await filesOf(order)
  const earlier: Earlier = { record: await readRecord(places), replaced: [] }
  const record = recordOf(earlier.record, source, files)
  const steps = [
    ...people(places),
    putRelease(places, source),
    ...folders(places),
    // As the service's user, whose the home is by now.
    {
      what: `Loads ${source.packages.join(', ')} from it in a process of its own`,
      run: () => loadPackages(places, source.name, source.packages),
    },
    writeStep(places, record, { ...earlier, replaced: [] }),
    ...files.map((file) => writeStep(places, file, earlier)),
    machineStep(places, { words: ['chgrp', serviceUser, paths.settings] }),
    ...(order.front.length > 0 ? [machineStep(places, { words: ['nginx', '-t'] })] : []),
    switchStep(places, source, current),
    machineStep(places, { words: ['systemctl', 'daemon-reload'] }),
    machineStep(places, { words: ['systemctl', 'enable', ...startedUnits] }),
    ...(order.start ? starts(order) : []),
  ]
  const { POSTERN_BASE_URL: found = order.baseUrl } = await readServiceEnv(places)
  return {
    release: source.name,
    files: [record, ...files].map(({ path }) => path),
    replaced: () => earlier.replaced,
    otherBaseUrl: order.baseUrl === undefined || found === order.baseUrl ? undefined : found,
    steps,
  }
}

/** The units shut the service off from all of these. @throws Failure `unprocessable` */
function holdNode({ root }: Places): void {
  if (root !== '' || !/^\/(?:root|home|run\/user)\//.test(process.execPath)) return
  const words = `The service can't reach ${process.execPath}: it is somebody's own. Install Node for the whole machine, such as /usr/bin/node.`
  throw new Failure('unprocessable', words)
}

function people(places: Places): readonly Step[] {
  const make = [
    'useradd',
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    paths.state,
    '--shell',
    '/usr/sbin/nologin',
    serviceUser,
  ]
  return [
    machineStep(places, { words: make, unless: ['getent', 'passwd', serviceUser] }),
    // Uploads are the web server's to read, and the home is closed to everybody else.
    machineStep(places, { words: ['usermod', '-aG', serviceUser, 'www-data'], where: ['getent', 'passwd', 'www-data'] }),
  ]
}

function folders(places: Places): readonly Step[] {
  const made = [
    [paths.etc, 0o755, 'root'],
    [paths.state, 0o750, serviceUser],
    [paths.backups, 0o700, serviceUser],
  ] as const
  return made.flatMap(([path, mode, owner]) => [
    {
      what: `Makes ${path}, mode ${mode.toString(8)}`,
      async run() {
        await mkdir(places.at(path), { recursive: true })
        await chmod(places.at(path), mode)
      },
    },
    machineStep(places, { words: ['chown', `${owner}:${owner}`, path] }),
  ])
}

async function filesOf({ from, places, baseUrl, front }: InstallOrder): Promise<readonly InstalledFile[]> {
  const units = await readUnits(from)
  return [
    { path: paths.settings, text: settingsText(baseUrl), mode: 0o640, keep: true },
    ...units,
    ...front
      .filter(({ path }) => !isTaken(places, path))
      .map(({ path, text }) => ({ path: join(paths.nginx, path), text, mode: 0o644 })),
  ]
}

/** nginx takes one default server: Debian's, where that is in place. */
function isTaken(places: Places, path: string): boolean {
  return path === 'conf.d/postern-unknown-hosts.conf' && existsSync(places.at(join(paths.nginx, 'sites-enabled/default')))
}

/** What was written, now and by earlier installs; of a file that is kept it is the first text that counts. */
function recordOf(earlier: readonly WrittenFile[], { name }: Source, files: readonly InstalledFile[]): InstalledFile {
  const written = files.map((file) => (file.keep && earlier.find(({ path }) => path === file.path)) || writtenFile(file))
  const others = earlier.filter(({ path }) => !files.some((file) => file.path === path))
  const text = `${JSON.stringify({ release: name, files: [...written, ...others] }, null, 2)}\n`
  return { path: paths.record, text, mode: 0o644 }
}

function switchStep(places: Places, { name }: Source, current: string | undefined): Step {
  return {
    what: `Switches ${paths.current} to ${name}`,
    run: () => switchTo(places, name),
    undo: {
      what: `Leaves ${paths.current} as it was`,
      run: async () => (current === undefined ? rm(places.at(paths.current), { force: true }) : undefined),
    },
  }
}

function starts({ places, service, front }: InstallOrder): readonly Step[] {
  const restart = service.command('restart')
  return [
    restart === undefined
      ? machineStep(places, { words: ['systemctl', 'restart', 'postern.socket', 'postern.service'] })
      : { what: `Starts the service: ${restart}`, run: () => service.run('restart') },
    machineStep(places, { words: ['systemctl', 'start', 'postern-backup.timer'] }),
    // Its new workers are in the group that they have just joined.
    ...(front.length > 0 ? [machineStep(places, { words: ['systemctl', 'reload-or-restart', 'nginx'] })] : []),
    { what: 'Waits until it is ready', run: () => service.waitReady() },
  ]
}
