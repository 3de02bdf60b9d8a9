// `postern restore`: replaces the site by a backup, while no service runs. It first saves the present site as a backup.

import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Restored, RestoreOrder } from '../backup/restore.ts'
import { backupsFolderOf, type Config } from '../base/config.ts'
import { Failure } from '../base/failure.ts'
import { unlessMissing } from '../base/missing.ts'
import { withPassphrase } from './backup-passphrase.ts'
import { type Command, flag, type Io, oneWord, readWords, UsageError } from './command.ts'
import { exit } from './exit.ts'
import { downloadFrom, fromHelp } from './from-elsewhere.ts'
import { configOf, operator } from './open-site.ts'
import { confirm } from './read-input.ts'

export const restore: Command = {
  usage:
    'restore FILE|ID [--from elsewhere|FILE] [--yes] [--no-save] [--keep-tokens] [--other-site] [--passphrase-file FILE] [--json]',
  summary: 'Replaces the site by a backup. Stop the service first.',
  details: [
    'Nobody can do more afterwards than before: this holds for tokens, apps, roles, passwords and plugins. If the present',
    'database is missing or of another site, all tokens, apps and sessions end, and plugins are inactive.',
    ...fromHelp,
    '--yes           Does not ask for confirmation.',
    '--no-save       Does not save the present site first.',
    '--keep-tokens   Where all tokens would end: keeps the personal tokens of the backup.',
    '--other-site    Replaces another site. Its accounts and passwords are lost.',
    '--passphrase-file FILE   Opens a sealed backup with the passphrase in this file instead of the passphrase of the site.',
  ],
  async run(args, io) {
    const { values, positionals } = readWords(args, {
      from: { type: 'string' },
      yes: flag,
      'no-save': flag,
      'keep-tokens': flag,
      'other-site': flag,
      'passphrase-file': { type: 'string' },
      json: flag,
    })
    const name = oneWord(positionals, 'Which backup?', 'postern backup list')
    const config = configOf(io)
    const folder = backupsFolderOf(config)
    const found = values.from === undefined ? await findFile(folder, name) : name
    if (!values.yes && !(await isConfirmed(io, found, config, values.from))) return exit.refused
    const fetched = values.from === undefined ? undefined : await downloadFrom(io, values.from, name)
    try {
      const file = fetched?.path ?? found
      const order = { file, save: !values['no-save'], keepTokens: values['keep-tokens'], otherSite: values['other-site'] }
      const restored = await withPassphrase(io, values['passphrase-file'], (passphrase) => run(io, config, order, passphrase))
      tell(io, restored, values.json, folder)
      return exit.ok
    } finally {
      await fetched?.drop()
    }
  },
}

/** Finds a backup by path, name, id or `latest`. It reads the folder, because the database may be missing. */
async function findFile(folder: string, name: string): Promise<string> {
  const path = resolve(name)
  if (existsSync(path)) return path
  const { isBackupName, isNameOf } = await import('../backup/folder.ts')
  const { findLatest } = await import('../backup/restore.ts')
  const names = ((await unlessMissing(readdir(folder))) ?? []).filter(isBackupName)
  const found = name === 'latest' ? await findLatest(folder) : names.find((one) => one === name || isNameOf(one, name))
  if (found !== undefined) return join(folder, found)
  throw new Failure('not_found', `There is no backup ${JSON.stringify(name)}, here or in ${folder}.`, {
    id: name,
    hint: 'postern backup list',
  })
}

async function isConfirmed(io: Io, file: string, config: Config, from: string | undefined): Promise<boolean> {
  const named = from === undefined ? file : `${file} --from ${from}`
  if (io.stdin.isTTY !== true)
    throw new UsageError('A restore replaces the site. Confirm it with --yes.', `postern restore ${named} --yes`)
  const meant = await confirm(
    io,
    `Replace the site in ${config.POSTERN_HOME} by ${from === undefined ? file : `${file} of ${from}`}?`,
  )
  if (!meant) io.err('Nothing was changed.\n')
  return meant
}

async function run(
  io: Io,
  config: Config,
  order: Pick<RestoreOrder, 'file' | 'save' | 'keepTokens' | 'otherSite'>,
  given: string | undefined,
): Promise<Restored> {
  const { createTrySite, databaseSettingsOf, passphraseOf } = await import('../app/compose.ts')
  const { restore: restoreBackup } = await import('../backup/restore.ts')
  const { systemClock: clock } = await import('../base/clock.ts')
  const { createLog } = await import('../base/log.ts')
  const log = createLog('error', (line) => io.err(`${line}\n`))
  const places = { home: config.POSTERN_HOME, database: databaseSettingsOf(config), folder: backupsFolderOf(config) }
  const passphrase = async () => given ?? (await passphraseOf(config))
  return restoreBackup({ ...order, ...places, passphrase, caller: operator, clock, log, trySite: createTrySite(config, clock) })
}

function tell(io: Io, { manifest, saved, carried }: Restored, json: boolean, folder: string): void {
  const { id, created_at: at, note } = manifest
  const savedAs = saved && join(folder, saved.file)
  const { unknown, plugins, ...ended } = carried
  const compared = unknown === null
  if (json) io.out(`${JSON.stringify({ id, created_at: at, note, saved: savedAs, compared, ended, inactive: plugins })}\n`)
  else io.out(`${id}\n`)
  io.err(`The site is as it was at ${at}.${savedAs === null ? '' : ` The site before is saved in ${savedAs}.`}\n`)
  if (!compared)
    io.err(
      `What was revoked after the backup is not known, as ${unknown}. So all apps, sessions and one-time links have ended, and tokens unless kept; plugins are inactive.\n`,
    )
  io.err(`Ended: ${ended.tokens} tokens and ${ended.apps} apps that the backup still had.\n`)
  if (plugins.length > 0) io.err(`Inactive until you activate them: ${plugins.join(', ')}.\n`)
}
