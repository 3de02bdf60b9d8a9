// The snippet of a search result: an extract of the text around the best match, with the places of the search's words.

import { excerptOf } from './plain-text.ts'
import { findPhrases, type Found, type Mark, toMarks } from './search-marks.ts'
import { definitionsIn } from '../entries/summary.ts'

/** Plain text, and the parts of it to mark. It is not markup, so it must be escaped. */
export interface Snippet {
  readonly text: string
  readonly marks: readonly Mark[]
}

/** The length of a snippet in UTF-16 units, without the ellipses. */
const snippetChars = 220
/** The length of the snippet before its first mark. */
const leadChars = 60

/** The sides on which plain text is a part of a longer one. */
interface Cut {
  readonly before: boolean
  readonly after: boolean
}

/** Makes a snippet of plain text on one line. Without a match it is the beginning of the text. */
export function snippetOf(text: string, phrases: readonly string[], cut: Cut = { before: false, after: false }): Snippet {
  const found = findPhrases(text, phrases)
  const first = bestOf(found, snippetChars - leadChars)
  if (!first) return { text: excerptOf(text, snippetChars), marks: [] }
  const start = wordStart(text, first.start - leadChars, first.start)
  const end = wordEnd(text, Math.max(start + snippetChars, first.end))
  const before = start > 0 || cut.before ? '…' : ''
  const shift = before.length - start
  const inside = found.filter((one) => one.start >= start && one.end <= end)
  return {
    text: `${before}${text.slice(start, end)}${end < text.length || cut.after ? '…' : ''}`,
    marks: toMarks(inside.map((one) => ({ start: one.start + shift, end: one.end + shift }))),
  }
}

/** The first place that has the most different phrases within a number of characters. */
function bestOf(found: readonly Found[], within: number): Found | undefined {
  const counts = new Map<number, number>()
  let [last, best, most] = [0, undefined as Found | undefined, 0]
  for (const [place, one] of found.entries()) {
    for (let next = found[last]; next && (last <= place || next.end <= one.start + within); next = found[last]) {
      counts.set(next.phrase, (counts.get(next.phrase) ?? 0) + 1)
      last += 1
    }
    const different = [...counts.values()].filter((count) => count > 0).length
    if (different > most || !best) [best, most] = [one, different]
    counts.set(one.phrase, (counts.get(one.phrase) ?? 0) - 1)
  }
  return best
}

/** The start of a word near a place; the place itself in a text without spaces. */
function wordStart(text: string, near: number, before: number): number {
  if (near <= 0) return 0
  const space = text.indexOf(' ', near)
  return space !== -1 && space < before ? space + 1 : wholeLetter(text, near)
}

function wordEnd(text: string, near: number): number {
  if (near >= text.length) return text.length
  const space = text.lastIndexOf(' ', near)
  return space > near - 40 ? space : wholeLetter(text, near)
}

/** The place, or the one before it if the place would split a surrogate pair. */
const wholeLetter = (text: string, place: number): number => (/[\udc00-\udfff]/.test(text.charAt(place)) ? place - 1 : place)

/** The part of a body that is searched for the snippet's place, and the part that is rendered. */
export const maxSearchedChars = 64 * 1024
const maxRenderedChars = 700
const maxCharsBefore = 250

/** A part of a body as Markdown; `before` and `after` are true if the body continues there. */
export interface BodyPart {
  readonly markdown: string
  readonly cut: Cut
}

/** The part of a body that a snippet is made from: the blocks around the best match. */
export function partForSnippet(body: string, phrases: readonly string[]): BodyPart {
  if (body.length <= maxRenderedChars) return { markdown: body, cut: { before: false, after: false } }
  const place = bestOf(findPhrases(body, phrases), snippetChars - leadChars)?.start ?? 0
  const block = body.lastIndexOf('\n\n', place)
  const wordNear = place <= maxCharsBefore ? 0 : wordStart(body, place - leadChars * 2, place)
  const start = block !== -1 && block >= place - maxCharsBefore ? block + 2 : wordNear
  const nextBlock = body.indexOf('\n\n', place + snippetChars)
  const end = nextBlock !== -1 && nextBlock < start + maxRenderedChars ? nextBlock : wordEnd(body, start + maxRenderedChars)
  const markdown = `${body.slice(start, end)}\n\n${definitionsIn(body.slice(end)).join('\n\n')}`
  return { markdown, cut: { before: start > 0, after: end < body.length } }
}
