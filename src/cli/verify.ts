// `postern verify`: tests a backup by restoring it in a scratch folder. Works while a service runs.

import { basename, resolve } from 'node:path'
import { withPassphrase } from './backup-passphrase.ts'
import { type Command, flag, type Io, oneWord, readWords } from './command.ts'
import { exit } from './exit.ts'
import { downloadFrom, fromHelp, ownPlace } from './from-elsewhere.ts'
import { configOf, withSite } from './open-site.ts'

export const verify: Command = {
  usage: 'verify FILE|ID [--apart] [--from elsewhere|FILE] [--passphrase-file FILE] [--json]',
  summary: 'Tests a backup: checks every hash, restores it in a scratch folder, and opens the site there.',
  details: [
    'ID is an id or file name from `backup list`, or `latest`.',
    '--apart   Takes a path and does not open this site: for another machine, or before a release is installed.',
    ...fromHelp,
    '--passphrase-file FILE   Opens a sealed backup with the passphrase in this file instead of the passphrase of the site.',
  ],
  async run(args, io) {
    const { values, positionals } = readWords(args, {
      apart: flag,
      from: { type: 'string' },
      'passphrase-file': { type: 'string' },
      json: flag,
    })
    const name = oneWord(positionals, 'Which backup?', 'postern verify latest')
    const file = values['passphrase-file']
    if (values.from !== undefined) {
      const said = await verifyFrom(io, values.from, name, file)
      io.out(values.json ? `${JSON.stringify({ file: said })}\n` : `${said}\n`)
      io.err('It is good.\n')
      return exit.ok
    }
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

/** Tests a backup of the place elsewhere. @returns its file name */
async function verifyFrom(io: Io, from: string, name: string, file: string | undefined): Promise<string> {
  if (from === ownPlace)
    return withPassphrase(io, file, (passphrase) =>
      withSite(io, async ({ elsewhere }) => {
        return (await elsewhere.verify(name, { passphrase, signal: new AbortController().signal })).name
      }),
    )
  const { path, drop } = await downloadFrom(io, from, name)
  try {
    await withPassphrase(io, file, (passphrase) => tryApart(io, path, passphrase))
    return basename(path)
  } finally {
    await drop()
  }
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
