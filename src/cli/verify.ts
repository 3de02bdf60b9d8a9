// `postern verify`: tests a backup by restoring it in a scratch folder. Works while a service runs.

import { resolve } from 'node:path'
import { withPassphrase } from './backup-passphrase.ts'
import { type Command, flag, type Io, oneWord, readWords } from './command.ts'
import { exit } from './exit.ts'
import { configOf, withSite } from './open-site.ts'

export const verify: Command = {
  usage: 'verify FILE|ID [--apart] [--passphrase-file FILE] [--json]',
  summary: 'Tests a backup: checks every hash, restores it in a scratch folder, and opens the site there.',
  details: [
    'ID is an id or file name from `backup list`, or `latest`.',
    '--apart   Takes a path and does not open this site: for another machine, or before a release is installed.',
    '--passphrase-file FILE   Opens a sealed backup with the passphrase in this file instead of the passphrase of the site.',
  ],
  async run(args, io) {
    const { values, positionals } = readWords(args, { apart: flag, 'passphrase-file': { type: 'string' }, json: flag })
    const name = oneWord(positionals, 'Which backup?', 'postern verify latest')
    const file = values['passphrase-file']
    if (values.apart) {
      await withPassphrase(io, file, (passphrase) => tryApart(io, resolve(name), passphrase))
      io.out(values.json ? `${JSON.stringify({ path: resolve(name) })}\n` : `${resolve(name)}\n`)
      io.err('It is good.\n')
      return exit.ok
    }
    return withSite(io, async ({ backups, store }) => {
      const { backupItemOf } = await import('../actions/backup/backup-item.ts')
      const { findBackup } = await import('../backup/backup-store.ts')
      const row = await findBackup(store.read, name)
      const path = row ? backups.pathOf(row) : resolve(name)
      if (row) {
        const tried = await withPassphrase(io, file, (passphrase) => backups.verify(row, { passphrase }))
        io.out(values.json ? `${JSON.stringify({ ...backupItemOf(tried), path })}\n` : `${path}\n`)
      } else {
        await withPassphrase(io, file, (passphrase) => backups.verifyFile(path, { passphrase }))
        io.out(values.json ? `${JSON.stringify({ path })}\n` : `${path}\n`)
      }
      io.err('It is good.\n')
      return exit.ok
    })
  },
}

async function tryApart(io: Io, path: string, given: string | undefined): Promise<void> {
  const { createTrySite, passphraseOf } = await import('../app/compose.ts')
  const { isSealedFile } = await import('../backup/archive-source.ts')
  const { verifyApart } = await import('../backup/backups.ts')
  const { systemClock } = await import('../base/clock.ts')
  const config = configOf(io)
  const passphrase = given ?? ((await isSealedFile(path)) ? await passphraseOf(config) : undefined)
  await verifyApart(createTrySite(config, systemClock), path, passphrase)
}
