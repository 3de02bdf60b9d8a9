// The pieces of a paragraph: texts with the marks of the elements around them, code, pictures, notes and line breaks.

import { isCode } from './code.ts'
import { codePiece, type InlinePiece } from './inline.ts'
import { addressOf } from './links.ts'
import { type TextMarks, marksInside, withMark } from './marks.ts'
import { picturePieces } from './pictures.ts'
import { attributeOf, type HtmlElement, madeElements, type Node, textIn } from './tree.ts'
import type { Spot, Conversion } from './writing.ts'

/** Elements that begin on a line of their own, and end it. */
export const blockNames: ReadonlySet<string> = new Set(
  [
    'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4',
    'h5 h6 header hgroup hr html iframe legend li listing main menu nav ol p pre section summary table tbody td tfoot th thead tr',
    'ul video audio caption xmp',
    ...Object.values(madeElements),
  ].flatMap((names) => names.split(' ')),
)

/** Collects the pieces of nodes. Blocks among them, as in the cell of a table, stand in lines of their own. */
export function piecesOf(nodes: readonly Node[], place: Spot): readonly InlinePiece[] {
  const pieces: InlinePiece[] = []
  collect(nodes, place, pieces)
  return pieces
}

function collect(nodes: readonly Node[], place: Spot, into: InlinePiece[]): void {
  for (const node of nodes) {
    if (node.kind === 'text') into.push({ kind: 'text', text: node.text, marks: place.marks })
    else if (blockNames.has(node.name)) {
      into.push({ kind: 'break' })
      if (node.name === 'li') into.push({ kind: 'text', text: '• ', marks: place.marks })
      collect(node.children, { ...place, marks: marksInside(node, place.marks) }, into)
      into.push({ kind: 'break' })
    } else collectInline(node, place, into)
  }
}

type InlineWriter = (element: HtmlElement, place: Spot) => readonly InlinePiece[]

const nothing: InlineWriter = () => []

const code: InlineWriter = (element, { marks }) => {
  const text = textIn(element)
  return text.trim() === '' ? [{ kind: 'text', text, marks }] : [codePiece(text, marks)]
}

/** The elements within a line that do more than mark their text. */
const inlineWriters: Readonly<Record<string, InlineWriter>> = {
  br: () => [{ kind: 'break' }],
  img: picturePieces,
  code,
  samp: code,
  tt: code,
  wbr: nothing,
  input: nothing,
  a: link,
}

function collectInline(element: HtmlElement, place: Spot, into: InlinePiece[]): void {
  const writer = Object.hasOwn(inlineWriters, element.name) ? inlineWriters[element.name] : undefined
  const isOwn = writer !== undefined && !(isCode(element) && place.writing.withBlocks.has(element))
  if (isOwn) for (const piece of writer(element, place)) into.push(piece)
  else collect(element.children, { ...place, marks: marksInside(element, place.marks) }, into)
}

function link(element: HtmlElement, place: Spot): readonly InlinePiece[] {
  const note = place.writing.notes.get(element)
  if (note !== undefined) {
    const marks = place.marks.filter((mark) => mark.kind !== 'link' && (mark.kind !== 'tag' || mark.name !== 'sup'))
    return [{ kind: 'made', markdown: `[^${note}]`, marks }]
  }
  return piecesOf(element.children, { ...place, marks: linkMarks(element, place) })
}

/** The marks inside a link. One that leads nowhere has none of its own. */
export function linkMarks(element: HtmlElement, { writing, marks }: Spot): TextMarks {
  const inside = marksInside(element, marks)
  const href = hrefOf(element, writing)
  if (href === undefined) return inside
  const title = attributeOf(element, 'title').slice(0, 300)
  const opensTab = attributeOf(element, 'target').trim().toLowerCase() === '_blank'
  return withMark(inside, { kind: 'link', href, title, opensTab })
}

function hrefOf(element: HtmlElement, { options, headingIds }: Conversion): string | undefined {
  const written = attributeOf(element, 'href').trim()
  if (!written.startsWith('#')) return addressOf(written, options.origin)
  return headingIds.has(written.slice(1)) ? `#${idMarkdown(written.slice(1))}` : undefined
}

/** An id as headings may have it: letters, digits and hyphens. */
export const idMarkdown = (id: string): string =>
  id
    .replace(/^h-/, '')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((part) => part !== '')
    .join('-')
    .slice(0, 80)
