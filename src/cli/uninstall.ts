// `postern uninstall`: removes what install wrote. The site stays.

import { type Command, readFlags } from './command.ts'
import { carryOut, installedDetails, installedOptions, readInstalled } from './installed-options.ts'

export const uninstall: Command = {
  usage: 'uninstall [--root DIR] [--dry-run] [--json]',
  summary: 'Removes the files that install wrote, and prints them. The site and its backups stay.',
  details: installedDetails.filter((line) => /^--(?:root|dry-run)/.test(line)),
  async run(args, io) {
    const values = readFlags(args, installedOptions)
    const { paths, serviceUser } = await import('../install/places.ts')
    const { planUninstall } = await import('../install/uninstall.ts')
    const { places } = await readInstalled(values)
    // The plan comes before the lock. If nothing is installed, no lock file is left behind.
    const plan = await planUninstall(places)
    const { files, left, steps } = await carryOut(
      io,
      { places, command: 'uninstall', dryRun: values['dry-run'] },
      async () => plan,
    )
    const gone = files.filter((path) => !left().includes(path))
    const result = { files: gone, left: left(), home: paths.home, backups: paths.backups, steps: steps.map(({ what }) => what) }
    io.out(values.json ? `${JSON.stringify(result)}\n` : gone.map((path) => `${path}\n`).join(''))
    for (const path of left()) io.err(`${path} was changed after the install, and stays.\n`)
    io.err(`The site stays in ${paths.home}, its backups in ${paths.backups}; both belong to the user ${serviceUser}.\n`)
  },
}
