// Nested marks as Markdown. A mark that Markdown would not read where it stands, such as bold within a word after a comma, is
// written as its HTML element.

import type { TextMark, TextMarks } from './marks.ts'
import { linkMarkdown } from './links.ts'

/** A text that is Markdown already. `plain` is the text as people read it. */
export interface Nested {
  readonly kind: 'text'
  readonly text: string
  readonly plain: string
}

interface Group {
  readonly kind: 'group'
  readonly mark: TextMark
  readonly children: readonly (Nested | Group)[]
}

type Part = Nested | Group

/** Writes texts with their marks. Neighbours with the same mark share it. */
export const emphasized = (pieces: readonly (Nested & { readonly marks: TextMarks })[]): string =>
  write(grouped(pieces, 0), ' ', ' ')

function grouped(pieces: readonly (Nested & { readonly marks: TextMarks })[], depth: number): readonly Part[] {
  const parts: Part[] = []
  for (let from = 0; from < pieces.length;) {
    const piece = pieces[from]
    const mark = piece?.marks[depth]
    if (piece === undefined || mark === undefined) {
      if (piece) parts.push(piece)
      from++
      continue
    }
    let to = from + 1
    while (pieces[to]?.marks[depth] === mark) to++
    parts.push({ kind: 'group', mark, children: grouped(pieces.slice(from, to), depth + 1) })
    from = to
  }
  return parts
}

const firstOfMarks: Readonly<Record<TextMark['kind'], string>> = { link: '[', tag: '<', strong: '*', em: '*', del: '~' }

const firstOf = (part: Part | undefined, otherwise: string): string => {
  if (part === undefined) return otherwise
  if (part.kind === 'text') return part.text === '' ? otherwise : firstCharacter(part.text)
  return firstOfMarks[part.mark.kind]
}

/** The first character, which may be two UTF-16 units. */
const firstCharacter = (text: string): string => Array.from(text.slice(0, 2))[0] ?? ''

const lastOf = (text: string): string => {
  const tail = Array.from(text.slice(-2))
  return tail.at(-1) ?? ''
}

/** @param before the character before the parts @param after the one behind them */
function write(parts: readonly Part[], before: string, after: string): string {
  let result = ''
  let last = before
  parts.forEach((part, index) => {
    const text = part.kind === 'text' ? part.text : writeGroup(part, last, firstOf(parts[index + 1], after))
    result += text
    if (text !== '') last = lastOf(text)
  })
  return result
}

function writeGroup({ mark, children }: Group, before: string, after: string): string {
  if (mark.kind === 'link') return linkMarkdown(mark, write(children, '[', ']'), plainOf(children))
  if (mark.kind === 'tag') return `<${mark.name}${mark.attributes}>${write(children, '>', '<')}</${mark.name}>`
  for (const sign of signs[mark.kind]) {
    const inner = write(children, sign.charAt(0), sign.charAt(0))
    if (isRead(sign, inner, before, after)) return sign + inner + sign
  }
  return `<${mark.kind}>${write(children, '>', '<')}</${mark.kind}>`
}

const plainOf = (parts: readonly Part[]): string =>
  parts.map((part) => (part.kind === 'text' ? part.plain : plainOf(part.children))).join('')

const signs = { strong: ['**', '__'], em: ['*', '_'], del: ['~~'] } as const

const isSpace = (character: string): boolean => character === '' || /\s/u.test(character)
const isSign = (character: string): boolean => /[\p{P}\p{S}]/u.test(character)

/** True if Markdown reads both signs as marks. @see CommonMark §6.2, "left-flanking delimiter run" */
function isRead(sign: string, inner: string, before: string, after: string): boolean {
  const character = sign.charAt(0)
  const [first, last] = [firstCharacter(inner), lastOf(inner)]
  if ([before, first, last, after].includes(character)) return false
  const opens = !isSpace(first) && (!isSign(first) || isSpace(before) || isSign(before))
  const closes = !isSpace(last) && (!isSign(last) || isSpace(after) || isSign(after))
  if (character !== '_') return opens && closes
  return opens && closes && (isSpace(before) || isSign(before)) && (isSpace(after) || isSign(after))
}
