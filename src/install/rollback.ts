// The plan of going back to the release before: a matter of the link, as long as that release runs on the database as it is.

import { Failure } from '../failure.ts'
import { paths, type Places } from './places.ts'
import { type Arrival, findCurrent, findLeft, listReleases, readArrival, switchTo, writeArrival } from './releases.ts'
import { listWrittenSince, restoreInto, runsOnDatabase } from './restore-before.ts'
import { restartStep, type Service } from './service.ts'
import { type Step, wordsOf } from './step.ts'

export interface RollbackOrder {
  readonly places: Places
  readonly service: Service
  /** Whether the backup that the upgrade took is put back too. */
  readonly restore: boolean
}

export interface RollbackPlan {
  /** The release that runs afterwards. */
  readonly release: string
  readonly previous: string
  /** The backup that is put back. */
  readonly backup: string | null
  readonly steps: readonly Step[]
}

/**
 * Reads and changes nothing.
 * @throws Failure `refused` where there is no release before, or it can't run on the database: that names what was written since
 */
export async function planRollback({ places, service, restore }: RollbackOrder): Promise<RollbackPlan> {
  const starts = await findCurrent(places)
  // One that was ended half-way is brought to its end: it doesn't go back by one more.
  const current = starts && ((await findLeft(places, starts)) ?? starts)
  const arrival = current === undefined ? undefined : await readArrival(places, current)
  if (current === undefined || arrival === undefined || !(await listReleases(places)).includes(arrival.previous))
    throw new Failure('refused', 'There is no release before this one to go back to.', {
      rule: 'an upgrade keeps the release before it',
    })
  const release = arrival.previous
  if (!restore && !(await runsOnDatabase(places, release))) throw await refusal(places, current, arrival)
  const backup = restore ? heldBackup(arrival) : null
  return { release, previous: current, backup, steps: stepsOf(places, service, { release, current, backup }, arrival) }
}

function heldBackup({ backup }: Arrival): string {
  if (backup !== null) return backup
  throw new Failure('refused', 'That upgrade took no backup that could be restored.', {
    rule: '--restore restores what the upgrade saved',
  })
}

/** That it can't be told keeps nobody from going back. */
async function lostSince(places: Places, current: string, at: number): Promise<string> {
  try {
    const written = await listWrittenSince(places, current, at)
    return written.length === 0 ? 'Nothing was written since.' : `Written since, and not in it:\n${written.join('\n')}`
  } catch (error) {
    return `What was written since can't be told: ${wordsOf(error)}`
  }
}

async function refusal(places: Places, current: string, { at, previous }: Arrival): Promise<Failure> {
  const lost = await lostSince(places, current, at)
  const words = `${previous} can't run on the database any more: ${current} has changed what it needs. Only the backup from before the upgrade would do. ${lost}`
  const hint = 'postern rollback --restore'
  return new Failure('refused', words, { rule: 'a release runs on the schema that it knows', hint })
}

function stepsOf(
  places: Places,
  service: Service,
  { release, current, backup }: { readonly release: string; readonly current: string; readonly backup: string | null },
  arrival: Arrival,
): readonly Step[] {
  const note = (leaving: boolean) => writeArrival(places, current, { ...arrival, leaving })
  const restarts: Step =
    backup === null
      ? restartStep(service)
      : {
          what: `Stops the service, restores ${backup}, and starts it; what is there is saved first`,
          run: () => restoreInto(places, service, release, backup),
        }
  return [
    {
      what: `Notes that ${current} is left`,
      run: () => note(true),
      undo: { what: `Notes that ${current} stays`, run: () => note(false) },
    },
    {
      what: `Switches ${paths.current} to ${release}`,
      run: () => switchTo(places, release),
      undo: {
        what: `Goes on with ${current}`,
        async run() {
          await switchTo(places, current)
          await service.run('restart')
        },
      },
    },
    restarts,
    { what: 'Waits until it is ready', run: () => service.waitReady() },
    { what: 'Notes that it serves', run: () => note(false) },
  ]
}
