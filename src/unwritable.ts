// What a file system that said no means to people: why, whose the place is, and who asked. The sentence is whose work it was.

import { stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { errorMessage } from './error-message.ts'

/** Words about a refusal; `reason` and `owner` follow the place in a sentence. */
export interface Unwritable {
  readonly reason: string
  /** ` (it belongs to user id 0, mode 755)`; empty where nothing is there. */
  readonly owner: string
  /** Who runs this: the name, or the number where the system knows no name. */
  readonly user: string
  /** What helps, where it isn't a matter of owners. */
  readonly fix?: string
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'may not be read or written',
  EPERM: 'belongs to someone else',
  EROFS: 'is on a file system that is mounted read-only',
  ENOSPC: 'has no space left on its disk',
  EDQUOT: 'is over the quota of its disk',
  ENOENT: 'is not there',
  ENOTDIR: 'is below something that is no folder',
  EEXIST: 'is no folder',
}

const fixes: Readonly<Record<string, string>> = {
  EROFS: 'mount it writable, or name it in ReadWritePaths= of the service',
  ENOSPC: 'make room on the disk',
  EDQUOT: 'make room on the disk',
}

/**
 * Explains an error of a file system.
 * @param places the path at fault and folders around it: the first that is there tells its owner
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

async function ownerOf(places: readonly string[]): Promise<string> {
  for (const place of places) {
    const found = await stat(place).catch(() => undefined)
    if (found) return ` (it belongs to user id ${found.uid}, mode ${(found.mode & 0o777).toString(8)})`
  }
  return ''
}

/** Who runs this. A service may run under a number that no user list names, and then the system refuses to say. */
export function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'you')
  }
}
