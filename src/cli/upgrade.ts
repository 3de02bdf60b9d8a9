// `postern upgrade`: from the release that runs to the one in a folder, and back by itself where that isn't ready.

import { resolve } from 'node:path'
import { systemClock } from '../clock.ts'
import { programFolder } from '../front/templates.ts'
import { type Command, parseFlags } from './command.ts'
import { exit } from './exit.ts'
import { carryOut, installedDetails, installedOptions, readInstalled } from './installed-options.ts'

export const upgrade: Command = {
  usage: 'upgrade [--from DIR] [--dry-run] [--json]',
  summary: 'Puts the release of a folder in the place of the one that runs, and prints its name.',
  details: [
    '--from DIR             A checkout that is built; the one that this command is part of unless told.',
    ...installedDetails,
  ],
  async run(args, io) {
    const values = parseFlags(args, { ...installedOptions, from: { type: 'string' } })
    const { planUpgrade } = await import('../install/upgrade.ts')
    const dryRun = values['dry-run']
    const { places, service } = await readInstalled(values)
    const from = values.from === undefined ? programFolder() : resolve(values.from)
    const makePlan = () => planUpgrade({ places, from, service, now: systemClock.now() })
    const { release, previous, backup, otherUnits, steps } = await carryOut(io, { places, command: 'upgrade', dryRun }, makePlan)
    const told = { release, previous, backup: backup(), other_units: otherUnits, steps: steps.map(({ what }) => what) }
    io.out(values.json ? `${JSON.stringify(told)}\n` : `${release}\n`)
    if (steps.length === 0) io.err(`${release} is installed already.\n`)
    else if (!dryRun) io.err(`${release} serves. Back to ${previous}: postern rollback\n`)
    if (otherUnits.length > 0) io.err(`Not as this release has them: ${otherUnits.join(', ')}. To renew them: postern install\n`)
    return exit.ok
  },
}
