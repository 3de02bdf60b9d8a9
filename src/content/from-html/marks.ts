// Marks of a text within a line: a link, bold, italic, struck out, and the elements that stay HTML in Markdown.

import { attributeOf, type HtmlElement } from './tree.ts'
import { isBold, isItalic, isStruck, shiftOf, styleOf } from './style.ts'

export type TextMark =
  | { readonly kind: 'link'; readonly href: string; readonly title: string; readonly opensTab?: boolean }
  | { readonly kind: 'tag'; readonly name: string; readonly attributes: string }
  | { readonly kind: 'strong' | 'em' | 'del' }

/** The marks of a piece of text, the outermost first. */
export type TextMarks = readonly TextMark[]

// One object for each, so that neighbours with the same mark become one.
const strong: TextMark = { kind: 'strong' }
const em: TextMark = { kind: 'em' }
const del: TextMark = { kind: 'del' }

const ranks: Readonly<Record<TextMark['kind'], number>> = { link: 0, tag: 1, strong: 2, em: 3, del: 4 }

/** The marks that elements make. Elements that stay HTML are `tag`. */
const ofElements: ReadonlyMap<string, TextMark | 'tag'> = new Map<string, TextMark | 'tag'>([
  ['b', strong],
  ['strong', strong],
  ['i', em],
  ['em', em],
  ['cite', em],
  ['dfn', em],
  ['var', em],
  ['del', del],
  ['s', del],
  ['strike', del],
  ...['sub', 'sup', 'kbd', 'mark', 'u', 'abbr', 'q', 'bdo', 'ruby', 'rt', 'rp'].map((name): [string, 'tag'] => [name, 'tag']),
])

const isSame = (a: TextMark, b: TextMark): boolean =>
  a.kind === b.kind && (a.kind !== 'tag' || b.kind !== 'tag' || a.name === b.name)

/** Adds a mark. A text has each mark once. */
export function withMark(marks: TextMarks, mark: TextMark): TextMarks {
  if (marks.some((one) => isSame(one, mark))) return marks
  const place = marks.findLastIndex((one) => ranks[one.kind] <= ranks[mark.kind]) + 1
  return [...marks.slice(0, place), mark, ...marks.slice(place)]
}

export const withoutMark = (marks: TextMarks, kind: TextMark['kind']): TextMarks => marks.filter((one) => one.kind !== kind)

/** The marks inside an element: those around it, its own, and what its style adds or takes away. */
export function marksInside(element: HtmlElement, around: TextMarks): TextMarks {
  let marks = around
  const own = ofElements.get(element.name)
  if (own === 'tag') marks = withTag(marks, element)
  else if (own !== undefined) marks = withMark(marks, own)
  const style = styleOf(element)
  if (style.size === 0) return marks
  const says: readonly (readonly [boolean | undefined, TextMark])[] = [
    [isBold(style), strong],
    [isItalic(style), em],
    [isStruck(style), del],
  ]
  for (const [said, mark] of says)
    if (said !== undefined && (said || mark !== del)) marks = said ? withMark(marks, mark) : withoutMark(marks, mark.kind)
  const shift = element.name === 'span' || element.name === 'font' ? shiftOf(style) : undefined
  return shift === undefined ? marks : withMark(marks, { kind: 'tag', name: shift, attributes: '' })
}

function withTag(marks: TextMarks, element: HtmlElement): TextMarks {
  // A link is underlined anyway.
  if (element.name === 'u' && marks.some(({ kind }) => kind === 'link')) return marks
  const title = element.name === 'abbr' ? attributeOf(element, 'title') : ''
  const attributes =
    title === ''
      ? ''
      : ` title="${title.replace(/\s+/g, ' ').replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`
  return withMark(marks, { kind: 'tag', name: element.name, attributes })
}
