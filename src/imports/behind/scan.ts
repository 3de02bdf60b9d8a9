// The first reading of an import: everything but the texts, so that links, terms, authors and parents are known before the first
// entry is written. `inspect` and `run` both begin with it.

import { PackedMap, type ReadonlyPackedMap } from '../../base/packed-map.ts'
import { typesThat } from '../../content/types/entry-types.ts'
import type { ImportFormat, ReadOptions } from '../import-format.ts'
import type { SourceFiles } from '../source-files.ts'
import type {
  ImportAuthor,
  ImportEntry,
  ImportMedia,
  ImportMenu,
  ImportPart,
  ImportRedirect,
  ImportSite,
  ImportTerm,
} from '../stream.ts'
import type { ImportText } from '../text.ts'
import { detached } from './detached.ts'
import { Report } from './report.ts'
import { createTurns } from './turns.ts'

/** The most characters of reusable texts, and the most rules, that are held. */
const maxSnippetChars = 8 * 1024 ** 2
const maxRules = 20_000

/** The place of an entry among others. All of a run needs it. */
export type EntryFacts = Pick<ImportEntry, 'id' | 'type' | 'parent' | 'translations'> & {
  /** The number of entries above it. */
  readonly depth: number
}

/** The facts of an entry by which its path is planned and its old addresses are known. Nothing needs them later. */
export type EntryOrigin = Pick<ImportEntry, 'slug' | 'path' | 'language' | 'addresses' | 'file'> & { readonly title: string }

const factMembers = Object.keys({
  id: 0,
  type: 0,
  depth: 0,
  parent: 0,
  translations: 0,
} satisfies Record<keyof EntryFacts, 0>) as (keyof EntryFacts)[]

const originMembers = Object.keys({
  title: 0,
  addresses: 0,
  slug: 0,
  language: 0,
  path: 0,
  file: 0,
} satisfies Record<keyof EntryOrigin, 0>) as (keyof EntryOrigin)[]

export interface Scan {
  readonly site: ImportSite
  /** The address of the old site, and every other that its parts name. */
  readonly urls: readonly string[]
  readonly authors: ReadonlyMap<string, ImportAuthor>
  /** By taxonomy and slug. */
  readonly terms: ReadonlyMap<string, ImportTerm>
  readonly entries: ReadonlyPackedMap<EntryFacts>
  /** By the ids of entries. It is emptied once the paths are planned: it has most of the bytes of a scan. */
  readonly origins: PackedMap<EntryOrigin>
  /** The numbers, in the order of the files, of entries whose id an earlier one has. They don't count. */
  readonly repeated: ReadonlySet<number>
  readonly media: ReadonlyPackedMap<ImportMedia>
  readonly menus: readonly ImportMenu[]
  readonly redirects: readonly ImportRedirect[]
  readonly snippets: ReadonlyMap<string, ImportText>
  /** The greatest depth of an entry. */
  readonly depth: number
  /** Counts and losses of the reader. */
  readonly report: Report
}

export const termKey = ({ taxonomy, slug }: Pick<ImportTerm, 'taxonomy' | 'slug'>): string => `${taxonomy}/${slug}`

export async function scan(
  format: ImportFormat,
  files: SourceFiles,
  options: ReadOptions,
  onProgress: (done: number) => void = () => undefined,
): Promise<Scan> {
  const report = new Report()
  const authors = new Map<string, ImportAuthor>()
  const terms = new Map<string, ImportTerm>()
  const entries = new PackedMap<EntryFacts>(factMembers)
  const origins = new PackedMap<EntryOrigin>(originMembers)
  const repeated = new Set<number>()
  let entriesRead = 0
  const media = new PackedMap<ImportMedia>()
  const menus: ImportMenu[] = []
  const redirects: ImportRedirect[] = []
  const snippets = new Map<string, ImportText>()
  const urls = new Set<string>()
  let site: ImportSite | undefined
  let snippetChars = 0
  let read = 0
  const turn = createTurns()

  /** Makes the terms and the author that only an entry names. */
  const mentionOf = ({ terms: named, author }: ImportEntry) => {
    for (const ref of named) {
      const key = termKey(ref)
      if (!terms.has(key)) terms.set(...keyed(key, { kind: 'term' as const, ...ref, addresses: [] }))
    }
    if (author !== undefined && !authors.has(author))
      authors.set(...keyed(author, { kind: 'author' as const, id: author, name: author, addresses: [] }))
  }
  for await (const part of format.read(files, options)) {
    read++
    await turn()
    if (read % 500 === 0) {
      options.signal.throwIfAborted()
      onProgress(read)
    }
    switch (part.kind) {
      case 'site':
        site = mergedSite(site, detached(part))
        if (part.url !== undefined) urls.add(detached(part.url))
        break
      case 'author':
        authors.set(...keyed(part.id, part))
        break
      case 'term':
        terms.set(...keyed(termKey(part), part))
        break
      case 'entry':
        if (noteEntry({ entries, origins, report }, part)) mentionOf(part)
        else repeated.add(entriesRead)
        entriesRead++
        break
      case 'snippet':
        if (snippetChars + part.text.source.length > maxSnippetChars)
          report.loss('text', part.id, 'there are more than 8 MiB of reusable texts')
        else {
          snippetChars += part.text.source.length
          snippets.set(...keyed(part.id, part.text))
        }
        break
      case 'media':
        media.set(part.id, part)
        break
      case 'menu':
        menus.push(detached(part))
        break
      case 'redirect':
        if (redirects.length < maxRules) redirects.push(detached(part))
        else report.loss('redirect', part.source, 'the import takes 20,000 rules')
        break
      case 'comment':
        report.count('comments')
        break
      case 'member':
        report.count('members')
        break
      case 'loss':
        report.loss(part.group, part.name, part.reason, part.where)
        break
    }
  }
  for (const { path, reason } of files.leftOut) report.loss('file', path, reason)
  const depth = await measureDepths({ entries, origins, report })
  for (const [name, count] of [
    ['authors', authors.size],
    ['terms', terms.size],
    ['media', media.size],
    ['menus', menus.length],
    ['redirects', redirects.length],
  ] as const)
    report.count(name, count)
  const known = site ?? { kind: 'site' as const, key: files.name }
  const lists = { authors, terms, entries, origins, repeated, media, menus, redirects, snippets }
  return { site: known, urls: [...urls], ...lists, depth, report }
}

/** Yields the entries of a further reading, without those that don't count. */
export async function* entriesIn(
  parts: AsyncIterable<ImportPart>,
  { repeated }: Pick<Scan, 'repeated'>,
): AsyncGenerator<ImportEntry> {
  const turn = createTurns()
  let number = 0
  for await (const part of parts) {
    await turn()
    if (part.kind === 'entry' && !repeated.has(number++)) yield part
  }
}

/** Returns a key and a value that hold no piece of the file. */
const keyed = <T>(key: string, value: T): [string, T] => [detached(key), detached(value)]

/** The first file of several decides; later ones add what it lacks. */
function mergedSite(first: ImportSite | undefined, next: ImportSite): ImportSite {
  if (!first) return next
  const given = Object.entries(first).filter(([, value]) => value !== undefined)
  return { ...next, ...(Object.fromEntries(given) as Partial<ImportSite>) }
}

interface Noted {
  readonly entries: PackedMap<EntryFacts>
  readonly origins: PackedMap<EntryOrigin>
  readonly report: Report
}

/** @returns false for an entry that does not count, because its id was there before */
function noteEntry({ entries, origins, report }: Noted, entry: ImportEntry): boolean {
  const { id, type, status, slug, path, parent, language, translations, addresses, title, author, file, metaKeys = [] } = entry
  if (entries.has(id)) {
    report.loss('entry', id, 'another entry of the import has the same id, and the first one counts', title)
    return false
  }
  entries.set(id, { id, type, depth: 0, parent, translations })
  const shortTitle = title.slice(0, 120).toWellFormed()
  origins.set(id, { title: shortTitle, addresses: [...new Set(addresses)], slug, language, path, file })
  report.count('entries')
  report.count(`type.${type}`)
  report.count(`status.${status}`)
  if (language !== undefined) report.count(`language.${language}`)
  if (author !== undefined) report.count(`author.${author}`)
  for (const key of metaKeys) report.construct('meta', key, addresses[0] ?? title)
  return true
}

/** Sets the depth of each entry below another, and returns the greatest one. An entry whose parents form a loop goes to the top. */
async function measureDepths({ entries, origins, report }: Noted): Promise<number> {
  const depths = new Map<string, number>()
  const turn = createTurns()
  for (const entry of entries.values()) {
    await turn()
    if (entry.parent === undefined) continue
    const above = new Set([entry.id])
    let depth = 0
    for (let at = parentOf(entries, entry); at; at = parentOf(entries, at)) {
      if (above.has(at.id) || depth >= maxDepth) {
        const { title = entry.id } = origins.get(entry.id) ?? {}
        report.loss('entry', title, 'its parents form a loop or are more than 18 levels deep; it was imported at the top level')
        depth = -1
        break
      }
      above.add(at.id)
      depth++
    }
    if (depth > 0) depths.set(entry.id, depth)
  }
  let deepest = 0
  for (const [id, depth] of depths) {
    const entry = entries.get(id)
    if (entry) entries.set(id, { ...entry, depth })
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

const maxDepth = 18

const withParents = typesThat('hierarchical')

/** The entry above another, if it is of a type that has parents. */
export function parentOf(
  entries: Pick<ReadonlyPackedMap<EntryFacts>, 'get'>,
  { parent, type, id }: EntryFacts,
): EntryFacts | undefined {
  if (parent === undefined || parent === id || !withParents.includes(type)) return undefined
  const found = entries.get(parent)
  return found && withParents.includes(found.type) ? found : undefined
}
