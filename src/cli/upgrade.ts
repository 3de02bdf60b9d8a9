// `postern upgrade`: replaces the running release by another one, and goes back automatically if the new release is not ready.

import { resolve } from 'node:path'
import { systemClock } from '../base/clock.ts'
import { programFolder } from '../base/program.ts'
import { type Command, readFlags } from './command.ts'
import { carryOut, installedDetails, installedOptions, readInstalled } from './installed-options.ts'

export const upgrade: Command = {
  usage: 'upgrade [--from DIR] [--dry-run] [--json]',
  summary: 'Upgrades the installed service to the release in a folder, and prints the name of the release.',
  details: ['--from DIR             A built checkout. The default is the checkout of this command.', ...installedDetails],
  async run(args, io) {
    const values = readFlags(args, { ...installedOptions, from: { type: 'string' } })
    const { planUpgrade } = await import('../install/upgrade.ts')
    const dryRun = values['dry-run']
    const { places, service } = await readInstalled(values)
    const from = values.from === undefined ? programFolder() : resolve(values.from)
    const makePlan = () => planUpgrade({ places, from, service, now: systemClock.now() })
    const { release, previous, backup, otherUnits, steps } = await carryOut(io, { places, command: 'upgrade', dryRun }, makePlan)
    const result = { release, previous, backup: backup(), other_units: otherUnits, steps: steps.map(({ what }) => what) }
    io.out(values.json ? `${JSON.stringify(result)}\n` : `${release}\n`)
    if (steps.length === 0) io.err(`${release} is installed already.\n`)
    else if (!dryRun) {
      io.err(`${release} is running. To go back to ${previous}: postern rollback\n`)
      const { listShownOtherwise } = await import('../install/after-upgrade.ts')
      for (const sentence of await listShownOtherwise(places, release)) io.err(`${sentence}\n`)
    }
    if (otherUnits.length > 0)
      io.err(`These units differ from those of the release: ${otherUnits.join(', ')}. To update them: postern install\n`)
  },
}
