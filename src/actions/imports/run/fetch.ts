// The second phase: files that are still on the old site, two at a time and half a second between requests to a host. A source that
// is gone is a loss with its reason. After that, the entries that waited for files get them.

import { open } from 'node:fs/promises'
import { Failure } from '../../../base/failure.ts'
import { errorMessage } from '../../../base/error-message.ts'
import { changeEntry } from '../../../content/entries/write-entry.ts'
import { fileNames, readAddress } from '../../../imports/behind/addresses.ts'
import { type ConvertedEntry, convertEntry } from '../../../imports/behind/converted-entry.ts'
import { entriesIn } from '../../../imports/behind/scan.ts'
import { digestOf } from '../../../imports/behind/digest.ts'
import { Report } from '../../../imports/behind/report.ts'
import type { ImportEntry, ImportMedia } from '../../../imports/stream.ts'
import { createUploads, uploadIn } from '../../../imports/sources/uploads.ts'
import { maxFileBytes } from '../../media/arrival.ts'
import { coverOf } from './entries.ts'
import { type ComingFile, copyOwn, importFile } from './files.ts'
import type { ImportJob } from './import-job.ts'

const atOnce = 2
const pauseMs = 500
const timeoutMs = 300_000
/** After this many failures of a host in a row it is not asked again in this run. */
const patience = 20

export async function fetchFiles(job: ImportJob): Promise<void> {
  const { scanned, items, book, options } = job
  if (job.startOf('fetch') === undefined) return
  const lost = new Report()
  const listed = [...scanned.media.keys()].filter((id) => !book.fileOf(id))
  const unlisted = [...items.idsOf('wanted')].filter((url) => !items.find('media', url))
  const own = createOwnFiles(job)
  const elsewhere: string[] = []
  for (const url of unlisted) {
    const path = own(url)
    if (path === undefined) elsewhere.push(url)
    else await importOwn(job, { media: mediaAt(url), path, lost })
  }
  const wanted = [...listed, ...elsewhere]
  const mediaOf = (id: string): ImportMedia => scanned.media.get(id) ?? mediaAt(id)
  if (options.media === 'files' || options.media === 'none') {
    for (const id of wanted) {
      const { path, address } = mediaOf(id)
      // A file of the import that is no medium is named already.
      if (path === undefined || options.media === 'none')
        lost.loss('media', 'pictures and files that are not in the import', 'they were not asked for', address)
    }
    return job.endPhase('texts', lost)
  }
  const hosts = new Map<string, Host>()
  let next = 0
  let done = 0
  const fetchNext = async (): Promise<void> => {
    for (let id = wanted[next++]; id !== undefined; id = wanted[next++]) {
      job.context.signal.throwIfAborted()
      const media = mediaOf(id)
      done++
      const shown = { done, total: wanted.length }
      const to = { phase: 'fetch' as const, done: 0, shown, note: 'pictures from the old site' }
      await fetchOne(job, hosts, { to, media, lost })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, fetchNext))
  await job.endPhase('texts', lost)
}

/**
 * Returns a search for the files of the import that only texts name, by their addresses: an export of posts alone has no list of
 * media.
 */
function createOwnFiles({ files, book, options }: ImportJob): (address: string) => string | undefined {
  if (options.media === 'none') return () => undefined
  const find = createUploads(files)
  return (address) => {
    const read = readAddress(address, book.site)
    return fileNames(read?.file ?? '')
      .map((name) => find(uploadIn(name) ?? name))
      .find((path) => path !== undefined)
  }
}

async function importOwn(
  job: ImportJob,
  { media, path, lost }: { readonly media: ImportMedia; readonly path: string; readonly lost: Report },
): Promise<void> {
  const to = { phase: 'fetch' as const, done: 0, note: 'pictures and files' }
  const isHere = await importFile(job, { to, media: { ...media, path }, lost }, (draft) => copyOwn(job, path, draft))
  if (isHere) job.book.addFile(media.id, media.address)
}

/** A file that only a text names. */
const mediaAt = (url: string): ImportMedia => ({
  kind: 'media',
  id: url,
  address: url,
  filename: nameIn(url),
  addresses: [],
})

function nameIn(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

interface Host {
  /** The time of the next request. */
  next: number
  failures: number
}

async function fetchOne(job: ImportJob, hosts: Map<string, Host>, coming: ComingFile): Promise<void> {
  const { book, context } = job
  const { media, lost } = coming
  const url = readAddress(media.address, book.site)?.url
  if (url === undefined || new URL(url).hostname === 'old.invalid') {
    lost.loss('media', media.filename, 'the import does not have it, and no address', media.address)
    return
  }
  const { host: name } = new URL(url)
  const host = hosts.get(name) ?? { next: 0, failures: 0 }
  hosts.set(name, host)
  if (host.failures >= patience) {
    lost.count('media.failed')
    lost.loss('media', `files of ${name}`, `${name} did not give ${patience} files in a row, and was not asked further`, url)
    return
  }
  const wait = host.next - Date.now()
  host.next = Math.max(Date.now(), host.next) + pauseMs
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
  context.signal.throwIfAborted()
  const isHere = await importFile(job, coming, (draft) => download(job, url, draft))
  if (!isHere) context.progress?.({ ...coming.to.shown, done: coming.to.shown?.done ?? 0, note: coming.to.note })
  host.failures = isHere ? 0 : host.failures + 1
  if (isHere && !job.scanned.media.has(media.id)) book.addFile(media.id, media.address)
}

/** @throws Failure for anything but a whole file with status 200 */
async function download({ context: { site, signal } }: ImportJob, url: string, draft: string): Promise<void> {
  const file = await open(draft, 'wx', 0o600)
  let bytes = 0
  try {
    const sink = async (part: Uint8Array) => {
      bytes += part.byteLength
      await file.write(part)
    }
    const answer = await site.outbound
      .fetch(url, { maxBytes: maxFileBytes(site), timeoutMs, signal, sink })
      .catch((error: unknown) => {
        signal.throwIfAborted()
        throw error instanceof Failure ? error : new Failure('unreachable', errorMessage(error))
      })
    if (answer.status !== 200) throw new Failure('unreachable', `the old site answered ${answer.status}`)
    // Many systems show a page in place of a file that is gone, with status 200.
    const isPage = /^text\/html\b/i.test(String(answer.headers['content-type'] ?? ''))
    if (isPage && !/\.html?$/i.test(new URL(url).pathname))
      throw new Failure('unreachable', 'the old site answered a page in place of the file')
    const length = Number(answer.headers['content-length'])
    const isPacked = answer.headers['content-encoding'] !== undefined
    if (bytes === 0) throw new Failure('unreachable', 'the file is empty')
    if (!isPacked && Number.isSafeInteger(length) && length > bytes) throw new Failure('unreachable', 'the file ended early')
  } finally {
    await file.close()
  }
}

/** Gives the entries that waited for files their texts and covers anew, unless somebody changed them. */
export async function settleTexts(job: ImportJob): Promise<void> {
  const { items, options } = job
  const start = job.startOf('texts')
  if (start === undefined || items.count('waiting') === 0) return
  if (options.media === 'files' && ![...items.idsOf('wanted')].some((url) => items.find('media', url))) return
  let batch: ImportEntry[] = []
  let passed = 0
  const flush = async () => {
    if (batch.length === 0) return
    const converted = await Promise.all(batch.map((entry) => convertEntry(entry, { ...job, report: undefined })))
    const shown = { done: passed, total: items.count('waiting') }
    await job.slice({ phase: 'texts', done: passed, shown, note: 'pictures in texts' }, async (writing) => {
      for (const one of converted) await settle(job, writing, one)
    })
    batch = []
  }
  for await (const entry of entriesIn(job.read(), job.scanned)) {
    if (!items.find('waiting', entry.id)) continue
    passed++
    if (passed <= start) continue
    batch.push(entry)
    if (batch.length >= 100) await flush()
  }
  await flush()
}

async function settle(
  job: ImportJob,
  writing: Parameters<typeof coverOf>[1],
  { entry, markdown, isRaw }: ConvertedEntry,
): Promise<void> {
  const { items } = job
  const item = items.find('entry', entry.id)
  const here =
    item && (await writing.change.db.selectFrom('entry').selectAll().where('id', '=', item.object_id).executeTakeFirst())
  if (!here || isRaw || here.status === 'trash' || digestOf('entry', here) !== item.digest) return
  const cover = (await coverOf(job, writing, entry)) ?? here.cover
  const patch = { body: markdown.replaceAll('\0', '').toWellFormed(), cover, updated_at: here.updated_at }
  const { row, changed } = await changeEntry(writing, here, patch)
  if (changed.length > 0)
    items.write(writing.change.db, 'entry', entry.id, {
      objectId: row.id,
      digest: digestOf('entry', row),
      addresses: entry.addresses,
    })
}
