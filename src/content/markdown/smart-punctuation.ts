// Turns typewriter punctuation into that of a language: quotation marks, apostrophes, dashes, ellipses. It takes linear time.
// markdown-it's own rule is quadratic (CVE-2026-48988).

import { narrowNoBreak, noBreak, type Typography } from './quotation-marks.ts'

/** A part of a paragraph. Only the text of parts that aren't `fixed` is changed. */
export interface Piece {
  readonly text: string
  /** Code, an address or a picture: it counts as a word next to quotation marks. */
  readonly fixed?: boolean
}

/** A character sequence to replace in a piece. */
interface Replacement {
  readonly at: number
  readonly length: number
  readonly by: string
}

/** An opening mark that waits for its closing mark. */
interface Opened {
  readonly mark: '"' | "'"
  readonly piece: number
  readonly at: number
}

const apostrophe = '’'

/** The texts of the pieces, smartened. Pieces without a change keep their text. */
export function smarten(pieces: readonly Piece[], typography: Typography): readonly string[] {
  if (!pieces.some(({ text, fixed }) => !fixed && /["'.:;!?«»-]/.test(text))) return pieces.map(({ text }) => text)
  const replaced = pieces.map((): Replacement[] => [])
  const marks = createMarks(replaced, typography)
  const firstAfter = firstCharacters(pieces)
  let before = ''
  pieces.forEach(({ text, fixed }, index) => {
    if (text === '') return
    if (!fixed) {
      for (const { 0: found, index: at } of text.matchAll(/["']|\.{2,}|-{2,}| [;!?:»]|« /g)) {
        const previous = text.charAt(at - 1) || before
        const next = text.charAt(at + found.length) || (firstAfter[index] ?? '')
        if (found === '"' || found === "'") marks.meet({ mark: found, piece: index, at }, previous, next)
        else put(replaced[index], at, found, insteadOf(found, previous, next, typography))
      }
    }
    before = fixed ? 'x' : text.charAt(text.length - 1)
  })
  marks.finish()
  return pieces.map(({ text }, index) => applied(text, replaced[index] ?? []))
}

function put(into: Replacement[] | undefined, at: number, found: string, by: string | undefined): void {
  if (by !== undefined) into?.push({ at, length: found.length, by })
}

/** Returns the replacement for dots, hyphens or a space; undefined if nothing changes. */
function insteadOf(found: string, previous: string, next: string, { spaced }: Typography): string | undefined {
  if (found.startsWith('.')) return found.length === 3 ? '…' : undefined
  if (found === '--') return isSpace(previous) === isSpace(next) ? '–' : undefined
  if (found === '---') return isSpace(previous) === isSpace(next) ? '—' : undefined
  if (found.startsWith('-') || spaced !== true) return undefined
  if (found === '« ') return `«${narrowNoBreak}`
  return (found === ' :' ? noBreak : narrowNoBreak) + found.charAt(1)
}

/** Pairs quotation marks. Each mark is examined once when it enters the stack and once when it leaves, so the time is linear. */
function createMarks(replaced: readonly Replacement[][], { double, single }: Typography) {
  const stack: Opened[] = []
  let last: Opened | undefined
  let lastOpened = false
  const open = { '"': 0, "'": 0 }
  const write = ({ piece, at }: Opened, by: string) => void replaced[piece]?.push({ at, length: 1, by })
  const pop = () => {
    const top = stack.pop()
    if (top !== undefined) open[top.mark] -= 1
    return top
  }
  /** An unclosed single mark is an apostrophe, as in ’tis. A double one stays as it was typed. */
  const leave = (opened: Opened) => opened.mark === "'" && write(opened, apostrophe)
  const close = (mark: Opened) => {
    const pair = mark.mark === '"' ? double : single
    for (let top = pop(); top !== undefined; top = pop()) {
      if (top.mark !== mark.mark) leave(top)
      else {
        write(top, pair[0])
        write(mark, pair[1])
        return
      }
    }
  }
  /** Directly after another mark, a mark opens if that one did. */
  const mayOpen = (mark: Opened, previous: string) =>
    last !== undefined && (previous === '"' || previous === "'") && last.piece === mark.piece && last.at === mark.at - 1
      ? lastOpened
      : isSpace(previous) || isOpening.test(previous)
  return {
    meet(mark: Opened, previous: string, next: string): void {
      const opens = !isSpace(next) && mayOpen(mark, previous)
      last = mark
      lastOpened = opens
      const decade = mark.mark === "'" && isDigit.test(next)
      if (opens && !decade) {
        stack.push(mark)
        open[mark.mark] += 1
      } else if (mark.mark === "'" && isWord.test(previous) && isWord.test(next)) write(mark, apostrophe)
      else if (!isSpace(previous) && open[mark.mark] > 0) close(mark)
      else if (mark.mark === "'" && !isDigit.test(previous)) write(mark, apostrophe)
    },
    finish(): void {
      for (let top = pop(); top !== undefined; top = pop()) leave(top)
    },
  }
}

const isOpening = /[([{<«„“‚‘/–—=-]/
const isDigit = /\d/
const isWord = /[\p{L}\p{N}]/u
const isSpace = (char: string): boolean => char === '' || /\s/.test(char)

/** The first character after each piece. */
function firstCharacters(pieces: readonly Piece[]): readonly string[] {
  const after = Array<string>(pieces.length).fill('')
  let next = ''
  for (let index = pieces.length - 1; index >= 0; index--) {
    after[index] = next
    const piece = pieces[index]
    if (piece !== undefined && piece.text !== '') next = piece.fixed ? 'x' : piece.text.charAt(0)
  }
  return after
}

function applied(text: string, replacements: readonly Replacement[]): string {
  if (replacements.length === 0) return text
  let result = ''
  let from = 0
  for (const { at, length, by } of replacements.toSorted((a, b) => a.at - b.at)) {
    result += text.slice(from, at) + by
    from = at + length
  }
  return result + text.slice(from)
}
