// The folder that holds a site: makes what is missing, with modes that don't depend on the umask, and finds out before
// anything else whether it can be written. What lies in it is each owner's.

import { access, chmod, constants, mkdir, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorLogMode, errorLogOf } from '../error-log.ts'
import { Failure } from '../failure.ts'
import { unlessMissing } from '../missing.ts'
import { explainUnwritable } from '../unwritable.ts'
import { keyFileName } from './site-key.ts'

/** Where things are in a home. */
export interface Home {
  readonly path: string
  /** Database and keys; never served. */
  readonly data: string
  readonly database: string
  readonly userContent: string
}

/** Below `user-content/`; parents before what is in them. */
const userFolders = ['logs', 'skills', 'uploads', 'uploads/protected', 'plugins', 'themes']

/** How the names of files begin that the check of the protected folders plants there for a moment. */
export const probePrefix = 'postern-probe-'

/**
 * Makes the home, or finds it made: itself 750, `data/` 700 with files 600, `user-content/` and its folders 755 (ATTACKS 130).
 * The error log is made empty, with mode 640, so that `tail -F` finds it before there is anything to tell.
 * The mode of a home that was there before is only ever tightened, and only at its first start: later it is its owner's.
 * @throws Failure `unavailable`, one line with path, owner and what to do, when it can't be written
 */
export async function makeHome(path: string): Promise<Home> {
  const data = join(path, 'data')
  const userContent = join(path, 'user-content')
  const home = { path, data, database: join(data, 'postern.db'), userContent }
  try {
    const first = await makeFolder(path, 0o750, true)
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    if ((await makeFolder(data, 0o700)) && !first) await tighten(path, 0o750)
    await tighten(data, 0o700)
    await makeFile(home.database, 0o600)
    await access(home.database, constants.R_OK | constants.W_OK)
    for (const name of await readdir(data)) if (name !== keyFileName) await tighten(join(data, name), 0o700)
    await makeFolder(userContent, 0o755)
    for (const name of userFolders) await makeFolder(join(userContent, ...name.split('/')), 0o755)
    // A log that can't be written stops no site: it says so itself, on standard error, at its first line.
    await makeFile(errorLogOf(path), errorLogMode).catch(() => undefined)
  } catch (error) {
    throw await unusable(path, error)
  }
  return home
}

/** Makes one folder with exactly this mode; false when it is there already. */
async function makeFolder(path: string, mode: number, withParents = false): Promise<boolean> {
  const existing = await unlessMissing(stat(path))
  if (existing?.isDirectory()) return false
  if (withParents) await mkdir(join(path, '..'), { recursive: true })
  try {
    await mkdir(path, { mode })
  } catch (error) {
    // Another start was faster; what isn't a folder stays a failure.
    if (codeOf(error) === 'EEXIST' && (await stat(path)).isDirectory()) return false
    throw error
  }
  await chmod(path, mode)
  return true
}

/**
 * Makes an empty file with exactly this mode; a file that is there keeps its own. SQLite would make the database by the umask, and its
 * `-wal` and `-shm` take their modes from it.
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

/** Takes away every permission that isn't in `mode`; of a file the executable bits too. */
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
