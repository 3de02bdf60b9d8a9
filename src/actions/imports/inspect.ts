import { Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { convertEntry } from '../../imports/behind/converted-entry.ts'
import { entriesIn } from '../../imports/behind/scan.ts'
import { readAddress } from '../../imports/behind/addresses.ts'
import { createTextConverter } from '../../imports/behind/text-converter.ts'
import type { ImportEntry } from '../../imports/stream.ts'
import { action, type Context } from '../call/action.ts'
import { nullable } from '../call/write-answer.ts'
import {
  oldTypesOf,
  type OpenedImport,
  planImport,
  type PreparedImport,
  prepareImport,
  typeFor,
  withImport,
} from './open-import.ts'
import { importInput, type ImportOptions, readOptions } from './options.ts'
import { own } from './own.ts'
import { reportProperties, shownReport } from './report-answer.ts'
import { noteHeld, setPaths } from './run/entries.ts'
import { fieldValuesOf } from './run/entry-fields.ts'
import { readFiles } from './run/files.ts'
import { languagesOf, planSettings, shownSetting } from './run/site-settings.ts'

/** The files of the old site that are asked for. */
const asked = 10

export const inspect = action('SVC_Import.inspect', {
  title: 'Look at an import',
  summary: 'Tells what an import would bring and what it would not, by the code that imports. Changes nothing.',
  tier: 'admin',
  effect: 'read',
  failures: ['not_found', 'unprocessable', 'unreachable', 'too_large'],
  touches: 'unlimited',
  job: true,
  input: closed(importInput),
  output: Type.Object({
    format: Type.String(),
    file: Type.String(),
    site: Type.Object({
      key: Type.String(),
      url: nullable(Type.String()),
      title: nullable(Type.String()),
      tagline: nullable(Type.String()),
      language: nullable(Type.String()),
    }),
    ...reportProperties,
    types: Type.Array(Type.Object({ type: Type.String(), count: Type.Integer(), becomes: Type.String() })),
    media: Type.Object({
      count: Type.Integer(),
      in_files: Type.Integer(),
      bytes: Type.Integer({ description: 'Of those in the files.' }),
      elsewhere: Type.Integer({ description: 'Only on the old site.' }),
      asked: Type.Integer({ description: 'The number of those that were asked for on the old site.' }),
      reachable: Type.Integer(),
    }),
    time_zone: Type.Object({
      used: Type.String(),
      question: Type.Boolean({ description: 'Whether some times depend on it. Then give `time_zone`.' }),
      commonest_offset: nullable(
        Type.String(),
        'The commonest offset from UTC of the times that the file has twice, such as `+01:00`.',
      ),
    }),
    known: Type.Integer({ description: 'Entries of the old site that an earlier import has brought.' }),
  }),
  examples: [{ title: 'The file that was uploaded last', input: { file: 'latest' } }],
  run: (context, options) =>
    withImport(context, options, async (opened) =>
      opened.format.isOwn ? (await own()).inspectedOwn(context, opened, options) : inspectAll(context, opened, options),
    ),
})

async function inspectAll(context: Context, opened: OpenedImport, options: ImportOptions) {
  const { site, progress } = context
  const prepared = await prepareImport(context, opened, options, '')
  const { scanned, items, book, report, zone } = prepared
  const { taken, left } = await planSettings(site.store.read, { scanned, items, options })
  for (const [setting, value] of taken) report.setting(setting, shownSetting(value))
  for (const { key: setting, value, why } of left) report.loss('setting', `${setting} ${JSON.stringify(value)}`, why)
  const places = await planImport(context, { ...prepared, ...opened }, options, report, languagesOf(taken))
  await readFiles({ context, items, book, scanned })
  await setPaths(book, scanned, places)
  for (const term of scanned.terms.values())
    for (const address of term.addresses) book.setPath(address, `/${term.taxonomy}/${term.slug}`)
  const converter = createTextConverter(site.log)
  let local = 0
  let done = 0
  try {
    let batch: ImportEntry[] = []
    const flush = async () => {
      await Promise.all(batch.map((entry) => convertEntry(entry, { book, converter, report })))
      for (const entry of batch) {
        const type = places.get(entry.id)?.type ?? entry.type
        await fieldValuesOf({ db: site.store.read, types: site.types.current, options, book, items, zone, report }, entry, type)
      }
      done += batch.length
      progress?.({ done, total: scanned.entries.size, note: 'texts' })
      batch = []
    }
    for await (const part of entriesIn(opened.format.read(opened.files, readOptions(options, context.signal)), scanned)) {
      if ([part.publishedAt, part.updatedAt].some((time) => time !== undefined && 'local' in time)) local++
      if (part.status === 'held') noteHeld(report, part)
      batch.push(part)
      if (batch.length >= 100) await flush()
    }
    await flush()
  } finally {
    await converter.close()
  }
  const { key, url = null, title = null, tagline = null, language = null, offsetMinutes } = scanned.site
  return {
    format: opened.format.name,
    file: opened.files.name,
    site: { key, url, title, tagline, language },
    ...shownReport(report.data()),
    types: oldTypesOf(scanned).map(({ type, count }) => {
      return { type, count, becomes: typeFor(type, options, site.types.current.slugs) }
    }),
    media: await mediaOf(context, opened, prepared),
    time_zone: {
      used: zone,
      question: local > 0 && options.time_zone === undefined && scanned.site.timeZone === undefined,
      commonest_offset: offsetMinutes === undefined ? null : offsetText(offsetMinutes),
    },
    known: items.count('entry'),
  }
}

async function mediaOf({ site, signal }: Context, { files }: OpenedImport, { scanned, book }: PreparedImport) {
  const elsewhere: { readonly address: string }[] = []
  let inFiles = 0
  let bytes = 0
  for (const { id, path, address } of scanned.media.values()) {
    const size = path === undefined ? undefined : files.sizes.get(path)
    if (size === undefined) {
      if (!book.fileOf(id)) elsewhere.push({ address })
      continue
    }
    inFiles++
    bytes += size
  }
  const step = Math.max(1, Math.floor(elsewhere.length / asked))
  const sample = elsewhere.filter((_media, at) => at % step === 0).slice(0, asked)
  const urls = sample.flatMap(({ address }) => readAddress(address, book.site)?.url ?? [])
  let reachable = 0
  for (const url of urls) {
    const answer = await site.outbound.fetch(url, { method: 'HEAD', timeoutMs: 5000, signal }).catch(() => undefined)
    if (answer?.status === 200) reachable++
    else if (answer === undefined && reachable === 0) break
  }
  return { count: scanned.media.size, in_files: inFiles, bytes, elsewhere: elsewhere.length, asked: urls.length, reachable }
}

function offsetText(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}
