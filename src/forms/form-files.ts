// The files of submissions on disk: a folder for each submission below `uploads/protected/`, which no web server serves. A file
// is there before the row of its submission, and goes after it. So whatever a crash leaves is a folder without a row.

import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncToDisk } from '../base/durable.ts'
import { unlessMissing } from '../base/missing.ts'
import type { Db } from '../store/core/database.ts'
import { idTime, idTimeChars } from '../store/core/ids.ts'

/** A file of a submission. Its number is its place in the list. */
export interface FormFile {
  /** The name of the field. */
  readonly field: string
  /** The name for people, with an extension that fits the content. */
  readonly name: string
  /** The media type by the bytes of the file. */
  readonly kind: string
  readonly bytes: number
}

/** The most files of a post, and their bytes together. */
export const maxFormFiles = 5
export const maxPostBytes = 10_000_000
/** The most bytes of the files of all submissions of a site, and of those that look like spam. */
export const maxSiteBytes = 500_000_000
export const maxSpamBytes = 100_000_000

export const bytesOf = (files: readonly Pick<FormFile, 'bytes'>[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0)

/** True if the files of one more submission are within the limits of the site. @param isSpam true if it looks like spam */
export async function hasRoom(db: Db, bytes: number, isSpam: boolean): Promise<boolean> {
  if (bytes === 0) return true
  const { all, spam } = await db
    .selectFrom('form_submission')
    .select((eb) => [
      eb.fn.sum<number | string | null>('file_bytes').as('all'),
      eb.fn.sum<number | string | null>(eb.case().when('state', '=', 'spam').then(eb.ref('file_bytes')).else(0).end()).as('spam'),
    ])
    .where('file_bytes', '>', 0)
    .executeTakeFirstOrThrow()
  return Number(all ?? 0) + bytes <= maxSiteBytes && (!isSpam || Number(spam ?? 0) + bytes <= maxSpamBytes)
}

const idForm = /^[0-9a-hjkmnp-tv-z]{26}$/

const rootOf = (home: string): string => join(home, 'user-content', 'uploads', 'protected', '.forms')

function folderOf(home: string, submission: string): string {
  if (!idForm.test(submission)) throw new RangeError(`No submission has the id ${JSON.stringify(submission)}.`)
  return join(rootOf(home), submission)
}

export const pathOfFile = (home: string, submission: string, number: number): string =>
  join(folderOf(home, submission), String(number))

/** Moves files into the folder of a submission that is about to be stored. They are on disk when the promise settles. */
export async function placeFiles(home: string, submission: string, paths: readonly string[]): Promise<void> {
  const folder = folderOf(home, submission)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const [number, path] of paths.entries()) await move(path, join(folder, String(number)))
  await syncToDisk(folder)
  await syncToDisk(rootOf(home))
}

async function move(from: string, to: string): Promise<void> {
  await rename(from, to).catch(async (error: unknown) => {
    // `user-content/` may be on another disk than `data/`, where files arrive.
    if ((error as { code?: unknown }).code !== 'EXDEV') throw error
    await copyFile(from, to)
    await rm(from, { force: true })
  })
  await syncToDisk(to)
}

/** Removes the files of submissions whose rows are gone. */
export async function removeFiles(home: string, submissions: readonly string[]): Promise<void> {
  for (const submission of submissions) await rm(folderOf(home, submission), { recursive: true, force: true })
}

/** Folders of this age without a row belong to no post that is still arriving. */
const leftMs = 3_600_000
/** The number of rows that are asked for at once. */
const atOnce = 500

/** Removes the files whose submission is gone, or was never stored. @returns the number of folders that were removed */
export async function sweepFiles(home: string, db: Db, now: number, signal?: AbortSignal): Promise<number> {
  const before = idTime(Math.max(0, now - leftMs))
  const names = ((await unlessMissing(readdir(rootOf(home)))) ?? []).filter(
    (name) => idForm.test(name) && name.slice(0, idTimeChars) < before,
  )
  let removed = 0
  for (let at = 0; at < names.length; at += atOnce) {
    signal?.throwIfAborted()
    const part = names.slice(at, at + atOnce)
    const rows = await db.selectFrom('form_submission').select('id').where('id', 'in', part).execute()
    const kept = new Set(rows.map(({ id }) => id))
    const left = part.filter((name) => !kept.has(name))
    await removeFiles(home, left)
    removed += left.length
  }
  return removed
}
