// Locks on a home. Every process that opens its site holds a shared lock; a restore holds the exclusive one. So a restore is
// refused while a service runs, a start waits for a restore, and the next process after a killed restore completes or undoes it
// first.

import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../base/failure.ts'
import { type Home, makeHome } from '../identity/home.ts'
import type { DatabasePlace } from '../store/core/database.ts'
import { type FileLock, lockFile } from '../store/core/file-lock.ts'
import { giveTo, ownerOf } from './owner.ts'
import { finishSwap, isSwapPending, type SwapOptions } from './swap.ts'

/** A locked home; `leave` releases the lock. */
export interface HeldHome {
  readonly home: Home
  leave(): Promise<void>
}

const lockName = 'in-use.lock'
/** The longest time that a start waits for a restore. A swap takes only a moment; the steps before it may take longer than this. */
const waitMs = 5000
/**
 * The longest time to wait for the exclusive lock before checking again. By then, another start may have completed the restore
 * and hold a shared lock.
 */
const turnMs = 100

/**
 * Creates the home if it is missing, and takes a shared lock on it. A restore that was killed is completed or undone first, because
 * nothing may be created in a home whose swap is incomplete.
 * @param place the database of the site, if it isn't the file in the home
 * @throws Failure `unavailable` while a restore runs, or as `makeHome` does
 */
export async function enterHome(path: string, place?: DatabasePlace): Promise<HeldHome> {
  const withDatabase = isInHome(place)
  await makeFirst(path, withDatabase)
  for (;;) {
    const lock = await lockHome(path, 'shared')
    if (!lock)
      throw new Failure('unavailable', `A backup is being restored into ${path}: start again when that has ended.`, {
        retry_after: 10,
      })
    try {
      if (!(await isSwapPending(path))) return { home: await makeHome(path, withDatabase), leave: () => lock.release() }
    } catch (error) {
      await lock.release()
      throw error
    }
    await lock.release()
    // If several processes start at once, one of them completes the restore, and the others look again.
    const alone = await lockHome(path, 'exclusive', turnMs)
    try {
      if (alone) await finishSwap(path, deciderOf(place))
    } finally {
      await alone?.release()
    }
  }
}

/**
 * Takes the exclusive lock on the home for a restore. An earlier restore that was killed is completed or undone first.
 * @throws Failure `refused` while a service, or another command, has the site open
 */
export async function enterHomeAlone(path: string, place?: DatabasePlace): Promise<HeldHome> {
  const withDatabase = isInHome(place)
  await makeFirst(path, withDatabase)
  const lock = await lockHome(path, 'exclusive', 0)
  if (!lock) {
    const hint = 'systemctl stop postern.socket postern.service'
    throw new Failure('refused', `The site in ${path} is in use: stop the service first.`, {
      rule: 'nobody has the site open while it is replaced',
      hint,
    })
  }
  try {
    await giveTo(join(path, 'data', lockName), await ownerOf(path))
    if (await isSwapPending(path)) await finishSwap(path, deciderOf(place))
    return { home: await makeHome(path, withDatabase), leave: () => lock.release() }
  } catch (error) {
    await lock.release()
    throw error
  }
}

const isInHome = (place: DatabasePlace | undefined): boolean => place === undefined || 'path' in place

/** Asks a PostgreSQL database whether a restore was committed there. */
function deciderOf(place: DatabasePlace | undefined): SwapOptions {
  if (place === undefined || 'path' in place) return {}
  const isCommitted = async (id: string) => {
    const { hasMark, openSchema, restoreMark } = await import('../store/core/site-copy.ts')
    const schema = await openSchema(place.postgres, 'shared')
    try {
      return await hasMark(schema, restoreMark(id))
    } finally {
      await schema.close()
    }
  }
  return { isCommitted }
}

/** Creates the home only if it has no `data/` yet. The swap of an existing home may be incomplete. */
async function makeFirst(path: string, withDatabase: boolean): Promise<void> {
  try {
    await access(join(path, 'data'))
  } catch {
    // `data/` is missing or can't be reached. In the second case `makeHome` fails and says why.
    await makeHome(path, withDatabase)
  }
}

async function lockHome(path: string, mode: 'shared' | 'exclusive', wait: number = waitMs): Promise<FileLock | undefined> {
  try {
    return await lockFile(join(path, 'data', lockName), mode, wait)
  } catch (error) {
    // If the home can't be written, `makeHome` fails with a better explanation.
    await makeHome(path, false)
    throw error
  }
}
