// `postern restore`: puts a backup in the place of the site, while no service runs. What is there is saved first.

import { access, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Restored, RestoreOrder } from '../backup/restore.ts'
import { backupsFolderOf, type Config } from '../config.ts'
import { Failure } from '../failure.ts'
import { unlessMissing } from '../missing.ts'
import { withPassphrase } from './backup-passphrase.ts'
import { type Command, type Io, oneWord, parseWords, UsageError } from './command.ts'
import { exit } from './exit.ts'
import { configOf, operator } from './open-site.ts'
import { confirm } from './read-input.ts'

export const restore: Command = {
  usage: 'restore FILE|ID [--yes] [--no-save] [--keep-tokens] [--other-site] [--passphrase-file FILE] [--json]',
  summary: 'Puts a backup in the place of the site, while no service runs.',
  details: [
    'Nobody can do more afterwards than before: tokens, apps, roles, passwords, plugins. With no database of the',
    'same site to compare with, all tokens, apps and sessions end, and plugins are inactive.',
    '--yes           Asks nothing.',
    '--no-save       Does not save what is there first.',
    '--keep-tokens   With nothing to compare with: leaves personal tokens as they are in the backup.',
    '--other-site    Takes the place of another site, whose accounts and passwords go.',
    '--passphrase-file FILE   Opens a sealed backup, instead of the site’s own passphrase.',
  ],
  async run(args, io) {
    const { values, positionals } = parseWords(args, {
      yes: { type: 'boolean', default: false },
      'no-save': { type: 'boolean', default: false },
      'keep-tokens': { type: 'boolean', default: false },
      'other-site': { type: 'boolean', default: false },
      'passphrase-file': { type: 'string' },
      json: { type: 'boolean', default: false },
    })
    const name = oneWord(positionals, 'Which backup?', 'postern backup list')
    const config = configOf(io)
    const folder = backupsFolderOf(config)
    const file = await findFile(folder, name)
    if (!values.yes && !(await isMeant(io, file, config))) return exit.refused
    const order = { file, save: !values['no-save'], keepTokens: values['keep-tokens'], otherSite: values['other-site'] }
    const restored = await withPassphrase(io, values['passphrase-file'], (passphrase) => run(io, config, order, passphrase))
    tell(io, restored, values.json, folder)
    return exit.ok
  },
}

/** A path, or a backup in the folder by name, id or `latest`: there may be no database that knows it. */
async function findFile(folder: string, name: string): Promise<string> {
  const path = resolve(name)
  if (
    await access(path).then(
      () => true,
      () => false,
    )
  )
    return path
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

async function isMeant(io: Io, file: string, config: Config): Promise<boolean> {
  if (io.stdin.isTTY !== true)
    throw new UsageError('A restore replaces the site: say that it is meant.', `postern restore ${file} --yes`)
  const meant = await confirm(io, `Replace the site in ${config.POSTERN_HOME} by ${file}?`)
  if (!meant) io.err('Nothing was changed.\n')
  return meant
}

async function run(
  io: Io,
  config: Config,
  order: Pick<RestoreOrder, 'file' | 'save' | 'keepTokens' | 'otherSite'>,
  given: string | undefined,
): Promise<Restored> {
  const { createTrySite, passphraseOf } = await import('../compose.ts')
  const { restore: restoreBackup } = await import('../backup/restore.ts')
  const { systemClock: clock } = await import('../clock.ts')
  const { createLog } = await import('../log.ts')
  const log = createLog('error', (line) => io.err(`${line}\n`))
  const places = { home: config.POSTERN_HOME, folder: backupsFolderOf(config) }
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
  io.err(`The site is as it was at ${at}.${savedAs === null ? '' : ` What was there before is in ${savedAs}.`}\n`)
  if (!compared)
    io.err(
      `Who was shut out since is not known, as ${unknown}: apps, sessions and one-time links have ended, tokens unless kept; plugins are inactive.\n`,
    )
  io.err(`Ended: ${ended.tokens} tokens and ${ended.apps} apps that the backup still had.\n`)
  if (plugins.length > 0) io.err(`Inactive until you activate them: ${plugins.join(', ')}.\n`)
}
