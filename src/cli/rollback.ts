// `postern rollback`: goes back to the release before the last upgrade.

import { type Command, flag, readFlags } from './command.ts'
import { carryOut, installedDetails, installedOptions, readInstalled } from './installed-options.ts'

export const rollback: Command = {
  usage: 'rollback [--restore] [--dry-run] [--json]',
  summary: 'Goes back to the release before the last upgrade, and prints its name.',
  details: [
    '--restore              Also restores the backup of the upgrade, where the older release can’t use the new database.',
    ...installedDetails,
  ],
  async run(args, io) {
    const values = readFlags(args, { ...installedOptions, restore: flag })
    const { planRollback } = await import('../install/rollback.ts')
    const dryRun = values['dry-run']
    const { places, service } = await readInstalled(values)
    const makePlan = () => planRollback({ places, service, restore: values.restore })
    const { release, previous, backup, steps } = await carryOut(io, { places, command: 'rollback', dryRun }, makePlan)
    const result = { release, previous, backup, steps: steps.map(({ what }) => what) }
    io.out(values.json ? `${JSON.stringify(result)}\n` : `${release}\n`)
    if (!dryRun) io.err(`${release} is running instead of ${previous}.\n`)
  },
}
