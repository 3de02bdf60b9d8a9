// Explains an error of the file system: the reason, the owner of the place, and the current user. The caller words the sentence.

import { stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { errorMessage } from './error-message.ts'
import { Failure } from './failure.ts'

/** An explanation of an error. In a sentence, `reason` and `owner` follow the path. */
export interface Unwritable {
  readonly reason: string
  /** The owner, such as ` (it belongs to user id 0, mode 755)`; empty if the place does not exist. */
  readonly owner: string
  /** The current user: the name, or the number if the system has no name for it. */
  readonly user: string
  /** The remedy, if the owner is not the problem. */
  readonly fix?: string
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'may not be read or written',
  EPERM: 'belongs to someone else',
  EROFS: 'is on a file system that is mounted read-only',
  ENOSPC: 'has no space left on its disk',
  EDQUOT: 'is over the quota of its disk',
  ENOENT: 'is not there',
  ENOTDIR: 'is below a file',
  EEXIST: 'is not a folder',
}

const fixes: Readonly<Record<string, string>> = {
  EROFS: 'mount it writable, or name it in ReadWritePaths= of the service',
  ENOSPC: 'make room on the disk',
  EDQUOT: 'make room on the disk',
}

/**
 * Explains an error of the file system.
 * @param places the path at fault and the folders above it. The first existing one decides the owner
 */
export async function explainUnwritable(error: unknown, places: readonly string[]): Promise<Unwritable> {
  const code = String((error as { code?: unknown }).code)
  const fix = fixes[code]
  return {
    reason: reasons[code] ?? `failed: ${errorMessage(error)}`,
    owner: await ownerOf(places),
    user: userName(),
    ...(fix !== undefined && { fix }),
  }
}

/** Returns the failure of a full disk in place of its error, and everything else as it is. */
export const orDiskFull = <E>(error: E): E | Failure =>
  !(error instanceof Failure) && isDiskFull(error) ? diskFull(error) : error

/** True for an error of a disk without room, also where it is only the cause. */
export function isDiskFull(error: unknown): boolean {
  for (let at = error, depth = 0; typeof at === 'object' && at !== null && depth < 5; depth++) {
    const { code, cause } = at as { code?: unknown; cause?: unknown }
    if (code === 'ENOSPC' || code === 'EDQUOT') return true
    at = cause
  }
  return false
}

/** The failure of work that a full disk stopped. */
const diskFull = (cause: unknown): Failure =>
  new Failure('unavailable', 'The disk is full. Make room on it, then do the same again.', { retry_after: 60 }, { cause })

async function ownerOf(places: readonly string[]): Promise<string> {
  for (const place of places) {
    const found = await stat(place).catch(() => undefined)
    if (found) return ` (it belongs to user id ${found.uid}, mode ${(found.mode & 0o777).toString(8)})`
  }
  return ''
}

/** Returns the name of the current user, or the number. Some services run as a user without a name. */
export function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'you')
  }
}
