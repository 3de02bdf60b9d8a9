// The plan of an uninstall: what an install wrote goes, unless it was changed since. The home, the backups and the user they belong to stay.

import { rm, rmdir } from 'node:fs/promises'
import { Failure } from '../failure.ts'
import { readRecord, removeWritten, type WrittenFile } from './installed-file.ts'
import { machineStep } from './machine.ts'
import { paths, type Places } from './places.ts'
import type { Step } from './step.ts'
import { startedUnits } from './units.ts'

export interface UninstallPlan {
  /** What goes, by its place on the machine. */
  readonly files: readonly string[]
  /** What was changed since it was written, and stays; known at the end. */
  left(): readonly string[]
  readonly steps: readonly Step[]
}

/** Reads and changes nothing. @throws Failure `refused` where nothing is installed */
export async function planUninstall(places: Places): Promise<UninstallPlan> {
  const files = await readRecord(places)
  if (files.length === 0)
    throw new Failure('refused', `Nothing is installed here: ${paths.record} is missing.`, {
      rule: 'what install wrote is noted there',
    })
  const left: string[] = []
  const hasFront = files.some(({ path }) => path.startsWith(paths.nginx))
  const steps = [
    machineStep(places, { words: ['systemctl', 'disable', '--now', ...startedUnits] }),
    ...files.map((file) => removeStep(places, file, left)),
    machineStep(places, { words: ['systemctl', 'daemon-reload'] }),
    ...(hasFront
      ? [machineStep(places, { words: ['systemctl', 'reload', 'nginx'], where: ['systemctl', 'is-active', '--quiet', 'nginx'] })]
      : []),
    {
      what: `Takes ${paths.program} away, with all releases`,
      run: () => rm(places.at(paths.program), { recursive: true, force: true }),
    },
    {
      what: `Takes ${paths.record} away`,
      async run() {
        await rm(places.at(paths.record), { force: true })
        // Whatever else is there is somebody's.
        await rmdir(places.at(paths.etc)).catch(() => undefined)
      },
    },
  ]
  return { files: files.map(({ path }) => path), left: () => left, steps }
}

function removeStep(places: Places, file: WrittenFile, left: string[]): Step {
  return {
    what: `Takes ${file.path} away, unless it was changed`,
    async run() {
      if (!(await removeWritten(places, file))) left.push(file.path)
    },
  }
}
