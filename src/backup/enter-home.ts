// Locks on a home. Every process that opens its site holds a shared lock; a restore holds the exclusive one. So a restore is refused while a
// service runs, a start waits for a restore, and the next process after a killed restore completes or undoes it first.

import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import { type Home, makeHome } from '../identity/home.ts'
import { type FileLock, lockFile } from '../store/file-lock.ts'
import { giveTo, ownerOf } from './owner.ts'
import { finishSwap, isSwapPending } from './swap.ts'

/** A home that is locked; `leave` releases the lock. */
export interface HeldHome {
  readonly home: Home
  leave(): Promise<void>
}

const lockName = 'in-use.lock'
/** A restore's swap takes a moment; what comes before it may take long. */
const waitMs = 5000
/** The other start that was faster has the home already, beside others, when it is done. */
const turnMs = 100

/**
 * Makes the home, or finds it made, and holds it beside others. A restore that was killed is brought to its end first: nothing may be made
 * in a home that is half swapped.
 * @throws Failure `unavailable` while a restore runs, or as `makeHome` does
 */
export async function enterHome(path: string): Promise<HeldHome> {
  await makeFirst(path)
  for (;;) {
    const lock = await lockHome(path, 'shared')
    if (!lock)
      throw new Failure('unavailable', `A backup is being restored into ${path}: start again when that has ended.`, {
        retry_after: 10,
      })
    try {
      if (!(await isSwapPending(path))) return { home: await makeHome(path), leave: () => lock.release() }
    } catch (error) {
      await lock.release()
      throw error
    }
    await lock.release()
    // Of several starts one brings it to its end; the others look again.
    const alone = await lockHome(path, 'alone', turnMs)
    try {
      if (alone) await finishSwap(path)
    } finally {
      await alone?.release()
    }
  }
}

/**
 * Holds the home alone, for a restore; what an earlier one left is brought to its end.
 * @throws Failure `refused` while a service, or another command, has the site open
 */
export async function enterHomeAlone(path: string): Promise<HeldHome> {
  await makeFirst(path)
  const lock = await lockHome(path, 'alone', 0)
  if (!lock) {
    const hint = 'systemctl stop postern.socket postern.service'
    throw new Failure('refused', `The site in ${path} is in use: stop the service before a restore.`, {
      rule: 'nobody has the site open while it is replaced',
      hint,
    })
  }
  try {
    await giveTo(join(path, 'data', lockName), await ownerOf(path))
    if (await isSwapPending(path)) await finishSwap(path)
    return { home: await makeHome(path), leave: () => lock.release() }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Only where there is none at all: one that is there may be half swapped. */
async function makeFirst(path: string): Promise<void> {
  try {
    await access(join(path, 'data'))
  } catch {
    // Missing, or not to be reached: then this tells why.
    await makeHome(path)
  }
}

async function lockHome(path: string, mode: 'shared' | 'alone', wait: number = waitMs): Promise<FileLock | undefined> {
  try {
    return await lockFile(join(path, 'data', lockName), mode, wait)
  } catch (error) {
    // A home that can't be written tells that best itself.
    await makeHome(path)
    throw error
  }
}
