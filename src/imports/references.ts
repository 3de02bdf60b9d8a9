// References between the files of an import: relative paths, paths from the root of a site, and names of notes.

import { posix } from 'node:path'
import { createTurns } from './behind/turns.ts'

/**
 * Finds the file of the import that a reference means.
 * @param from the path of the file in which the reference stands
 */
export type References = (from: string, reference: string) => string | undefined

/** Folders whose content a generator copies to the root of the site. */
const rootFolders: readonly string[] = ['static', 'public', 'assets', 'src', 'content', 'src/content', 'docs', '_posts']

const endings: readonly string[] = ['', '.md', '.markdown', '.mdx', '/index.md', '/_index.md', '/README.md', '.html']

export async function createReferences(paths: Iterable<string>): Promise<References> {
  const all = new Set(paths)
  const byName = new Map<string, string[]>()
  const turn = createTurns()
  for (const path of all) {
    await turn()
    for (const name of namesOf(path)) {
      const named = byName.get(name)
      if (named) named.push(path)
      else byName.set(name, [path])
    }
  }
  const findAt = (path: string, language: string | undefined) =>
    [...inLanguage(path, language), ...endings.map((ending) => path + ending)].find((one) => all.has(one))
  return (from, reference) => {
    const wanted = toPath(reference)
    if (wanted === '') return undefined
    const isRooted = wanted.startsWith('/')
    const relative = isRooted ? wanted.slice(1) : posix.join(posix.dirname(from), wanted)
    const fromRoot = posix.normalize(wanted).replace(/^\/+/, '')
    const places = [relative, fromRoot, ...rootFolders.map((folder) => `${folder}/${fromRoot}`)]
    const found = places
      .filter((place) => !place.startsWith('..'))
      .map((place) => findAt(place, languageOf(from)))
      .find((path) => path !== undefined)
    return found ?? nearest(from, byName.get(keyOf(fromRoot)) ?? [])
  }
}

/** The language in the name of a file, as of `about.de.md`. */
const languageOf = (path: string): string | undefined => /\.([a-z]{2,3}(?:-[a-z]{2})?)\.(?:md|markdown|mdx)$/i.exec(path)?.[1]

/** The paths of a file in a language: a reference names it without the language, as Hugo reads it. */
function inLanguage(path: string, language: string | undefined): readonly string[] {
  if (language === undefined) return []
  const stem = path.replace(/\.(?:md|markdown|mdx)$/i, '')
  return ['', '/index', '/_index'].map((name) => `${stem}${name}.${language}.md`)
}

/** The names by which notes find a file: its own, and that with the folders above it, each with and without its ending. */
function namesOf(path: string): readonly string[] {
  const parts = path.split('/')
  const tails = parts.slice(-3).map((_, at, last) => last.slice(at).join('/'))
  return [...new Set(tails.flatMap((tail) => [keyOf(tail), keyOf(tail.replace(/\.\w{1,8}$/, ''))]))]
}

const keyOf = (name: string): string => name.normalize('NFC').toLowerCase()

/** Returns the file that shares most folders with another, as Obsidian does. */
function nearest(from: string, paths: readonly string[]): string | undefined {
  const shared = (path: string): number => {
    const [one, other] = [posix.dirname(from).split('/'), posix.dirname(path).split('/')]
    const differs = one.findIndex((part, at) => part !== other[at])
    return differs < 0 ? one.length : differs
  }
  return paths.toSorted((one, other) => shared(other) - shared(one) || one.length - other.length)[0]
}

/** The path of a reference, without its query and fragment; empty for an address of another site. */
function toPath(reference: string): string {
  if (/^(?:[a-z][a-z+.-]*:|\/\/|#)/i.test(reference)) return ''
  const path = reference
    .replace(/^@\//, '/content/')
    .replace(/[?#].*$/s, '')
    .trim()
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
