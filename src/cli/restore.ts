// `postern restore`: replaces the site by a backup, while no service runs. The present site is saved as a backup first.

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
  summary: 'Replaces the site by a backup. Stop the service first.',
  details: [
    'Tokens, apps, sessions and passwords that were revoked after the backup stay revoked. If the present database is',
    'missing or of another site, nothing tells which those are: then all tokens, apps and sessions end.',
    '--yes           Does not ask for confirmation.',
    '--no-save       Does not save the present site first.',
    '--keep-tokens   Where all tokens would end: keeps the personal tokens of the backup.',
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

/** Finds a backup by path, name, id or `latest`. It reads the folder, because there may be no database to ask. */
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
    throw new UsageError('A restore replaces the site. Confirm it with --yes.', `postern restore ${file} --yes`)
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
  io.err(`The site is as it was at ${at}.${savedAs === null ? '' : ` The site before is saved in ${savedAs}.`}\n`)
  if (unknown !== null)
    io.err(
      `What was revoked after the backup is not known, as ${unknown}. So all apps, sessions and one-time links of the backup have ended, and its tokens unless kept.\n`,
    )
  io.err(`Ended: ${ended.tokens} tokens, ${ended.apps} apps and ${ended.sessions} sessions of the backup.\n`)
}
