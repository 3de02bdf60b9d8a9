// The media parts of a site, created once: the store of files, the process for images, and the queue of images without sizes.

import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessMissing } from '../base/missing.ts'
import type { RowChange } from '../store/change/change.ts'
import type { Db, Store } from '../store/core/database.ts'
import { type MediaStore, openMediaStore } from './media-store.ts'
import { createPictures, type Pictures, type PicturesOptions } from './picture-process.ts'

export interface MediaParts {
  readonly store: MediaStore
  readonly pictures: Pictures
  /** The keys of images in this process whose sizes are being made or queued. */
  readonly making: Set<string>
  /** The end of the queue: sizes are made one image after the other. */
  tail: Promise<void>
  /** Called after a commit. Unpublishes files that may no longer be public. The next request restores a file that still may. */
  applied(records: readonly RowChange[]): Promise<void>
  /** Ends the process for images and the queue. */
  close(): Promise<void>
  readonly closed: boolean
}

export function createMediaParts(home: string, options: PicturesOptions, db: Pick<Store, 'read'>): MediaParts {
  const store = openMediaStore(home)
  const pictures = createPictures(options)
  let closed = false
  return {
    store,
    pictures,
    making: new Set(),
    tail: Promise.resolve(),
    get closed() {
      return closed
    },
    async applied(records) {
      for (const record of records) {
        if (record.kind !== 'media' || record.before === null) continue
        if (record.after !== null && !hiding.some((column) => column in (record.after ?? {}))) continue
        const key = record.before['file_key'] ?? (await keyOf(db.read, record.id))
        if (typeof key === 'string') await store.unpublish(key)
      }
    },
    close() {
      closed = true
      return pictures.close()
    },
  }
}

/** The columns whose change may make a file non-public. */
const hiding = ['protected', 'deleted_at', 'held', 'file_key']

const keyOf = async (db: Db, id: string): Promise<string | undefined> =>
  (await db.selectFrom('media').select('file_key').where('id', '=', id).executeTakeFirst())?.file_key

const leftAfterMs = 3_600_000

/** Removes drafts that a crash left behind. They are at least an hour old. */
export async function sweepMediaDrafts(home: string, now: number): Promise<void> {
  const folder = join(home, 'user-content', 'uploads', 'protected', '.media', '.staging')
  for (const name of (await unlessMissing(readdir(folder))) ?? []) {
    const found = await unlessMissing(stat(join(folder, name)))
    if (found && now - found.mtimeMs > leftAfterMs) await rm(join(folder, name), { force: true })
  }
}
