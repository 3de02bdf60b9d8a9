// One install, upgrade, rollback or uninstall at a time. The system lets go of the lock when its process ends, however it ends.

import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure } from '../failure.ts'
import { lockFile } from '../store/file-lock.ts'
import { paths, type Places } from './places.ts'

/** Holds that whoever runs this may change the machine. @throws Failure `refused` */
export function holdRoot({ root }: Places, words: string): void {
  if (root !== '' || process.geteuid?.() === 0) return
  throw new Failure('refused', `This changes the machine, which only root may: sudo scripts/postern ${words}`, {
    rule: 'root owns the program',
  })
}

/** @throws Failure `unavailable` while another runs */
export async function alone<T>(places: Places, run: () => Promise<T>): Promise<T> {
  const path = places.at(paths.lock)
  await mkdir(dirname(path), { recursive: true })
  const lock = await lockFile(path, 'alone')
  if (!lock)
    throw new Failure('unavailable', 'Another install, upgrade or rollback is running: try again when that has ended.', {
      retry_after: 30,
    })
  try {
    return await run()
  } finally {
    await lock.release()
  }
}
