// Finds words in the files of themes: of the active theme, and of those that the owner made. The work is bounded.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../store/core/database.ts'
import { isBinary } from './theme-path.ts'
import { findActive, findTheme, listThemes } from './theme-store.ts'

/** The most characters of files that are read, and after how many others get a turn. */
const maxChars = 12_000_000
const turnChars = 500_000
/** The longest part of a line that is shown. */
const maxShownChars = 160

/** A file with all words in one line. */
export interface FoundThemeFile {
  readonly theme: string
  readonly path: string
  /** The first such line, counted from 1, and its text. */
  readonly line: number
  readonly text: string
}

/**
 * The files in which one line contains all words, in any case: those of the active theme first, by their paths.
 * @param most the number after which the search ends
 */
export async function searchThemeFiles(db: Db, words: readonly string[], most: number): Promise<readonly FoundThemeFile[]> {
  const active = await findActive(db)
  const own = (await listThemes(db)).filter(({ row }) => row !== undefined).map(({ slug }) => slug)
  const folded = words.map((word) => word.toLowerCase())
  const found: FoundThemeFile[] = []
  let [chars, sinceTurn] = [0, 0]
  for (const slug of new Set([active, ...own])) {
    const theme = await findTheme(db, slug)
    const files = slug === active ? theme?.files : theme?.own
    for (const [path, text] of [...(files ?? [])].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      chars += text.length
      sinceTurn += text.length
      if (chars > maxChars || found.length >= most) return found
      if (sinceTurn > turnChars) {
        await nextTurn()
        sinceTurn = 0
      }
      const hit = isBinary(path) ? undefined : firstLine(text, folded)
      if (hit) found.push({ theme: slug, path, ...hit })
    }
  }
  return found
}

/** The first line with all words; undefined if there is none. @param words in lower case */
function firstLine(text: string, words: readonly string[]): { readonly line: number; readonly text: string } | undefined {
  const whole = text.toLowerCase()
  if (!words.every((word) => whole.includes(word))) return undefined
  const lines = text.split('\n')
  const index = lines.findIndex((line) => words.every((word) => line.toLowerCase().includes(word)))
  const line = lines[index]
  if (line === undefined) return undefined
  return { line: index + 1, text: partAround(line, line.toLowerCase().indexOf(words[0] ?? '')) }
}

/** The part of a line around a place, for an answer. */
export function partAround(line: string, at: number): string {
  if (line.length <= maxShownChars) return line.trim()
  const from = Math.max(0, at - maxShownChars / 4)
  return `${from > 0 ? '…' : ''}${line
    .slice(from, from + maxShownChars)
    .trim()
    .toWellFormed()}…`
}
