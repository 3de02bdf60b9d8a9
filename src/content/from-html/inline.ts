// A paragraph as Markdown: pieces of text with marks, code, pictures and line breaks become one text, with as few marks as say
// the same.

import { codeSpan } from './code.ts'
import { emphasized, type Nested } from './emphasis.ts'
import { bracket, findEscapes, other } from './escape.ts'
import type { TextMark, TextMarks } from './marks.ts'

/** A piece of a paragraph. Code, pictures and notes are Markdown already. `code` is the text of code. */
export type InlinePiece =
  | { readonly kind: 'text'; readonly text: string; readonly marks: TextMarks }
  | { readonly kind: 'made'; readonly markdown: string; readonly marks: TextMarks; readonly code?: string }
  | { readonly kind: 'break' }

type Marked = Exclude<InlinePiece, { kind: 'break' }>

/** A line break in Markdown: a backslash at the end of the line, as the editor writes it. */
export const hardBreak = '\\\n'

/** Splits pieces into paragraphs, at two line breaks in a row, with the white space that a page would show. */
export function paragraphsOf(pieces: readonly InlinePiece[]): readonly (readonly InlinePiece[])[] {
  const all: InlinePiece[][] = [[]]
  let breaks = 0
  let hasSpace = false
  const add = (piece: Marked): void => {
    const paragraph = all.at(-1) ?? []
    const whole = breaks === 0 && !hasSpace ? withCode(paragraph.at(-1), piece) : undefined
    if (whole) paragraph[paragraph.length - 1] = whole
    else if (breaks > 1 && paragraph.length > 0) all.push([piece])
    else {
      if (breaks === 1 && paragraph.length > 0) paragraph.push({ kind: 'break' })
      else if (hasSpace && breaks === 0) addSpace(paragraph, piece.marks)
      paragraph.push(piece)
    }
    breaks = 0
    hasSpace = false
  }
  for (const piece of pieces) {
    if (piece.kind === 'break') breaks++
    else if (piece.kind === 'made') add(piece)
    else {
      const { before, core, after } = trimmed(piece.text)
      hasSpace ||= before
      if (core !== '') {
        add({ ...piece, text: core })
        hasSpace = after
      }
    }
  }
  return all.filter((paragraph) => paragraph.length > 0)
}

/** Joins two pieces of code without anything between them, which Markdown could not tell apart. */
function withCode(last: InlinePiece | undefined, piece: Marked): InlinePiece | undefined {
  if (last?.kind !== 'made' || piece.kind !== 'made' || last.code === undefined || piece.code === undefined) return undefined
  const isSame = last.marks.length === piece.marks.length && last.marks.every((mark, index) => mark === piece.marks[index])
  return isSame ? codePiece(last.code + piece.code, piece.marks) : undefined
}

/** Code within a line. */
export const codePiece = (code: string, marks: TextMarks): InlinePiece => ({
  kind: 'made',
  markdown: codeSpan(code),
  marks,
  code,
})

interface Trimmed {
  readonly before: boolean
  readonly core: string
  readonly after: boolean
}

const invisible = /[\u200b\u2060\ufeff\ufff9-\ufffc]/g

/** Collapses white space. A no-break space counts only between two words. */
function trimmed(text: string): Trimmed {
  const plain = text.replace(invisible, '').replace(/[ \t\n\r\f\u00a0]+/g, (run) => (run === '\u00a0' ? run : ' '))
  const isEdge = (character: string): boolean => character === ' ' || character === '\u00a0'
  const before = isEdge(plain.charAt(0))
  const after = isEdge(plain.charAt(plain.length - 1))
  return { before, core: plain.slice(before ? 1 : 0, after && plain.length > 1 ? -1 : undefined), after }
}

/** A space has only the marks that are on both of its sides. */
function addSpace(paragraph: InlinePiece[], next: TextMarks): void {
  const last = paragraph.at(-1)
  if (last === undefined || last.kind === 'break') return
  paragraph.push({ kind: 'text', text: ' ', marks: last.marks.filter((mark) => next.includes(mark)) })
}

/** Writes one paragraph. @param lineBreak what stands for a line break: nothing in a heading, `<br>` in a table */
export function inlineMarkdown(paragraph: readonly InlinePiece[], lineBreak = hardBreak): string {
  const isHardBreak = lineBreak === hardBreak
  const { text, starts } = plainOf(paragraph, isHardBreak)
  const isEmphasis = ({ kind }: TextMark): boolean => kind !== 'link' && kind !== 'tag'
  const marksAt = new Map(paragraph.map((piece, index) => [starts[index] ?? 0, piece.kind === 'break' ? [] : piece.marks]))
  const linked = paragraph.flatMap((piece, index) =>
    piece.kind === 'text' && piece.marks[0]?.kind === 'link'
      ? [[starts[index] ?? 0, (starts[index] ?? 0) + piece.text.length] as const]
      : [],
  )
  const around = {
    hasMarks: paragraph.some((piece) => piece.kind !== 'break' && piece.marks.some(isEmphasis)),
    hasCode: paragraph.some((piece) => piece.kind === 'made' && piece.markdown.startsWith('`')),
    isLinked: rangeTest(linked),
  }
  const escapes = findEscapes(text, around, (place) => marksAt.get(place)?.length === 0 && text.charAt(place) !== other)
  const nested = paragraph.map((piece, index): Nested & { readonly marks: TextMarks } => {
    if (piece.kind === 'break') return { kind: 'text', text: lineBreak, plain: '\n', marks: sharedMarks(paragraph, index) }
    if (piece.kind === 'made') return { kind: 'text', text: piece.markdown, plain: other, marks: piece.marks }
    return { kind: 'text', text: escaped(piece.text, starts[index] ?? 0, escapes), plain: piece.text, marks: piece.marks }
  })
  return emphasized(nested)
}

/** Returns a test for places in ranges that are in order. Places must be asked in order, too. */
function rangeTest(ranges: readonly (readonly [from: number, to: number])[]): (place: number) => boolean {
  let next = 0
  return (place) => {
    while (next < ranges.length && place >= (ranges[next]?.[1] ?? 0)) next++
    return place >= (ranges[next]?.[0] ?? Infinity)
  }
}

function sharedMarks(paragraph: readonly InlinePiece[], index: number): TextMarks {
  const [before, after] = [paragraph[index - 1], paragraph[index + 1]]
  if (!before || !after || before.kind === 'break' || after.kind === 'break') return []
  return before.marks.filter((mark) => after.marks.includes(mark))
}

/** The text of a paragraph with signs for all that isn't text, and the place of each piece in it. */
function plainOf(
  paragraph: readonly InlinePiece[],
  hasLines: boolean,
): { readonly text: string; readonly starts: readonly number[] } {
  const parts: string[] = []
  const starts: number[] = []
  let length = 0
  let marks: TextMarks = []
  const put = (part: string): void => {
    parts.push(part)
    length += part.length
  }
  for (const piece of paragraph) {
    if (piece.kind === 'break') {
      starts.push(length)
      put(hasLines ? '\n' : ' ')
      continue
    }
    const changes = piece.marks.length !== marks.length || piece.marks.some((mark, index) => mark !== marks[index])
    const opensLink = piece.marks[0]?.kind === 'link' && piece.marks[0] !== marks[0]
    // At the beginning of a line a sign would hide the text from the rules for lines; they ask for the marks.
    if (changes && length > 0 && parts.at(-1) !== '\n') put(opensLink ? bracket : other)
    marks = piece.marks
    starts.push(length)
    put(piece.kind === 'text' ? piece.text : /^!?\[/.test(piece.markdown) ? bracket : other)
  }
  return { text: parts.join(''), starts }
}

function escaped(text: string, start: number, escapes: ReadonlySet<number>): string {
  let result = ''
  for (let place = 0; place < text.length; place++) result += (escapes.has(start + place) ? '\\' : '') + text.charAt(place)
  return result
}
