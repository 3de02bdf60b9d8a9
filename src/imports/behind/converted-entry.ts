// Converts the text of an entry, with the answers of the book. `inspect` and `run` both use this, so that what is counted is what
// comes.

import { Failure } from '../../base/failure.ts'
import { maxBodyBytes } from '../../content/entries/entry-text.ts'
import type { ImportEntry } from '../stream.ts'
import type { ImportText, TextReferences } from '../text.ts'
import type { Book, Missing } from './book.ts'
import type { Report } from './report.ts'
import type { TextConverter } from './text-converter.ts'

export interface ConvertedEntry {
  readonly entry: ImportEntry
  readonly markdown: string
  readonly excerpt: string | undefined
  readonly missing: Missing
  /** True if the text could not be converted and stands there as it is written. */
  readonly isRaw: boolean
}

/** Converts an entry. @param report takes the losses of its text; undefined if they are known already */
export async function convertEntry(
  entry: ImportEntry,
  { book, converter, report }: { readonly book: Book; readonly converter: TextConverter; readonly report: Report | undefined },
): Promise<ConvertedEntry> {
  const where = entry.addresses[0] ?? entry.title
  try {
    const references = await allReferences(entry.text, book, converter)
    const { answers, missing } = book.answer(references, entry)
    const { markdown, excerpt, losses, constructs } = await converter.convert(entry.text, answers)
    for (const { group, name, reason } of losses) report?.loss(group, name, reason, where)
    for (const { group, name, count } of constructs) report?.construct(group, name, where, count)
    for (const link of missing.links) report?.link(link, where)
    if (Buffer.byteLength(markdown) <= maxBodyBytes) return { entry, markdown, excerpt, missing, isRaw: false }
    report?.loss('text', entry.title, 'the text is longer than 2 MiB, and its end is left out', where)
    return { entry, markdown: cutBytes(markdown), excerpt, missing, isRaw: false }
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'unprocessable') throw error
    report?.loss('text', entry.title, `${error.message}; it is kept as it was written, as a draft`, where)
    const fence = '`'.repeat(Math.max(3, longestRun(entry.text.source) + 1))
    const source = cutBytes(entry.text.source.replaceAll('\0', ''))
    return { entry, markdown: `${fence}\n${source}\n${fence}`, excerpt: undefined, missing: nothing, isRaw: true }
  }
}

/** The references of a text and of the texts that stand in it. */
async function allReferences(text: ImportText, book: Book, converter: TextConverter): Promise<TextReferences> {
  const all = { addresses: new Set<string>(), files: new Set<string>(), entries: new Set<string>() }
  let texts: readonly ImportText[] = [text]
  for (let depth = 0; texts.length > 0 && depth < maxInlined; depth++) {
    const within: string[] = []
    for (const one of texts) {
      const { addresses, files, entries } = await converter.references(one)
      for (const address of addresses) all.addresses.add(address)
      for (const file of files) all.files.add(file)
      within.push(...entries.filter((id) => !all.entries.has(id)))
      for (const id of entries) all.entries.add(id)
    }
    texts = within.flatMap((id) => book.snippet(id) ?? [])
  }
  return { addresses: [...all.addresses], files: [...all.files], entries: [...all.entries] }
}

/** Texts in one another, beyond which their references are not looked for. */
const maxInlined = 5

const nothing: Missing = { links: [], media: [], files: [] }

const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`{3,1000}/g)].map(([run]) => run.length))

/** Cuts a text to the size of a body, with room for a fence. */
const cutBytes = (text: string): string =>
  Buffer.byteLength(text) <= maxBodyBytes - 4096
    ? text
    : Buffer.from(text)
        .subarray(0, maxBodyBytes - 4096)
        .toString('utf8')
        .replace(/\ufffd{1,3}$/, '')
