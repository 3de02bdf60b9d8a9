// Media: the files in the import, and those that are fetched from the old site. Each goes through the checks of an upload.

import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { Failure } from '../../../base/failure.ts'
import { writeOldAddresses } from '../../../content/redirects/old-addresses.ts'
import { digestOf } from '../../../imports/behind/digest.ts'
import { Report } from '../../../imports/behind/report.ts'
import { oldNames } from '../../../imports/behind/old-names.ts'
import { utcOf } from '../../../imports/behind/times.ts'
import type { ImportMedia } from '../../../imports/stream.ts'
import { mediaPath, reduceFileName } from '../../../media/file-name.ts'
import type { Change } from '../../../store/change/change.ts'
import { newId } from '../../../store/core/ids.ts'
import { jsonTexts } from '../../../store/core/json-rows.ts'
import type { MediaRow } from '../../../store/core/schema.ts'
import { type ArrivedFile, columnsOf, discardArrived, keepArrived, maxFileBytes } from '../../media/arrival.ts'
import { freeName } from '../../media/paths.ts'
import type { ImportJob, Reached } from './import-job.ts'
import { lineOf, textOf } from './lines.ts'

/** Reads the files of the site that earlier imports have brought. */
export async function readFiles({
  context,
  items,
  book,
  scanned,
}: Pick<ImportJob, 'context' | 'items' | 'book' | 'scanned'>): Promise<void> {
  for (const ids of slicesOf(items.idsOf('media'), atOnce)) {
    const objects = ids.map((id) => items.find('media', id)?.object_id ?? '')
    const { read } = context.site.store
    const rows = await read
      .selectFrom('media')
      .select(['id', 'path', 'alt', 'caption'])
      .where('id', 'in', jsonTexts(read, objects))
      .where('deleted_at', 'is', null)
      .execute()
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const [at, id] of ids.entries()) {
      const row = byId.get(objects[at] ?? '')
      if (!row) continue
      const { path, alt, caption } = row
      const media = scanned.media.get(id)
      book.setFile(id, { path, alt: alt ?? '', caption: caption ?? '' })
      if (media) for (const address of media.addresses) book.setPath(address, path)
      else book.addFile(id, id)
    }
  }
}

const atOnce = 500

function* slicesOf<T>(all: Iterable<T>, size: number): Generator<readonly T[]> {
  let slice: T[] = []
  for (const one of all) {
    slice.push(one)
    if (slice.length < size) continue
    yield slice
    slice = []
  }
  if (slice.length > 0) yield slice
}

/** Imports the media whose bytes are in the files. */
export async function importFiles(job: ImportJob): Promise<void> {
  const { scanned, book, files, options } = job
  await readFiles(job)
  if (options.media === 'none' || job.startOf('files') === undefined) return
  const isComing = ({ id, path }: ImportMedia) => path !== undefined && files.sizes.has(path) && !book.fileOf(id)
  const lost = new Report()
  let total = 0
  for (const media of scanned.media.values()) if (isComing(media)) total++
  let done = 0
  for (const media of scanned.media.values()) {
    if (!isComing(media)) continue
    const shown = { done: ++done, total }
    const to: Reached = { phase: 'files', done: 0, shown, note: 'pictures and files' }
    await importFile(job, { to, media, lost }, (draft) => copyOwn(job, media.path ?? '', draft))
  }
  await job.endPhase('entries', lost)
}

/** Copies a file of the import. @throws Failure `too_large` */
export const copyOwn = ({ files, context: { site } }: ImportJob, path: string, draft: string): Promise<void> =>
  pipeline(limited(files.open(path), maxFileBytes(site)), createWriteStream(draft, { flags: 'wx', mode: 0o600 }))

async function* limited(stream: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const part of stream) {
    bytes += part.byteLength
    if (bytes > maxBytes) throw new Failure('too_large', `it has more than ${maxBytes / 1024 ** 2} MiB`)
    yield part
  }
}

/** A file that comes. */
export interface ComingFile {
  readonly to: Reached
  readonly media: ImportMedia
  /** Takes the file if it is refused. */
  readonly lost: Report
}

/** Imports a file. One that is refused is a loss. @param fill writes its bytes to a path */
export async function importFile(
  job: ImportJob,
  { to, media, lost }: ComingFile,
  fill: (draft: string) => Promise<void>,
): Promise<boolean> {
  const { context } = job
  const { store } = context.site.media
  const draft = await store.draft()
  let arrived: ArrivedFile | undefined
  try {
    await fill(draft)
    const kept = await keepArrived(context, draft)
    arrived = kept
    await job.slice(to, ({ change }) => writeFile(job, change, media, kept))
    return true
  } catch (error) {
    if (arrived) await discardArrived(context.site, arrived)
    context.signal.throwIfAborted()
    if (!(error instanceof Failure) || error.code === 'unavailable') throw error
    lost.count('media.failed')
    lost.loss('media', media.filename || media.address, error.message, media.address)
    return false
  } finally {
    await rm(draft, { force: true })
  }
}

async function writeFile(job: ImportJob, change: Change, media: ImportMedia, arrived: ArrivedFile): Promise<void> {
  const { items, book, report } = job
  const same = await change.db
    .selectFrom('media')
    .selectAll()
    .where('sha256', '=', arrived.sha256)
    .where('deleted_at', 'is', null)
    .where('protected', '=', 0)
    .orderBy('id')
    .executeTakeFirst()
  const row = same ?? (await insertFile(job, change, media, arrived))
  report.count(same ? 'media.found' : 'media.made')
  if (!same) report.count('media.bytes', arrived.bytes)
  book.setFile(media.id, { path: row.path, alt: row.alt ?? '', caption: row.caption ?? '' })
  for (const address of media.addresses) book.setPath(address, row.path)
  items.write(change.db, 'media', media.id, {
    objectId: row.id,
    digest: same ? null : digestOf('media', row),
    addresses: [media.address, ...media.addresses],
  })
  const addresses = [media.address, ...media.addresses]
  await writeOldAddresses(change, oldNames(addresses, book.site, { targetKind: 'media', targetId: row.id, path: row.path }))
}

async function insertFile(
  { context: { site }, zone }: ImportJob,
  change: Change,
  { filename, alt, caption, title, uploadedAt }: ImportMedia,
  arrived: ArrivedFile,
): Promise<MediaRow> {
  const name = await freeName(change.db, '', reduceFileName(filename || title || '', arrived.kind))
  return change.insert('media', {
    id: newId(change.now),
    path: mediaPath('', name),
    folder: '',
    filename: name,
    ...columnsOf(site, arrived, null),
    alt: alt === undefined ? null : lineOf(alt, 2000),
    caption: caption === undefined || caption === '' ? null : textOf(caption, 2000).replace(/\s+/g, ' '),
    focus: null,
    protected: 0,
    held: 0,
    earlier: '[]',
    deleted_at: null,
    created_at: utcOf(uploadedAt, zone) ?? change.now,
  })
}
