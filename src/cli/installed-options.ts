// The options of the commands that change an installed service, and the function that prints and runs their steps.

import { resolve } from 'node:path'
import { placesBelow, type Places } from '../install/places.ts'
import type { InstalledService } from '../install/service.ts'
import { runSteps, type Step } from '../install/step.ts'
import { flag, type Io, UsageError } from './command.ts'

/** The options, for `readWords`. */
export const installedOptions = {
  root: { type: 'string', default: '' },
  'restart-command': { type: 'string' },
  'ready-url': { type: 'string' },
  'ready-seconds': { type: 'string', default: '60' },
  'dry-run': flag,
  json: flag,
} as const

/** The lines about the options, for `--help`. */
export const installedDetails: readonly string[] = [
  '--root DIR             Installs below this folder. Steps that only a real machine can do are printed and left out.',
  '--restart-command CMD  Runs CMD restart, CMD stop or CMD start instead of systemctl. It must end when that is done. With several processes,',
  '                       CMD restart 2 and CMD stop 2 mean the second one, and a restart ends when that process is ready.',
  '--ready-url URL        The address of /readyz. The default comes from the settings of the service.',
  '--ready-seconds N      How long the service may take until it is ready. The default is 60.',
  '--dry-run              Prints each step and changes nothing.',
]

/** Reads the options. @throws UsageError, Failure `invalid` */
export async function readInstalled(values: {
  readonly root: string
  readonly 'restart-command'?: string | undefined
  readonly 'ready-url'?: string | undefined
  readonly 'ready-seconds': string
}): Promise<{ places: Places; service: InstalledService }> {
  const { serviceOf } = await import('../install/service.ts')
  const { toOwnAddress } = await import('../outbound/ask-here.ts')
  const readySeconds = Number(values['ready-seconds'])
  if (!(readySeconds > 0)) throw new UsageError('--ready-seconds must be a number of seconds, such as 60.')
  const readyUrl = values['ready-url']
  if (readyUrl !== undefined) toOwnAddress(readyUrl)
  const places = placesBelow(values.root === '' ? '' : resolve(values.root))
  return { places, service: serviceOf({ places, restartCommand: values['restart-command'], readyUrl, readySeconds }) }
}

/**
 * Makes a plan and runs it, as root and with the lock that excludes other installs and upgrades. A dry run only prints the steps,
 * which needs neither.
 * @throws Failure `refused` without root, `unavailable` while the lock is taken, or the failures of the plan and its steps
 */
export async function carryOut<P extends { readonly steps: readonly Step[] }>(
  io: Io,
  { places, command, dryRun }: { readonly places: Places; readonly command: string; readonly dryRun: boolean },
  makePlan: () => Promise<P>,
): Promise<P> {
  const tell = (what: string) => io.err(`${what}\n`)
  if (dryRun) {
    const plan = await makePlan()
    for (const { what } of plan.steps) tell(what)
    return plan
  }
  const { alone, checkRoot } = await import('../install/alone.ts')
  checkRoot(places, command)
  return alone(places, async () => {
    const plan = await makePlan()
    await runSteps(plan.steps, tell)
    return plan
  })
}
