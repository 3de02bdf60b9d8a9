// The plan of an upgrade. Until the link is switched, every step works alongside the running service, and killing it does no
// harm. After the switch, a failure leads back to the previous release. If that release can't run on the migrated database, the
// backup is restored.

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../base/failure.ts'
import { unlessMissing } from '../base/missing.ts'
import { examine, type Examined } from './doctor.ts'
import { checkSpace } from './disk-space.ts'
import { paths, type Places } from './places.ts'
import { demandProgram, loadPackages } from './program.ts'
import { putRelease } from './put-release.ts'
import { readSource, type Source } from './release-files.ts'
import {
  type Arrival,
  dropRelease,
  findCurrent,
  listReleases,
  listSpare,
  readArrival,
  switchTo,
  writeArrival,
} from './releases.ts'
import { mustBeAlone, restoreInto, runsOnDatabase } from './restore-before.ts'
import { restartInTurn, restartSteps, stopOthersSteps } from './restart.ts'
import type { InstalledService } from './service.ts'
import { readProcesses, readServiceEnv } from './settings-file.ts'
import type { Step } from './step.ts'
import { listOtherUnits } from './units.ts'

export interface UpgradeOrder {
  readonly places: Places
  /** The folder of a built checkout, or of a release. */
  readonly from: string
  readonly service: InstalledService
  readonly now: number
}

/** The plan. `steps` is empty if the release is already installed. */
export interface UpgradePlan {
  readonly release: string
  readonly previous: string
  /** The units on the machine that differ from those of the release. */
  readonly otherUnits: readonly string[]
  /** Path of the backup; null until it is made. */
  backup(): string | null
  readonly steps: readonly Step[]
}

/**
 * Makes the plan, and changes nothing.
 * @throws Failure `refused` if nothing is installed, `unprocessable` for a folder without a release
 */
export async function planUpgrade(order: UpgradeOrder): Promise<UpgradePlan> {
  const { places, from } = order
  const previous = await findCurrent(places)
  if (previous === undefined)
    throw new Failure('refused', `Nothing is installed in ${paths.program} yet.`, {
      rule: 'an upgrade has a release before it',
      hint: 'postern install',
    })
  const source = await readSource(from)
  const made: Made = { backup: null, before: undefined, processes: await readProcesses(places) }
  const release = source.name
  const backup = () => made.backup
  const otherUnits = await listOtherUnits(places, from)
  if (release === previous) {
    const left = await findUnfinished(places, release)
    made.backup = left?.backup ?? null
    return {
      release,
      previous: left?.previous ?? previous,
      backup,
      otherUnits,
      steps: left ? switchSteps(order, source, left.previous, made) : [],
    }
  }
  return {
    release,
    previous,
    backup,
    otherUnits,
    steps: [...prepareSteps(order, source, previous, made), ...switchSteps(order, source, previous, made)],
  }
}

/** The unfinished upgrade to the current release, if there is one. The previous release may still be running. */
async function findUnfinished(places: Places, release: string): Promise<Arrival | undefined> {
  const arrival = await readArrival(places, release)
  if (!arrival || arrival.done || !(await listReleases(places)).includes(arrival.previous)) return undefined
  return arrival
}

/** The results of earlier steps that later ones need. */
interface Made {
  backup: string | null
  /** The findings of the doctor before the upgrade. */
  before: Examined | undefined
  /** The number of processes of the service. */
  readonly processes: number
}

/** The steps that run alongside the service. */
function prepareSteps({ places }: UpgradeOrder, source: Source, previous: string, made: Made): readonly Step[] {
  const { name, bytes, packages } = source
  return [
    {
      what: 'Checks that there is room for the release and twice the database',
      run: async () => checkSpace(await demandsOf(places, bytes)),
    },
    putRelease(places, source),
    {
      what: `Loads ${packages.join(', ')} from the release, in a separate process`,
      run: () => loadPackages(places, name, packages),
    },
    { what: 'Runs the doctor', run: async () => void (made.before = await examine(places, previous)) },
    {
      what: 'Makes a backup and tests it',
      async run() {
        const note = `Before the upgrade from ${previous} to ${name}`
        made.backup = (await demandProgram(places, previous, ['backup', '--note', note])).trim()
      },
    },
    {
      what: 'Tries the new release on a copy of that backup, migrations included',
      run: async () => void (await demandProgram(places, name, ['verify', made.backup ?? '', '--apart'])),
    },
  ]
}

/** The steps from one release to the other, with their undo. */
function switchSteps({ places, service, now }: UpgradeOrder, { name }: Source, previous: string, made: Made): readonly Step[] {
  const note = (done: boolean) => writeArrival(places, name, { at: now, previous, backup: made.backup, done })
  return [
    {
      what: 'Records the release before and the backup',
      run: () => note(false),
    },
    {
      what: `Switches ${paths.current} to ${name}`,
      run: () => switchTo(places, name),
      undo: { what: `Goes back to ${previous}`, run: () => goBack(places, service, previous, made) },
    },
    ...stopOthersSteps(service, made.processes, () => mustBeAlone(places, name)),
    ...restartSteps(service, made.processes),
    { what: 'Waits until the service is ready', run: () => service.waitReady() },
    { what: 'Runs the doctor again, to see what is worse than before', run: () => checkNoWorse(places, name, made.before) },
    { what: 'Records that the upgrade is complete', run: () => note(true) },
    {
      what: 'Removes old releases; three stay',
      async run() {
        for (const spare of await listSpare(places, name, previous)) await dropRelease(places, spare)
      },
    },
  ]
}

/** Goes back to the previous release. If it can't run on the migrated database, saves the present site and restores the backup. */
async function goBack(places: Places, service: InstalledService, previous: string, { backup, processes }: Made): Promise<void> {
  await switchTo(places, previous)
  if (backup !== null && !(await runsOnDatabase(places, previous))) await restoreInto(places, service, previous, backup)
  else await restartInTurn(service, processes)
  await service.waitReady()
}

/**
 * Checks that the upgrade broke nothing. The doctor asks over the network, where faults may be temporary, so only rows that are
 * broken twice count.
 */
async function checkNoWorse(places: Places, release: string, before: Examined | undefined): Promise<void> {
  if (before === undefined) return
  let worse: readonly string[] | undefined
  for (let look = 0; look < 2 && worse?.length !== 0; look++) {
    const after = await examine(places, release)
    const isWorse = (id: string) => before.all.has(id) && !before.broken.has(id) && worse?.includes(id) !== false
    worse = [...(after?.broken ?? [])].filter(isWorse)
  }
  if (worse === undefined || worse.length === 0) return
  throw new Failure('failed', `The doctor finds rows broken that were well before: ${worse.join(', ')}.`, {
    hint: 'postern doctor',
  })
}

async function demandsOf(places: Places, release: number): Promise<{ folder: string; bytes: number }[]> {
  const { POSTERN_HOME: home = '', POSTERN_BACKUPS: backups = '' } = await readServiceEnv(places)
  const database = (await unlessMissing(stat(join(home, 'data', 'postern.db'))))?.size ?? 0
  return [
    { folder: places.at(paths.releases), bytes: release },
    { folder: backups, bytes: 2 * database },
  ]
}
