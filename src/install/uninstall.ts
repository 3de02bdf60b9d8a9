// The plan of an uninstall. It removes the files that install wrote, unless they were changed. The home, the backups and their user
// stay.

import { rm, rmdir } from 'node:fs/promises'
import { Failure } from '../base/failure.ts'
import { readRecord, removeWritten, type WrittenFile } from './installed-file.ts'
import { machineStep } from './machine.ts'
import { paths, type Places } from './places.ts'
import type { Step } from './step.ts'
import { eyesSocket, startedUnits } from './units.ts'
import { readProcesses } from './settings-file.ts'

export interface UninstallPlan {
  /** The paths of the files to remove. */
  readonly files: readonly string[]
  /** The paths of changed files, which stay. The list is complete after the steps have run. */
  left(): readonly string[]
  readonly steps: readonly Step[]
}

/** Makes the plan, and changes nothing. @throws Failure `refused` if nothing is installed */
export async function planUninstall(places: Places): Promise<UninstallPlan> {
  const files = await readRecord(places)
  if (files.length === 0)
    throw new Failure('refused', `Nothing is installed here: ${paths.record} is missing.`, {
      rule: 'install records there what it wrote',
    })
  const left: string[] = []
  const hasFront = files.some(({ path }) => path.startsWith(paths.nginx))
  const steps = [
    machineStep(places, { words: ['systemctl', 'disable', '--now', ...startedUnits(await readProcesses(places))] }),
    // It runs only where pictures of pages were set up.
    machineStep(places, {
      words: ['systemctl', 'disable', '--now', eyesSocket],
      where: ['systemctl', 'is-active', '--quiet', eyesSocket],
    }),
    ...files.map((file) => removeStep(places, file, left)),
    machineStep(places, { words: ['systemctl', 'daemon-reload'] }),
    ...(hasFront
      ? [machineStep(places, { words: ['systemctl', 'reload', 'nginx'], where: ['systemctl', 'is-active', '--quiet', 'nginx'] })]
      : []),
    {
      what: `Removes ${paths.program} with all releases`,
      run: () => rm(places.at(paths.program), { recursive: true, force: true }),
    },
    {
      what: `Removes ${paths.record}`,
      async run() {
        await rm(places.at(paths.record), { force: true })
        // The folder stays if it has other files.
        await rmdir(places.at(paths.etc)).catch(() => undefined)
      },
    },
  ]
  return { files: files.map(({ path }) => path), left: () => left, steps }
}

function removeStep(places: Places, file: WrittenFile, left: string[]): Step {
  return {
    what: `Removes ${file.path}, unless it was changed`,
    async run() {
      if (!(await removeWritten(places, file))) left.push(file.path)
    },
  }
}
