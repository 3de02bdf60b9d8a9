// The look of each node of the Markdown tree while the caret is elsewhere. Marks are hidden, the words keep their places.

import type { Line } from '@codemirror/state'
import type { SyntaxNode } from '@lezer/common'
import type { Drawing } from './drawing.ts'
import { drawPicture } from './picture.ts'
import { kindName, SectionBar, sectionEnd } from './section-bar.ts'
import { sectionEdges } from './section-places.ts'
import { bullet, rule, TaskBox } from './signs.ts'

type Draw = (node: SyntaxNode, drawing: Drawing) => void

const hideMarks =
  (name: string): Draw =>
  (node, drawing) => {
    if (!drawing.touches(node)) for (const { from, to } of node.getChildren(name)) drawing.hide(from, to)
  }

const drawHeading =
  (level: number): Draw =>
  (node, drawing) => {
    drawing.lines({ from: node.from, to: node.from }, `live-heading live-h${level}`)
    if (drawing.touchesLine(node.from)) return
    const [first, ...rest] = node.getChildren('HeaderMark')
    if (first) drawing.hideWithSpaces(first)
    for (const { from, to } of rest) drawing.hide(from, to)
  }

/** A heading with a line of marks below it. */
const drawSetext =
  (level: number): Draw =>
  (node, drawing) => {
    drawing.lines({ from: node.from, to: node.from }, `live-heading live-h${level}`)
    const mark = node.getChild('HeaderMark')
    if (mark) drawing.style(mark, 'live-quiet')
  }

const drawLink: Draw = (node, drawing) => {
  const [open, close] = node.getChildren('LinkMark')
  if (!node.getChild('URL') || !open || !close || open.to >= close.from) return
  drawing.style({ from: open.to, to: close.from }, 'live-link')
  if (drawing.touches(node)) return
  drawing.hide(open.from, open.to)
  drawing.hide(close.from, node.to)
}

const drawCode: Draw = (node, drawing) => {
  drawing.style(node, 'live-code')
  hideMarks('CodeMark')(node, drawing)
}

const drawListMark: Draw = (node, drawing) => {
  if (node.parent?.parent?.name !== 'BulletList' || drawing.touches(node)) return
  if (node.parent.getChild('Task')) drawing.hideWithSpaces(node)
  else drawing.replace(node, bullet)
}

const drawTask: Draw = (node, drawing) => {
  const mark = drawing.text(node)
  if (!drawing.touches(node)) drawing.replace(node, new TaskBox(/x/i.test(mark)))
}

const drawQuoteMark: Draw = (node, drawing) => {
  if (!drawing.touchesLine(node.from)) drawing.hideWithSpaces(node)
}

/** A backslash before a mark, or at the end of a line. */
const drawBackslash: Draw = ({ from }, drawing) => {
  if (drawing.text({ from, to: from + 1 }) === '\\' && !drawing.touches({ from, to: from + 1 })) drawing.hide(from, from + 1)
}

const drawRule: Draw = (node, drawing) => {
  if (!drawing.touchesLine(node.from)) drawing.replace(node, rule)
}

/** An address alone in its paragraph becomes a frame of the page. */
const drawAddress: Draw = (node, drawing) => {
  const { parent } = node
  if (parent?.name === 'Paragraph' && parent.from === node.from && parent.to === node.to) drawing.style(node, 'live-embed')
}

const styled =
  (name: string): Draw =>
  (node, drawing) =>
    drawing.style(node, name)

const linesOf =
  (name: string): Draw =>
  (node, drawing) =>
    drawing.lines(node, name)

/** The drawings by the names of nodes (`@lezer/markdown`). */
export const draws: Readonly<Record<string, Draw>> = {
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`ATXHeading${level}`, drawHeading(level)])),
  SetextHeading1: drawSetext(1),
  SetextHeading2: drawSetext(2),
  Emphasis: hideMarks('EmphasisMark'),
  StrongEmphasis: hideMarks('EmphasisMark'),
  Strikethrough: hideMarks('StrikethroughMark'),
  InlineCode: drawCode,
  Link: drawLink,
  Autolink: hideMarks('LinkMark'),
  Image: drawPicture,
  ListMark: drawListMark,
  TaskMarker: drawTask,
  Blockquote: linesOf('live-quote'),
  QuoteMark: drawQuoteMark,
  Escape: drawBackslash,
  HardBreak: drawBackslash,
  HorizontalRule: drawRule,
  URL: drawAddress,
  FencedCode: linesOf('live-code-block'),
  CodeBlock: linesOf('live-code-block'),
  HTMLBlock: linesOf('live-source'),
  CommentBlock: linesOf('live-source'),
  HTMLTag: styled('live-html'),
  Table: linesOf('live-source'),
}

const colons = /^(:{3,})[ \t]*([\w-]*)/

/** Draws the lines that open and close sections, which are no nodes of the tree. */
export function drawSections(drawing: Drawing): void {
  const { doc } = drawing.state
  for (let at = drawing.part.from; at <= drawing.part.to;) {
    const line = doc.lineAt(at)
    if (line.text.startsWith(':::')) drawEdge(line, drawing)
    at = line.to + 1
  }
}

function drawEdge(line: Line, drawing: Drawing): void {
  const { side, section } = sectionEdges(drawing.state.doc).get(line.number) ?? {}
  const isKnown = section !== undefined && kindName(section.kind) !== undefined
  drawing.lines({ from: line.from, to: line.from }, side === 'open' ? 'live-section' : 'live-section-end')
  if (isKnown && side === 'open') drawing.close(line, new SectionBar(section.kind, section.attributes, drawing.options))
  else if (isKnown) drawing.close(line, sectionEnd)
  else {
    const [whole = '', marks = ''] = colons.exec(line.text) ?? []
    drawing.style({ from: line.from, to: line.from + marks.length }, 'live-quiet')
    drawing.style({ from: line.from + marks.length, to: line.from + whole.length }, 'live-kind')
  }
}
