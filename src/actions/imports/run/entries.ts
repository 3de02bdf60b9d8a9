// Imports entries in slices, level by level, parents first. Texts are read again here, so that they are not all in memory.

import { numbered } from '../../../content/entries/slug.ts'
import { changeEntry, type EntryWriting, insertEntry } from '../../../content/entries/write-entry.ts'
import { Failure } from '../../../base/failure.ts'
import type { ReadonlyPackedMap } from '../../../base/packed-map.ts'
import { storedValues, toColumn } from '../../../content/types/custom-values.ts'
import { writeOldAddresses } from '../../../content/redirects/old-addresses.ts'
import { readAddress } from '../../../imports/behind/addresses.ts'
import type { Book } from '../../../imports/behind/book.ts'
import { entriesIn, type Scan } from '../../../imports/behind/scan.ts'
import { type ConvertedEntry, convertEntry } from '../../../imports/behind/converted-entry.ts'
import { digestOf } from '../../../imports/behind/digest.ts'
import type { Report } from '../../../imports/behind/report.ts'
import { oldNames } from '../../../imports/behind/old-names.ts'
import { type PlannedPlace, slugIn } from '../../../imports/behind/plan-paths.ts'
import { createTurns, nextTurn } from '../../../imports/behind/turns.ts'
import type { ImportEntry } from '../../../imports/stream.ts'
import { createBatchSize } from '../../../store/core/batch-size.ts'
import { savepoint } from '../../../store/core/queued-writes.ts'
import type { EntryRow } from '../../../store/core/schema.ts'
import { columnsOfEntry, type EntryColumns } from './entry-columns.ts'
import { fieldValuesOf } from './entry-fields.ts'
import type { ImportJob } from './import-job.ts'

/**
 * The limits of a slice: entries, the time that they hold the writer, and characters of text. A slice becomes one record, which is
 * copied several times on its way to the disk.
 */
const slice = { entries: 100, holdMs: 100, chars: 512 * 1024 }

/** Progress is one number: the depth times this, and the entries of that depth that are done. */
const roundSize = 100_000_000

export async function importEntries(job: ImportJob): Promise<void> {
  const { scanned, book, places } = job
  await setPaths(book, scanned, places)
  scanned.origins.clear()
  const start = job.startOf('entries')
  if (start === undefined) return
  const perDepth = await countPerDepth(scanned)
  let before = 0
  for (let depth = Math.floor(start / roundSize); depth <= scanned.depth; depth++) {
    const from = depth === Math.floor(start / roundSize) ? start % roundSize : 0
    if ((perDepth[depth] ?? 0) > from) await importRound(job, { depth, from, before: before + from })
    before += perDepth[depth] ?? 0
  }
}

async function countPerDepth({ entries, depth: deepest }: Scan): Promise<readonly number[]> {
  const counts = Array.from({ length: deepest + 1 }, () => 0)
  const turn = createTurns()
  for (const { depth } of entries.values()) {
    await turn()
    counts[depth] = (counts[depth] ?? 0) + 1
  }
  return counts
}

/** Tells the book the place of each entry. */
export async function setPaths(book: Book, { origins }: Scan, places: ReadonlyPackedMap<PlannedPlace>): Promise<void> {
  const turn = createTurns()
  for (const [id, { addresses }] of origins.entries()) {
    await turn()
    const place = places.get(id)
    if (place) for (const address of addresses) book.setPath(address, place.path)
  }
}

interface Round {
  readonly depth: number
  /** The number of entries of this round that are done. */
  readonly from: number
  /** The number that is done in all rounds, to show how far the import is. */
  readonly before: number
}

async function importRound(job: ImportJob, { depth, from, before }: Round): Promise<void> {
  const { scanned } = job
  let batch: ImportEntry[] = []
  let chars = 0
  let done = from
  let shownDone = before
  const size = createBatchSize({ most: slice.entries, holdMs: slice.holdMs })
  const flush = async () => {
    if (batch.length === 0) return
    const converted = await Promise.all(batch.map((entry) => convertEntry(entry, job)))
    done += batch.length
    shownDone += batch.length
    const to = {
      phase: 'entries' as const,
      done: depth * roundSize + done,
      shown: { done: shownDone, total: scanned.entries.size },
    }
    const heldMs = await job.slice({ ...to, note: 'pages and posts' }, async (writing) => {
      for (const one of converted) {
        await importEntry(job, writing, one)
        await nextTurn()
      }
    })
    size.wrote(batch.length, heldMs)
    batch = []
    chars = 0
  }
  let passed = 0
  for await (const entry of entriesIn(job.read(), scanned)) {
    if (scanned.entries.get(entry.id)?.depth !== depth) continue
    passed++
    if (passed <= from) continue
    batch.push(entry)
    chars += entry.text.source.length
    if (batch.length >= size.entries || chars >= slice.chars) await flush()
  }
  await flush()
}

/** The changes with which an entry that was refused is tried again. */
interface Repairs {
  readonly withParent: boolean
  readonly isDraft: boolean
}

/** Writes an entry. One that is refused is tried at the top or as a draft, and is reported as a loss if that is refused, too. */
async function importEntry(
  job: ImportJob,
  writing: EntryWriting,
  converted: ConvertedEntry,
  { withParent, isDraft }: Repairs = { withParent: true, isDraft: false },
): Promise<void> {
  const { change } = writing
  const { entry } = converted
  const place = job.places.get(entry.id)
  if (!place) return
  const before = change.records.length
  try {
    await savepoint(change.db, () => writeEntry(job, writing, converted, { place, withParent, isDraft }))
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'unavailable' || error.code === 'failed') throw error
    change.forget(before)
    if (error.detail.field === 'parent' && withParent) {
      job.report.loss('entry', entry.title, `${error.message} It was imported at the top level.`, entry.addresses[0])
      return importEntry(job, writing, converted, { withParent: false, isDraft })
    }
    if (error.detail.field?.startsWith('fields.') === true && !isDraft) {
      job.report.loss('entry', entry.title, `${error.message} It was imported as a draft.`, entry.addresses[0])
      return importEntry(job, writing, converted, { withParent, isDraft: true })
    }
    job.report.count('entries.refused')
    job.report.loss('entry', entry.title, error.message, entry.addresses[0])
  }
}

async function writeEntry(
  job: ImportJob,
  writing: EntryWriting,
  converted: ConvertedEntry,
  { place, withParent, isDraft }: { readonly place: PlannedPlace } & Repairs,
): Promise<void> {
  const { items, report } = job
  const { entry } = converted
  const { db, now } = writing.change
  if (place.does === 'skip') return report.count('entries.skipped')
  const item = items.find('entry', entry.id)
  const id = item?.object_id ?? (place.does === 'adopt' ? place.adopts : undefined)
  const here = id === undefined ? undefined : await db.selectFrom('entry').selectAll().where('id', '=', id).executeTakeFirst()
  const conflict = item && conflictOf(job, item, here)
  if (conflict !== undefined) {
    report.conflict({ kind: 'entry', title: here?.title ?? entry.title, path: here?.path ?? place.path, why: conflict })
    return
  }
  const parts = { ...job, db, types: writing.types }
  const given = await fieldValuesOf(parts, entry, place.type)
  const fields = toColumn({ ...storedValues(here?.fields ?? '{}'), ...given })
  const columns = {
    ...columnsOfEntry(job, converted, place, await coverOf(job, writing, entry), now),
    fields,
    ...(!withParent && { parent_id: null }),
    ...(isDraft && { status: 'draft', published_at: null, unpublish_at: null }),
  }
  const row = here ? await updated(job, writing, here, columns) : await inserted(job, writing, columns, { id: entry.id, place })
  if (entry.status === 'held') noteHeld(report, entry)
  noteMissing(job, writing, converted)
  items.write(db, 'entry', entry.id, { objectId: row.id, digest: digestOf('entry', row), addresses: entry.addresses })
  await writeOldAddresses(
    writing.change,
    oldNames(entry.addresses, job.book.site, { targetKind: 'entry', targetId: row.id, path: row.path ?? undefined }),
  )
}

/** Reports an entry that is not public on the old site. */
export function noteHeld(report: Report, { heldBecause = 'held', title }: ImportEntry): void {
  report.count('entries.held')
  report.loss('status', heldBecause, 'it is not public, and becomes a draft', title)
}

/** Returns the reason why an entry of an earlier import is left as it is. */
function conflictOf(
  { undoneRuns }: ImportJob,
  { digest, earlier, run_id: run }: { readonly digest: string | null; readonly earlier: string | null; readonly run_id: string },
  here: EntryRow | undefined,
): string | undefined {
  if (!here) return undoneRuns.has(run) ? undefined : 'it was deleted here since the last import'
  if (here.status === 'trash') return 'it is in the trash here'
  const now = digestOf('entry', here)
  return now === digest || now === earlier ? undefined : 'it was changed here since the last import'
}

async function updated({ report }: ImportJob, writing: EntryWriting, here: EntryRow, columns: EntryColumns): Promise<EntryRow> {
  const { created_at: _created, type: _type, ...patch } = columns
  // The patch may change its parent. Its translations are linked in a later phase.
  const { row, changed } = await changeEntry(writing, here, patch)
  report.count(changed.length > 0 ? 'entries.updated' : 'entries.unchanged')
  return row
}

/** Adds an entry at its planned path, or at the first free one if another entry has the path by now. */
async function inserted(
  { report, places }: ImportJob,
  writing: EntryWriting,
  columns: EntryColumns,
  { id, place }: { readonly id: string; readonly place: PlannedPlace },
): Promise<EntryRow> {
  for (let number = 1; ; number++) {
    const slug = number === 1 ? slugIn(place.path) : numbered(slugIn(place.path), number)
    try {
      const { row } = await insertEntry(writing, { ...columns, slug })
      report.count('entries.made')
      if (number > 1) {
        const why = `the path was taken meanwhile; the entry is at ${row.path ?? ''}`
        report.renumber({ kind: 'entry', title: row.title, path: place.path, why })
        places.set(id, { ...place, path: row.path ?? place.path })
      }
      return row
    } catch (error) {
      const isTaken = error instanceof Failure && error.detail.field === 'slug' && ['exists', 'refused'].includes(error.code)
      if (!isTaken || number > 50) throw error
    }
  }
}

/** Returns the id of the cover. A picture that is still on the old site comes later. */
export async function coverOf(job: ImportJob, { change }: EntryWriting, { cover }: ImportEntry): Promise<string | null> {
  const id = coverId(job, cover)
  const item = id === undefined ? undefined : job.items.find('media', id)
  if (!item) return null
  const row = await change.db
    .selectFrom('media')
    .select('id')
    .where('id', '=', item.object_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.id ?? null
}

function coverId({ scanned, book }: ImportJob, cover: ImportEntry['cover']): string | undefined {
  if (!cover) return undefined
  if (cover.id !== undefined && scanned.media.has(cover.id)) return cover.id
  const read = cover.address === undefined ? undefined : readAddress(cover.address, book.site)
  return read && (book.fileAt(read) ?? read.url)
}

/** Notes the pictures that may still come from the old site, and the entry that waits for them. */
function noteMissing(
  { items, options, book, scanned }: ImportJob,
  { change }: EntryWriting,
  { entry, missing }: ConvertedEntry,
): void {
  if (options.media === 'none') return
  const { cover } = entry
  const read = cover?.address === undefined ? undefined : readAddress(cover.address, book.site)
  const unlisted =
    read && book.fileAt(read) === undefined && !(cover?.id !== undefined && scanned.media.has(cover.id)) ? [read.url] : []
  const files = [...new Set([...missing.files, ...unlisted])]
  for (const url of files) if (!items.find('media', url)) items.write(change.db, 'wanted', url, { objectId: '', digest: null })
  const needsCover = cover?.id !== undefined && scanned.media.has(cover.id) && !book.fileOf(cover.id)
  // With `files`, every listed file is here already.
  const comes = options.media !== 'files' && (missing.media.length > 0 || needsCover)
  if (files.length > 0 || comes) items.write(change.db, 'waiting', entry.id, { objectId: '', digest: null })
}
