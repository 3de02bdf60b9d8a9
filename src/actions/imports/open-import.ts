// Opens the file of a call: its format, and the parts that `inspect` and `run` share.

import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { toError } from '../../base/error-message.ts'
import { Failure, invalid, notFound } from '../../base/failure.ts'
import { unlessMissing } from '../../base/missing.ts'
import type { PackedMap } from '../../base/packed-map.ts'
import { inSmallHeap } from '../../base/small-heap.ts'
import { type Languages, readLanguages } from '../../content/languages/languages.ts'
import { isReservedSlug } from '../../content/entries/reserved-slugs.ts'
import { listTaxonomies } from '../../content/terms/taxonomies.ts'
import { usualType } from '../../content/types/entry-types.ts'
import { oldSiteOf } from '../../imports/behind/addresses.ts'
import { type Book, createBook } from '../../imports/behind/book.ts'
import { type Items, readItems } from '../../imports/behind/items.ts'
import { type PlannedPlace, planPaths } from '../../imports/behind/plan-paths.ts'
import type { Report } from '../../imports/behind/report.ts'
import { scan, type Scan } from '../../imports/behind/scan.ts'
import { findFormat } from '../../imports/formats.ts'
import type { ImportFormat } from '../../imports/import-format.ts'
import type { SourceFiles } from '../../imports/source-files.ts'
import { openSource } from '../../imports/sources/open-source.ts'
import { withMedia } from '../../imports/sources/with-media.ts'
import { findStaged, keepStaged, type StagedImport } from '../../imports/staged-imports.ts'
import { isTimeZone } from '../../settings/time-zone.ts'
import { newId } from '../../store/core/ids.ts'
import type { Context } from '../call/action.ts'
import { type ImportOptions, readOptions } from './options.ts'
import { checkMap } from './run/entry-fields.ts'

/** The largest file that is fetched by `url`. */
const maxFetched = 100 * 1024 ** 2

export interface OpenedImport {
  /** The id of the file while it is kept. */
  readonly file: string
  readonly files: SourceFiles
  readonly format: ImportFormat
}

/** Runs work with the file of a call, and closes it. @throws Failure `invalid`, `not_found`, `unprocessable`, `too_large` */
export async function withImport<T>(
  context: Context,
  options: ImportOptions,
  work: (opened: OpenedImport) => Promise<T>,
): Promise<T> {
  const staged = await stagedOf(context, options)
  const files = await openStaged(staged)
  try {
    return await inSmallHeap(async () => work({ file: staged.id, files, format: await findFormat(files, options.format) }))
  } finally {
    await files.close()
  }
}

async function openStaged({ path, staging, media }: StagedImport): Promise<SourceFiles> {
  const files = await openSource(path, staging)
  return (await unlessMissing(stat(media))) ? withMedia(files, await openSource(media, staging)) : files
}

async function stagedOf(context: Context, { file, url }: ImportOptions): Promise<StagedImport> {
  const { POSTERN_HOME: home } = context.site.config
  if ((file === undefined) === (url === undefined))
    throw invalid('file', 'Give the file in exactly one way: `file` or `url`.', 'the id of an uploaded file, or a public address')
  if (file !== undefined) {
    const staged = await findStaged(home, file)
    if (!staged) throw notFound('import', file, 'An uploaded file is kept for a week. Upload it again: SVC_Import.begin-upload.')
    return staged
  }
  return fetchStaged(context, url ?? '')
}

async function fetchStaged({ site, signal, now }: Context, url: string): Promise<StagedImport> {
  const { POSTERN_HOME: home } = site.config
  const [id, bytes] = [newId(now), new PassThrough()]
  const keeping = keepStaged(home, bytes, { id, filename: URL.canParse(url) ? new URL(url).pathname : '', now })
  keeping.catch(() => undefined)
  // A fetch may fail before the file is opened, when nothing listens yet. Without a listener, that would end the service.
  bytes.on('error', () => undefined)
  const sink = async (part: Uint8Array) => {
    if (!bytes.write(part)) await once(bytes, 'drain', { signal })
  }
  try {
    const answer = await site.outbound.fetch(url, { maxBytes: maxFetched, timeoutMs: 300_000, signal, sink })
    if (answer.status !== 200)
      throw new Failure('unreachable', `The URL answered ${answer.status} instead of a file.`, { field: 'url' })
    bytes.end()
    await keeping
  } catch (error) {
    bytes.destroy(toError(error))
    // A disk that is full is the reason of both.
    await keeping.catch((reason: unknown) => {
      if (reason instanceof Failure) throw reason
    })
    throw error
  }
  const staged = await findStaged(home, id)
  if (!staged) throw notFound('import', id, 'Fetch it again.')
  return staged
}

/** Everything that is known before the first text is converted. */
export interface PreparedImport {
  readonly scanned: Scan
  readonly zone: string
  readonly items: Items
  readonly book: Book
  readonly report: Report
}

/** Reads the import once. @param run the id of the run that will write */
export async function prepareImport(
  context: Context,
  opened: OpenedImport,
  options: ImportOptions,
  run: string,
): Promise<PreparedImport> {
  const { signal, site, progress } = context
  const { files, format } = opened
  const tell = (done: number) => progress?.({ done, note: 'reading the import' })
  const scanned = await scan(format, files, readOptions(options, signal), tell)
  const zone = zoneOf(options.time_zone ?? scanned.site.timeZone, site.settings.values.time_zone)
  const items = await readItems(site.store.read, scanned.site.key, run)
  const urls = options.site_url === undefined ? scanned.urls : [options.site_url, ...scanned.urls]
  const book = await createBook(scanned, oldSiteOf(urls))
  return { scanned, zone, items, book, report: scanned.report }
}

function zoneOf(given: string | undefined, own: string): string {
  if (given === undefined) return own
  if (isTimeZone(given)) return given
  throw invalid('time_zone', `${JSON.stringify(given)} is no time zone.`, 'a name such as `Europe/Berlin` or `UTC`')
}

/** The types of the old site, with the number of entries of each. */
export const oldTypesOf = ({ report }: Scan): readonly { readonly type: string; readonly count: number }[] =>
  Object.entries(report.data().counts).flatMap(([name, count]) => {
    const type = /^type\.(.+)$/s.exec(name)?.[1]
    return type === undefined ? [] : [{ type, count }]
  })

/**
 * Plans the paths of all entries.
 * @param report takes clashes, and the entries that get another path
 * @param coming languages that the run would take over
 */
export async function planImport(
  { site }: Context,
  { scanned, items, format }: Pick<PreparedImport, 'scanned' | 'items'> & Pick<OpenedImport, 'format'>,
  options: ImportOptions,
  report: Report,
  coming: Partial<Languages> = {},
): Promise<PackedMap<PlannedPlace>> {
  const db = site.store.read
  const types = site.types.current
  const used = [...new Set([...oldTypesOf(scanned)].map(({ type }) => typeFor(type, options, types.slugs)))]
  checkMap(options, format, { types, used })
  return planPaths({
    db,
    scanned,
    items,
    types,
    languages: { ...(await readLanguages(db)), ...coming },
    taxonomies: (await listTaxonomies(db)).map(({ slug }) => slug),
    onClash: options.on_clash ?? 'copy',
    report,
    typeOf: (type) => typeFor(type, options, types.slugs),
  })
}

/**
 * The type here for a type of the old site: that of `map`, that of the same name, which the import makes if need be, or a page if
 * no type can have the name.
 */
export function typeFor(type: string, { map }: ImportOptions, slugs: readonly string[]): string {
  const wanted = map?.[`type:${type}`] ?? type.toLowerCase().replaceAll('_', '-')
  return slugs.includes(wanted) || (typeForm.test(wanted) && !isReservedSlug(wanted)) ? wanted : usualType
}

const typeForm = /^[a-z][a-z0-9]{0,39}(?:-[a-z0-9]{1,39}){0,9}$/
