// `postern restore`: puts a backup in the place of the site, while no service runs. What is there is saved first.

import { access, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Restored } from '../backup/restore.ts'
import { backupsFolderOf, type Config } from '../config.ts'
import { Failure } from '../failure.ts'
import { unlessMissing } from '../missing.ts'
import { type Command, type Io, oneWord, parseWords, UsageError } from './command.ts'
import { exit } from './exit.ts'
import { configOf, operator } from './open-site.ts'
import { confirm } from './read-input.ts'

export const restore: Command = {
  usage: 'restore FILE|ID [--yes] [--no-save] [--keep-tokens] [--json]',
  summary: 'Puts a backup in the place of the site, while no service runs.',
  details: [
    'Who was shut out since stays shut out: tokens, apps, sessions, passwords. With no database of the',
    'same site to compare with, all tokens, apps and sessions end.',
    '--yes           Asks nothing.',
    '--no-save       Does not save what is there first.',
    '--keep-tokens   With nothing to compare with: leaves personal tokens as they are in the backup.',
  ],
  async run(args, io) {
    const { values, positionals } = parseWords(args, {
      yes: { type: 'boolean', default: false },
      'no-save': { type: 'boolean', default: false },
      'keep-tokens': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    })
    const name = oneWord(positionals, 'Which backup?', 'postern backup list')
    const config = configOf(io)
    const folder = backupsFolderOf(config)
    const file = await findFile(folder, name)
    if (!values.yes && !(await isMeant(io, file, config))) return exit.refused
    const restored = await run(io, config, { file, save: !values['no-save'], keepTokens: values['keep-tokens'] })
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
  order: { readonly file: string; readonly save: boolean; readonly keepTokens: boolean },
): Promise<Restored> {
  const { createTrySite } = await import('../compose.ts')
  const { restore: restoreBackup } = await import('../backup/restore.ts')
  const { systemClock: clock } = await import('../clock.ts')
  const { createLog } = await import('../log.ts')
  const log = createLog('error', (line) => io.err(`${line}\n`))
  const places = { home: config.POSTERN_HOME, folder: backupsFolderOf(config) }
  return restoreBackup({ ...order, ...places, caller: operator, clock, log, trySite: createTrySite(config, clock) })
}

function tell(io: Io, { manifest, saved, carried }: Restored, json: boolean, folder: string): void {
  const { id, created_at: at, note } = manifest
  const savedAs = saved && join(folder, saved.file)
  const { unknown, ...ended } = carried
  if (json) io.out(`${JSON.stringify({ id, created_at: at, note, saved: savedAs, compared: unknown === null, ended })}\n`)
  else io.out(`${id}\n`)
  io.err(`The site is as it was at ${at}.${savedAs === null ? '' : ` What was there before is in ${savedAs}.`}\n`)
  if (unknown !== null)
    io.err(
      `Who was shut out since is not known, as ${unknown}: apps, sessions and one-time links of the backup have ended, tokens unless kept.\n`,
    )
  io.err(`Ended: ${ended.tokens} tokens, ${ended.apps} apps, ${ended.sessions} sessions that the backup still had.\n`)
}
