// The plan that changes the number of processes of the service: the setting, the file that makes postern.service represent
// several processes, the units of the processes, and a restart. The socket stays open, so no request is lost.

import { readFile, rm } from 'node:fs/promises'
import { replaceFile } from '../base/durable.ts'
import { Failure } from '../base/failure.ts'
import { unlessMissing } from '../base/missing.ts'
import { type InstalledFile, readRecord, recordOf, writeStep } from './installed-file.ts'
import { machineStep } from './machine.ts'
import { paths, type Places } from './places.ts'
import { findCurrent } from './releases.ts'
import { restartInTurn, restartSteps } from './restart.ts'
import type { InstalledService } from './service.ts'
import { readProcesses, withProcesses } from './settings-file.ts'
import type { Step } from './step.ts'
import { instanceUnits, severalPath, severalText } from './units.ts'

export interface ProcessesOrder {
  readonly places: Places
  readonly service: InstalledService
  readonly processes: number
  /** True to restart the processes even if their number stays the same. */
  readonly restart: boolean
}

export interface ProcessesPlan {
  /** The number of processes before the change. */
  readonly before: number
  readonly steps: readonly Step[]
}

/** Makes the plan, and changes nothing. @throws Failure `refused` if nothing is installed */
export async function planProcesses({ places, service, processes, restart }: ProcessesOrder): Promise<ProcessesPlan> {
  const current = await findCurrent(places)
  if (current === undefined)
    throw new Failure('refused', `Nothing is installed in ${paths.program} yet.`, {
      rule: 'the number of processes is that of an installed service',
      hint: 'postern install --processes N',
    })
  const before = await readProcesses(places)
  const written = (await unlessMissing(readFile(places.at(severalPath), 'utf8'))) ?? ''
  const isThere = before === processes && written === (processes === 1 ? '' : severalText(processes))
  const ready = { what: 'Waits until the service is ready', run: () => service.waitReady() }
  if (isThere) return { before, steps: restart ? [...restartSteps(service, processes), ready] : [] }
  const more = instanceUnits(processes).filter((unit) => !instanceUnits(before).includes(unit))
  const fewer = instanceUnits(before).filter((unit) => !instanceUnits(processes).includes(unit))
  const steps = [
    settingStep(places, service, before, processes),
    ...(await severalSteps(places, current, processes)),
    machineStep(places, { words: ['systemctl', 'daemon-reload'] }),
    ...unitSteps(places, ['disable', '--now'], ['enable'], fewer),
    ...unitSteps(places, ['enable'], ['disable', '--now'], more),
    ...changeSteps(service, before, processes),
    ready,
  ]
  return { before, steps }
}

function unitSteps(places: Places, verb: readonly string[], back: readonly string[], units: readonly string[]): readonly Step[] {
  if (units.length === 0) return []
  const { what, run } = machineStep(places, { words: ['systemctl', ...back, ...units] })
  return [{ ...machineStep(places, { words: ['systemctl', ...verb, ...units] }), undo: { what, run } }]
}

/**
 * Changes from one process to several, or back, change postern.service itself. Otherwise a restart in turn tells the processes
 * their number.
 */
function changeSteps(service: InstalledService, before: number, processes: number): readonly Step[] {
  return before > 1 && processes > 1 ? restartSteps(service, processes) : restartSteps(service, 1)
}

/** The step that changes the setting. Its undo comes last, so it also restarts the service with the earlier number. */
function settingStep(places: Places, service: InstalledService, before: number, processes: number): Step {
  const path = places.at(paths.settings)
  const write = async (count: number) => {
    const text = (await unlessMissing(readFile(path, 'utf8'))) ?? ''
    await replaceFile(path, withProcesses(text, count), { mode: 0o640, draft: `${path}.postern-new` })
    await machineStep(places, { words: ['chgrp', 'postern', paths.settings] }).run()
  }
  return {
    what: `Sets POSTERN_PROCESSES=${processes} in ${paths.settings}`,
    run: () => write(processes),
    undo: {
      what: `Sets POSTERN_PROCESSES=${before} again, and restarts the service`,
      async run() {
        await write(before)
        await machineStep(places, { words: ['systemctl', 'daemon-reload'] }).run()
        await (before > 1 && processes > 1 ? restartInTurn(service, before) : service.run('restart'))
        await service.waitReady()
      },
    },
  }
}

/** The steps that write and record the file which makes postern.service represent several processes, or remove it. */
async function severalSteps(places: Places, release: string, processes: number): Promise<readonly Step[]> {
  const earlier = { record: await readRecord(places), replaced: [] }
  if (processes > 1) {
    const file = severalFile(processes)
    return [
      writeStep(places, recordOf(earlier.record, release, [file]), { ...earlier, replaced: [] }),
      writeStep(places, file, earlier),
    ]
  }
  const path = places.at(severalPath)
  let before: string | undefined
  return [
    {
      what: `Removes ${severalPath}`,
      async run() {
        before = await unlessMissing(readFile(path, 'utf8'))
        await rm(path, { force: true })
      },
      undo: {
        what: `Restores ${severalPath}`,
        run: async () => {
          if (before !== undefined) await replaceFile(path, before, { mode: 0o644, draft: `${path}.postern-new` })
        },
      },
    },
  ]
}

/** The file that makes postern.service represent several processes. */
export const severalFile = (processes: number): InstalledFile => ({
  path: severalPath,
  text: severalText(processes),
  mode: 0o644,
})
