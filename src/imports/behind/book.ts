// The book of an import: the pages and files of the old site on this site, by their old addresses and ids.

import { PackedMap } from '../../base/packed-map.ts'
import { createReferences } from '../references.ts'
import type { ImportEntry } from '../stream.ts'
import type { ImportText, TextAnswers, TextFile, TextReferences } from '../text.ts'
import { fileNames, type OldSite, type ReadAddress, readAddress } from './addresses.ts'
import type { Scan } from './scan.ts'
import { createTurns } from './turns.ts'

/** The targets of a text that this site does not have. */
export interface Missing {
  /** Links to pages of the old site that the import doesn't have. */
  readonly links: readonly string[]
  /** The ids of media of the import whose files have not arrived yet. */
  readonly media: readonly string[]
  /** Addresses of files of the old site that no part describes. */
  readonly files: readonly string[]
}

export interface Book {
  readonly site: OldSite
  /** Notes the path of an entry or term. The first one of an address stays. */
  setPath(address: string, path: string): void
  /** The path here of an entry, term or file at an address of the old site. */
  pathOf(address: string): string | undefined
  /** Notes a file at an address that no part of the import describes. */
  addFile(id: string, address: string): void
  /** Notes a file that has arrived. */
  setFile(id: string, file: TextFile): void
  /** The id of the file at an address; undefined if no part of the import describes it. */
  fileAt(address: ReadAddress): string | undefined
  fileOf(id: string): TextFile | undefined
  /** A text that stands in others, such as a reusable block. */
  snippet(id: string): ImportText | undefined
  /** Answers the references of the text of an entry. Galleries without a list show the files that were uploaded to the entry. */
  answer(
    references: TextReferences,
    entry: Pick<ImportEntry, 'id' | 'title' | 'file' | 'footnotes'>,
  ): { answers: TextAnswers; missing: Missing }
}

/** @param scanned what the import has @param site the old site */
export async function createBook(scanned: Scan, site: OldSite): Promise<Book> {
  const paths = new PackedMap<string>()
  const files = new PackedMap<TextFile>()
  const idsByFile = new PackedMap<string>()
  const ownFiles = new Map<string, OwnFile[]>()
  const turn = createTurns()
  for (const { id, address, parent, position = 0 } of scanned.media.values()) {
    await turn()
    const read = readAddress(address, site)
    if (read) idsByFile.set(read.file, id)
    if (parent === undefined) continue
    const own = ownFiles.get(parent)
    if (own) own.push({ id, position })
    else ownFiles.set(parent, [{ id, position }])
  }
  for (const list of ownFiles.values()) list.sort((a, b) => a.position - b.position)
  const fileAt = (read: ReadAddress): string | undefined => {
    for (const name of fileNames(read.file)) {
      const id = idsByFile.get(name)
      if (id !== undefined) return id
    }
    return undefined
  }
  const findNamed = await createFileSearch(scanned)
  // The home page is here, whether the import has one or not.
  const pagePath = ({ key, isOwn }: ReadAddress): string | undefined => paths.get(key) ?? (isOwn && key === '/' ? '/' : undefined)
  return {
    site,
    setPath(address, path) {
      const read = readAddress(address, site)
      if (read?.isOwn && !paths.has(read.key)) paths.set(read.key, path)
    },
    pathOf(address) {
      const read = readAddress(address, site)
      if (!read) return undefined
      const id = fileAt(read)
      return id === undefined ? paths.get(read.key) : files.get(id)?.path
    },
    addFile(id, address) {
      const read = readAddress(address, site)
      if (read && !idsByFile.has(read.file)) idsByFile.set(read.file, id)
    },
    setFile: (id, file) => void files.set(id, file),
    fileAt,
    fileOf: (id) => files.get(id),
    snippet: (id) => scanned.snippets.get(id),
    answer(references, { id: entryId, title, file: fromFile, footnotes = {} }) {
      const addresses = new Map<string, string>()
      const links: string[] = []
      const media = new Set<string>()
      const unlisted: string[] = []
      const shown = new Map<string, TextFile>()
      const show = (id: string): TextFile | undefined => {
        const file = files.get(id)
        if (file) shown.set(id, file)
        else if (scanned.media.has(id)) media.add(id)
        return file
      }
      for (const written of references.addresses) {
        const named = fromFile === undefined ? undefined : findNamed(fromFile, written)
        const read = readAddress(named ?? written, site)
        if (!read) continue
        const id = fileAt(read)
        const path = id === undefined ? pagePath(read) : show(id)?.path
        if (path !== undefined) addresses.set(written, path)
        else if (id === undefined && read.isOwn && read.isFile) unlisted.push(read.url)
        else if (id === undefined && read.isOwn) links.push(written)
      }
      for (const id of references.files) show(id)
      const own = (ownFiles.get(entryId) ?? []).flatMap(({ id }) => show(id) ?? [])
      const entries = new Map(references.entries.flatMap((id) => pairOf(scanned.snippets.get(id), id)))
      return {
        answers: { title, addresses, files: shown, ownFiles: own, entries, footnotes: new Map(Object.entries(footnotes)) },
        missing: { links, media: [...media], files: unlisted },
      }
    },
  }
}

/** A file of an entry, whose galleries without a list show it. */
interface OwnFile {
  readonly id: string
  readonly position: number
}

/** Returns a search for the address of a file or entry that a text names by a path, or by the name of a note. */
async function createFileSearch({ origins, media }: Scan): Promise<(from: string, reference: string) => string | undefined> {
  const addresses = new PackedMap<string>()
  const turn = createTurns()
  for (const { path, address } of media.values()) {
    await turn()
    if (path !== undefined) addresses.set(path, address)
  }
  for (const { file, addresses: known } of origins.values()) {
    await turn()
    if (file !== undefined && known[0] !== undefined) addresses.set(file, known[0])
  }
  const find = await createReferences(addresses.keys())
  return (from, reference) => addresses.get(find(from, reference) ?? '')
}

const pairOf = <T>(text: T | undefined, id: string): [string, T][] => (text === undefined ? [] : [[id, text]])
