// What the commands that change an installed site have in common: where it is, how its service is restarted, how their steps are told.

import { resolve } from 'node:path'
import { placesBelow, type Places } from '../install/places.ts'
import type { Service } from '../install/service.ts'
import { runSteps, type Step } from '../install/step.ts'
import { type Io, UsageError } from './command.ts'

/** For `parseWords`. */
export const installedOptions = {
  root: { type: 'string', default: '' },
  'restart-command': { type: 'string' },
  'ready-url': { type: 'string' },
  'ready-seconds': { type: 'string', default: '60' },
  'dry-run': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

/** For `--help`. */
export const installedDetails: readonly string[] = [
  '--root DIR             Everything below this folder; what only a machine of its own could do is left out, and told.',
  '--restart-command CMD  Instead of systemctl: run with restart, stop or start behind it; ends when that is done.',
  '--ready-url URL        Where the service says whether it is ready; else by its settings.',
  '--ready-seconds N      How long it may take to; 60.',
  '--dry-run              Prints every step and changes nothing.',
]

interface Values {
  readonly root: string
  readonly 'restart-command'?: string | undefined
  readonly 'ready-url'?: string | undefined
  readonly 'ready-seconds': string
}

/** @throws UsageError, Failure `invalid` */
export async function readInstalled(values: Values): Promise<{ places: Places; service: Service }> {
  const { serviceOf } = await import('../install/service.ts')
  const { holdHere } = await import('../outbound/ask-here.ts')
  const readySeconds = Number(values['ready-seconds'])
  if (!(readySeconds > 0)) throw new UsageError('--ready-seconds must be a number of seconds, such as 60.')
  const readyUrl = values['ready-url']
  if (readyUrl !== undefined) holdHere(readyUrl)
  const places = placesBelow(values.root === '' ? '' : resolve(values.root))
  return { places, service: serviceOf({ places, restartCommand: values['restart-command'], readyUrl, readySeconds }) }
}

/** What changes an installed site, for `carryOut`. */
interface Change {
  readonly places: Places
  /** The command's name. */
  readonly command: string
  /** Only tells the steps; then neither root nor its turn is asked for. */
  readonly dryRun: boolean
}

/**
 * Makes a plan and runs it: as root, and one at a time.
 * @throws Failure `refused`, `unavailable`, or as the plan and its steps do
 */
export async function carryOut<P extends { readonly steps: readonly Step[] }>(
  io: Io,
  { places, command, dryRun }: Change,
  makePlan: () => Promise<P>,
): Promise<P> {
  const tell = (what: string) => io.err(`${what}\n`)
  if (dryRun) {
    const plan = await makePlan()
    for (const { what } of plan.steps) tell(what)
    return plan
  }
  const { alone, holdRoot } = await import('../install/alone.ts')
  holdRoot(places, command)
  return alone(places, async () => {
    const plan = await makePlan()
    await runSteps(plan.steps, tell)
    return plan
  })
}
