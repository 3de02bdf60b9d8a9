// Opens the home of a site: checks that it can be written, and creates missing folders with modes that don't depend on the umask.

import { access, chmod, constants, mkdir, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorLogMode, errorLogOf } from '../base/error-log.ts'
import { Failure } from '../base/failure.ts'
import { unlessMissing } from '../base/missing.ts'
import { explainUnwritable } from '../base/unwritable.ts'
import { keyFileName } from './site-key.ts'

export interface Home {
  readonly path: string
  /** The folder of the database and the key. It is never served. */
  readonly data: string
  readonly database: string
  readonly userContent: string
}

/** The folders below `user-content/`. A folder comes before the folders in it. */
const userFolders = ['logs', 'skills', 'uploads', 'uploads/protected', 'plugins', 'themes']

/** The prefix of the temporary files with which health checks test whether a folder is served. */
export const probePrefix = 'postern-probe-'

/**
 * Creates the home, or opens an existing one. The home gets mode 750, `data/` 700, the files in `data/` 600, and `user-content/`
 * and its folders 755 (attack 130). An empty error log is created with mode 640, so that `tail -F` finds it before the first
 * error. The mode of an existing home is only tightened, and only at the first start. Later its owner decides.
 * @param withDatabase true if the database is a file in the home
 * @throws Failure `unavailable` if the home can't be written, in one line with the path, its owner and what to do
 */
export async function makeHome(path: string, withDatabase = true): Promise<Home> {
  const data = join(path, 'data')
  const userContent = join(path, 'user-content')
  const home = { path, data, database: join(data, 'postern.db'), userContent }
  try {
    const first = await makeFolder(path, 0o750, true)
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    if ((await makeFolder(data, 0o700)) && !first) await tighten(path, 0o750)
    await tighten(data, 0o700)
    if (withDatabase) {
      await makeFile(home.database, 0o600)
      await access(home.database, constants.R_OK | constants.W_OK)
    }
    for (const name of await readdir(data)) if (name !== keyFileName) await tighten(join(data, name), 0o700)
    await makeFolder(userContent, 0o755)
    for (const name of userFolders) await makeFolder(join(userContent, ...name.split('/')), 0o755)
    // An error log that can't be written does not stop the site: its first line goes to standard error and says so.
    await makeFile(errorLogOf(path), errorLogMode).catch(() => undefined)
  } catch (error) {
    throw await unusable(path, error)
  }
  return home
}

/** Creates a folder with exactly this mode. Returns false if it already exists. */
async function makeFolder(path: string, mode: number, withParents = false): Promise<boolean> {
  const existing = await unlessMissing(stat(path))
  if (existing?.isDirectory()) return false
  if (withParents) await mkdir(join(path, '..'), { recursive: true })
  try {
    await mkdir(path, { mode })
  } catch (error) {
    // Another process may have created the folder in the meantime. Anything but a folder at this path is an error.
    if (codeOf(error) === 'EEXIST' && (await stat(path)).isDirectory()) return false
    throw error
  }
  await chmod(path, mode)
  return true
}

/**
 * Creates an empty file with exactly this mode. An existing file keeps its mode. Without this, the mode of the database would
 * depend on the umask, and SQLite gives its other files the same mode.
 */
async function makeFile(path: string, mode: number): Promise<void> {
  try {
    const file = await open(path, 'ax', mode)
    try {
      await file.chmod(mode)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/** Removes every permission that isn't in `mode` and, for a file, the executable bits. */
async function tighten(path: string, mode: number): Promise<void> {
  const found = await unlessMissing(stat(path))
  if (!found) return
  const allowed = found.isDirectory() ? mode : mode & 0o666
  const now = found.mode & 0o777
  if ((now & ~allowed) !== 0) await chmod(path, now & allowed)
}

async function unusable(path: string, error: unknown): Promise<Failure> {
  const place = (error as NodeJS.ErrnoException).path ?? path
  const { reason, owner, user, fix: other } = await explainUnwritable(error, [place, path])
  const fix = other ?? `sudo chown -R ${user} ${path}, or name a folder of your own in POSTERN_HOME`
  const message = `The home ${path} can't be used by ${user} (user id ${process.getuid?.() ?? '?'}): ${place} ${reason}${owner}. Try: ${fix}.`
  return new Failure('unavailable', message, { hint: fix }, { cause: error })
}

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code)
