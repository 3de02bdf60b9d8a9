// The plan of an install: a user, a release owned by root, a home owned by the user, settings, units, and files of the web
// server. An install can be repeated, and changes only what differs from the plan. Going from one release to another is an
// upgrade.

import { chmod, mkdir, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../base/failure.ts'
import type { FrontFile } from '../front/front-options.ts'
import { type Earlier, type InstalledFile, readRecord, recordOf, writeStep } from './installed-file.ts'
import { machineStep } from './machine.ts'
import { paths, type Places, serviceUser } from './places.ts'
import { severalFile } from './processes.ts'
import { loadPackages } from './program.ts'
import { putRelease } from './put-release.ts'
import { readSource, type Source } from './release-files.ts'
import { findCurrent, switchTo } from './releases.ts'
import type { InstalledService } from './service.ts'
import { readProcesses, readServiceEnv, settingsText } from './settings-file.ts'
import type { Step } from './step.ts'
import { readUnits, startedUnits } from './units.ts'

export interface InstallOrder {
  readonly places: Places
  readonly from: string
  readonly service: InstalledService
  /** True to start or restart the service and the web server. */
  readonly start: boolean
  /** The address to write into new settings. Existing settings keep theirs. */
  readonly baseUrl: string | undefined
  /** The files of the web server, by their paths below its folder; empty to leave the web server unchanged. */
  readonly front: readonly FrontFile[]
  /** The number of processes of the service, in new settings. Existing settings keep their number. */
  readonly processes: number | undefined
}

export interface InstallPlan {
  readonly release: string
  readonly files: readonly string[]
  /** The paths of written files that someone had changed. The list is complete after the steps have run. */
  replaced(): readonly string[]
  /** The address in existing settings, if it differs from the web server's. */
  readonly otherBaseUrl: string | undefined
  readonly steps: readonly Step[]
}

/**
 * Makes the plan, and changes nothing.
 * @throws Failure `exists` if another release is installed; `unprocessable` for a folder without a release, or a node below /root
 * or /home
 */
export async function planInstall(order: InstallOrder): Promise<InstallPlan> {
  const { places, from } = order
  checkNode(places)
  const source = await readSource(from)
  const current = await findCurrent(places)
  if (current !== undefined && current !== source.name)
    throw new Failure('exists', `${current} is installed already, and ${source.name} is another release.`, {
      hint: 'postern upgrade',
    })
  const processes = await chooseProcesses(order)
  const files = await filesOf(order, processes)
  const earlier: Earlier = { record: await readRecord(places), replaced: [] }
  const record = recordOf(earlier.record, source.name, files)
  const steps = [
    ...userSteps(places),
    putRelease(places, source),
    ...folderSteps(places),
    // After the folders have their owner, because this step runs as the service's user.
    {
      what: `Loads ${source.packages.join(', ')} from the release, in a separate process`,
      run: () => loadPackages(places, source.name, source.packages),
    },
    writeStep(places, record, { ...earlier, replaced: [] }),
    ...files.map((file) => writeStep(places, file, earlier)),
    machineStep(places, { words: ['chgrp', serviceUser, paths.settings] }),
    ...(order.front.length > 0 ? [machineStep(places, { words: ['nginx', '-t'] })] : []),
    switchStep(places, source, current),
    machineStep(places, { words: ['systemctl', 'daemon-reload'] }),
    machineStep(places, { words: ['systemctl', 'enable', ...startedUnits(processes)] }),
    ...(order.start ? startSteps(order) : []),
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

/** Checks that node is not in a folder that the units hide from the service. @throws Failure `unprocessable` */
function checkNode({ root }: Places): void {
  if (root !== '' || !/^\/(?:root|home|run\/user)\//.test(process.execPath)) return
  const words = `The service can't use ${process.execPath}, which is in a user's folder. Install Node for the whole machine, such as /usr/bin/node.`
  throw new Failure('unprocessable', words)
}

function userSteps(places: Places): readonly Step[] {
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
    // The web server serves uploads from the home, which only this group may read.
    machineStep(places, { words: ['usermod', '-aG', serviceUser, 'www-data'], where: ['getent', 'passwd', 'www-data'] }),
  ]
}

function folderSteps(places: Places): readonly Step[] {
  const made = [
    [paths.etc, 0o755, 'root'],
    [paths.state, 0o750, serviceUser],
    [paths.backups, 0o700, serviceUser],
  ] as const
  return made.flatMap(([path, mode, owner]) => [
    {
      what: `Creates ${path}, mode ${mode.toString(8)}`,
      async run() {
        await mkdir(places.at(path), { recursive: true })
        await chmod(places.at(path), mode)
      },
    },
    machineStep(places, { words: ['chown', `${owner}:${owner}`, path] }),
  ])
}

async function filesOf({ from, places, baseUrl, front }: InstallOrder, processes: number): Promise<readonly InstalledFile[]> {
  const units = await readUnits(from)
  return [
    { path: paths.settings, text: settingsText(baseUrl, processes), mode: 0o640, keep: true },
    ...units,
    ...(processes > 1 ? [severalFile(processes)] : []),
    ...front
      .filter(({ path }) => !isTaken(places, path))
      .map(({ path, text }) => ({ path: join(paths.nginx, path), text, mode: 0o644 })),
  ]
}

/**
 * The number of processes in the settings, or that of the order if there are none. @throws Failure `exists` if the settings have
 * another number
 */
async function chooseProcesses({ places, processes }: InstallOrder): Promise<number> {
  if (!existsSync(places.at(paths.settings))) return processes ?? 1
  const found = await readProcesses(places)
  if (processes === undefined || processes === found) return found
  throw new Failure('exists', `The service is installed with POSTERN_PROCESSES=${found}, not ${processes}.`, {
    hint: `postern processes ${processes}`,
  })
}

/** True if Debian's default server is installed instead of this file. nginx accepts only one default server. */
function isTaken(places: Places, path: string): boolean {
  return path === 'conf.d/postern-unknown-hosts.conf' && existsSync(places.at(join(paths.nginx, 'sites-enabled/default')))
}

function switchStep(places: Places, { name }: Source, current: string | undefined): Step {
  return {
    what: `Switches ${paths.current} to ${name}`,
    run: () => switchTo(places, name),
    undo: {
      what: `Restores ${paths.current}`,
      run: async () => (current === undefined ? rm(places.at(paths.current), { force: true }) : undefined),
    },
  }
}

function startSteps({ places, service, front }: InstallOrder): readonly Step[] {
  const restart = service.command('restart')
  return [
    restart === undefined
      ? machineStep(places, { words: ['systemctl', 'restart', 'postern.socket', 'postern.service'] })
      : { what: `Starts the service: ${restart}`, run: () => service.run('restart') },
    machineStep(places, { words: ['systemctl', 'start', 'postern-backup.timer'] }),
    // Workers that nginx starts now are members of the new group.
    ...(front.length > 0 ? [machineStep(places, { words: ['systemctl', 'reload-or-restart', 'nginx'] })] : []),
    { what: 'Waits until the service is ready', run: () => service.waitReady() },
  ]
}
