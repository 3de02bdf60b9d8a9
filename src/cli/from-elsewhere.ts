// `--from`: backups in the place elsewhere. `elsewhere` is the place that the site has set; a file names a place for a machine that
// has no site yet, or whose database is lost.

import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Compile } from 'typebox/compile'
import type { Downloaded } from '../backup/elsewhere/download.ts'
import type { BackupTarget, TargetFile } from '../backup/elsewhere/target.ts'
import { backupsFolderOf } from '../base/config.ts'
import { Failure } from '../base/failure.ts'
import { parseObject } from '../base/json.ts'
import { unlessMissing } from '../base/missing.ts'
import type { Io } from './command.ts'
import { configOf, withSite } from './open-site.ts'

/** The value of `--from` for the place that the site has set. */
export const ownPlace = 'elsewhere'

/** The help of the option. */
export const fromHelp = [
  '--from elsewhere   Takes the backup from the place elsewhere that the site has set.',
  '--from FILE        The same for a place named in a file: the arguments of SVC_Backup.set-target, with the secret, as JSON.',
]

/** Opens the place that `--from` names, and calls `run` with it. @throws Failure */
async function withTarget<T>(io: Io, from: string, run: (target: BackupTarget) => Promise<T>): Promise<T> {
  const { openTargetOf } = await import('../backup/elsewhere/kinds.ts')
  const { getTarget, secretOf } = await import('../backup/elsewhere/target-store.ts')
  if (from === ownPlace)
    return withSite(io, async ({ store, key, outbound }) => {
      const stored = await getTarget(store.read)
      return run(openTargetOf({ settings: stored.settings, secret: secretOf(key, stored), outbound }))
    })
  const { createLog } = await import('../base/log.ts')
  const { createOutbound } = await import('../outbound/outbound.ts')
  const outbound = createOutbound({ config: configOf(io), log: createLog('error', (line) => io.err(`${line}\n`)) })
  return run(openTargetOf({ ...(await readPlaceFile(resolve(from))), outbound }))
}

async function readPlaceFile(path: string) {
  const { setTarget } = await import('../actions/backup/set-target.ts')
  const { toSettings } = await import('../actions/backup/target-settings.ts')
  const { checkTarget } = await import('../backup/elsewhere/kinds.ts')
  const found = await unlessMissing(stat(path))
  if (!found)
    throw new Failure('not_found', `There is no file ${path}. Write \`--from elsewhere\` for the place that is set.`, {
      id: path,
    })
  if ((found.mode & 0o007) !== 0)
    throw new Failure('refused', `Everybody on this machine may read the secret in ${path}: chmod o= ${path}`, {
      rule: 'the secret of a place is its owner’s alone',
      hint: `chmod o= ${path}`,
    })
  const value = parseObject(await readFile(path, 'utf8'))
  if (!Compile(setTarget.input).Check(value) || value.kind === 'off')
    throw new Failure(
      'unprocessable',
      `${path} is no place for backups: it must be JSON with the arguments of SVC_Backup.set-target.`,
    )
  const { secret = '', kind } = value
  const settings = toSettings(kind, value)
  checkTarget(settings, secret)
  return { settings, secret }
}

/** Lists the backups of a place, newest first. */
export async function listFrom(io: Io, from: string): Promise<readonly TargetFile[]> {
  const { listSealed } = await import('../backup/elsewhere/download.ts')
  return withTarget(io, from, (target) => listSealed(target, new AbortController().signal))
}

/** Downloads a backup by its name, its id or as `latest`, into the folder of backups. @throws Failure */
export async function downloadFrom(io: Io, from: string, name: string): Promise<Downloaded> {
  const { download, getThere } = await import('../backup/elsewhere/download.ts')
  const { ownerOf } = await import('../backup/owner.ts')
  const { signal } = new AbortController()
  const config = configOf(io)
  const owner = await unlessMissing(ownerOf(config.POSTERN_HOME))
  return withTarget(io, from, async (target) => {
    const file = await getThere(target, name, signal)
    io.err(`Downloading ${file.name} from ${target.host} …\n`)
    return download(target, file, { folder: backupsFolderOf(config), owner, signal })
  })
}
