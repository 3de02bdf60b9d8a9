// The plan of a rollback. If the older release can run on the present database, only the link changes.

import { errorMessage } from '../base/error-message.ts'
import { Failure } from '../base/failure.ts'
import { paths, type Places } from './places.ts'
import { type Arrival, findCurrent, findLeft, listReleases, readArrival, switchTo, writeArrival } from './releases.ts'
import { listWrittenSince, restoreInto, runsOnDatabase } from './restore-before.ts'
import { restartInTurn, restartSteps } from './restart.ts'
import type { InstalledService } from './service.ts'
import { readProcesses } from './settings-file.ts'
import type { Step } from './step.ts'

export interface RollbackOrder {
  readonly places: Places
  readonly service: InstalledService
  /** True to also restore the backup of the upgrade. */
  readonly restore: boolean
}

export interface RollbackPlan {
  /** The release that runs afterwards. */
  readonly release: string
  readonly previous: string
  /** The path of the backup to restore; null for none. */
  readonly backup: string | null
  readonly steps: readonly Step[]
}

/**
 * Makes the plan, and changes nothing.
 * @throws Failure `refused` if there is no previous release, or if it can't run on the database. In the latter case the failure
 * lists the later changes.
 */
export async function planRollback({ places, service, restore }: RollbackOrder): Promise<RollbackPlan> {
  const starts = await findCurrent(places)
  // A killed rollback is completed. It must not go back by one more release.
  const current = starts && ((await findLeft(places, starts)) ?? starts)
  const arrival = current === undefined ? undefined : await readArrival(places, current)
  if (current === undefined || arrival === undefined || !(await listReleases(places)).includes(arrival.previous))
    throw new Failure('refused', 'There is no release before this one to go back to.', {
      rule: 'an upgrade keeps the release before it',
    })
  const release = arrival.previous
  if (!restore && !(await runsOnDatabase(places, release))) throw await refusal(places, current, arrival)
  const backup = restore ? getBackup(arrival) : null
  const processes = await readProcesses(places)
  const steps = stepsOf(places, service, { release, current, backup, processes }, arrival)
  return { release, previous: current, backup, steps }
}

function getBackup({ backup }: Arrival): string {
  if (backup !== null) return backup
  throw new Failure('refused', 'The upgrade made no backup to restore.', {
    rule: '--restore restores what the upgrade saved',
  })
}

/** The changes that a restore would lose, in words. A rollback must also work if they can't be listed. */
async function lostSince(places: Places, current: string, at: number): Promise<string> {
  try {
    const written = await listWrittenSince(places, current, at)
    return written.length === 0 ? 'Nothing was written since.' : `Written since, and not in the backup:\n${written.join('\n')}`
  } catch (error) {
    return `What was written since is not known: ${errorMessage(error)}`
  }
}

async function refusal(places: Places, current: string, { at, previous }: Arrival): Promise<Failure> {
  const lost = await lostSince(places, current, at)
  const words = `${previous} can't run on the database any more: ${current} has removed what it needs. Going back takes the backup from before the upgrade. ${lost}`
  const hint = 'postern rollback --restore'
  return new Failure('refused', words, { rule: 'a release runs on the schema that it knows', hint })
}

/** The releases between which a rollback switches, the backup to restore, and the number of processes. */
interface Way {
  readonly release: string
  readonly current: string
  readonly backup: string | null
  readonly processes: number
}

function stepsOf(
  places: Places,
  service: InstalledService,
  { release, current, backup, processes }: Way,
  arrival: Arrival,
): readonly Step[] {
  const note = (leaving: boolean) => writeArrival(places, current, { ...arrival, leaving })
  const restarts: readonly Step[] =
    backup === null
      ? restartSteps(service, processes)
      : [
          {
            what: `Stops the service, saves the present site, restores ${backup}, and starts the service`,
            run: () => restoreInto(places, service, release, backup),
          },
        ]
  return [
    {
      what: `Records that ${current} is being left`,
      run: () => note(true),
      undo: { what: `Records that ${current} stays`, run: () => note(false) },
    },
    {
      what: `Switches ${paths.current} to ${release}`,
      run: () => switchTo(places, release),
      undo: {
        what: `Returns to ${current}`,
        async run() {
          await switchTo(places, current)
          await restartInTurn(service, processes)
        },
      },
    },
    ...restarts,
    { what: 'Waits until the service is ready', run: () => service.waitReady() },
    { what: 'Records that the rollback is complete', run: () => note(false) },
  ]
}
