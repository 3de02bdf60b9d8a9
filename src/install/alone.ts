// One install, upgrade, rollback or uninstall at a time. The kernel releases the lock when the process ends, for any reason.

import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure } from '../base/failure.ts'
import { lockFile } from '../store/core/file-lock.ts'
import { paths, type Places } from './places.ts'

/** Checks that the process runs as root, because only root can change the machine. @throws Failure `refused` */
export function checkRoot({ root }: Places, words: string): void {
  if (root !== '' || process.geteuid?.() === 0) return
  throw new Failure('refused', `Only root may change this machine: sudo scripts/postern ${words}`, {
    rule: 'root owns the program',
  })
}

/** Calls `run` while it holds the lock. @throws Failure `unavailable` while another process holds it */
export async function alone<T>(places: Places, run: () => Promise<T>): Promise<T> {
  const path = places.at(paths.lock)
  await mkdir(dirname(path), { recursive: true })
  const lock = await lockFile(path, 'exclusive')
  if (!lock)
    throw new Failure('unavailable', 'Another install, upgrade or rollback is running. Try again when it has ended.', {
      retry_after: 30,
    })
  try {
    return await run()
  } finally {
    await lock.release()
  }
}
