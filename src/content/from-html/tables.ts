// Tables. One that holds facts becomes a table of Markdown; one that only lays out a page or a mail becomes its content.

import { inlineMarkdown, paragraphsOf, type InlinePiece } from './inline.ts'
import { marksInside } from './marks.ts'
import { piecesOf } from './pieces.ts'
import { styleOf } from './style.ts'
import { attributeOf, descendants, type HtmlElement, elementsIn, isBlank, textIn } from './tree.ts'
import type { BlockWriter, Spot } from './writing.ts'

/** A wider table can't be read as Markdown, and is written as text. */
const maxColumns = 40
const maxSpan = 200

const parts: readonly string[] = ['thead', 'tbody', 'tfoot']
const ofLayout: ReadonlySet<string> = new Set([
  'table',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
  'hr',
  'figure',
  'pre',
  'iframe',
])

export const writeTable: BlockWriter = (table, place) => {
  const rows = elementsIn(table)
    .flatMap((one) => (parts.includes(one.name) ? elementsIn(one) : [one]))
    .filter(({ name }) => name === 'tr')
  const grid = gridOf(rows)
  if (isLayout(table, grid)) return place.writing.blocks(table.children, place)
  const filled = grid.filter((row) => row.some((cell) => cell !== undefined && !isBlank(cell)))
  const caption = elementsIn(table)
    .filter(({ name }) => name === 'caption')
    .flatMap((one) => place.writing.blocks(one.children, place))
  if (filled.length === 0) return caption
  return [...caption, { text: tableMarkdown(filled, place) }]
}

type Row = readonly (HtmlElement | undefined)[]

/** Puts each cell in its column. A cell over several columns or rows is in the first of them; the others are empty. */
function gridOf(rows: readonly HtmlElement[]): readonly Row[] {
  let below: number[] = []
  return rows.map((row) => {
    const cells: (HtmlElement | undefined)[] = []
    const next = below.map((count) => Math.max(0, count - 1))
    for (const cell of elementsIn(row)) {
      if (cell.name !== 'td' && cell.name !== 'th') continue
      while ((below[cells.length] ?? 0) > 0) cells.push(undefined)
      if (cells.length > maxColumns) break
      const [columns, more] = [spanOf(cell, 'colspan'), spanOf(cell, 'rowspan')]
      for (let column = 0; column < Math.min(columns, maxColumns); column++) {
        next[cells.length] = Math.max(next[cells.length] ?? 0, more - 1)
        cells.push(column === 0 ? cell : undefined)
      }
    }
    below = next
    return cells
  })
}

function spanOf(cell: HtmlElement, name: string): number {
  const span = Number.parseInt(attributeOf(cell, name), 10)
  return Number.isInteger(span) && span > 1 ? Math.min(span, maxSpan) : 1
}

function isLayout(table: HtmlElement, grid: readonly Row[]): boolean {
  if (['presentation', 'none'].includes(attributeOf(table, 'role'))) return true
  const used = grid.map((row) => row.findLastIndex((cell) => cell !== undefined && !isBlank(cell)) + 1)
  const width = Math.max(0, ...used.slice(0, 10_000))
  if (width > maxColumns || grid.some((row) => row.length > maxColumns + 1)) return true
  if (width <= 1) return true
  for (const { name } of descendants(table)) {
    if (name === 'th') return false
    if (ofLayout.has(name)) return true
  }
  return false
}

function tableMarkdown(rows: readonly Row[], place: Spot): string {
  const [head] = headOf(rows)
  const body = head === undefined ? rows : rows.slice(1)
  const width = Math.max(...rows.slice(0, 10_000).map((row) => row.length))
  const inHead = head?.map((cell) => cellMarkdown(cell, place, true)) ?? []
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const rule = Array.from({ length: width }, (_, column) => alignments[alignmentOf(rows, column)] ?? '---')
  const lines = body.map((row) => line(trimmedRow(row.map((cell) => cellMarkdown(cell, place, false)))))
  return [line(Array.from({ length: width }, (_, column) => inHead[column] ?? '')), line(rule), ...lines].join('\n')
}

/** Cells at the end of a row may be missing. */
function trimmedRow(cells: readonly string[]): readonly string[] {
  return cells.slice(0, Math.max(1, cells.findLastIndex((cell) => cell !== '') + 1))
}

/** The row of headings, if the table has one: cells for headings, or words above something else. */
function headOf(rows: readonly Row[]): readonly (Row | undefined)[] {
  const [first = [], second] = rows
  const cells = first.filter((cell) => cell !== undefined)
  if (cells.every(({ name }) => name === 'th')) return [first]
  if (second === undefined) return []
  const hasWords = cells.every((cell) => !isBlank(cell) && !/^[\s\d.,%€$£+-]*$/.test(textIn(cell)))
  return hasWords && cells.length === first.length ? [first] : []
}

const alignments: Readonly<Record<string, string>> = { left: ':---', center: ':---:', right: '---:' }

/** The alignment of a column: that of all its cells but the heading. */
function alignmentOf(rows: readonly Row[], column: number): string {
  const found = new Set(rows.slice(rows.length > 1 ? 1 : 0).flatMap((row) => (row[column] ? [alignOf(row[column])] : [])))
  const [only = ''] = found
  return found.size === 1 ? only : ''
}

const alignOf = (cell: HtmlElement): string => (attributeOf(cell, 'align') || styleOf(cell).get('text-align') || '').toLowerCase()

/** A cell in one line. Its paragraphs and the items of its lists are separated by line breaks. */
function cellMarkdown(cell: HtmlElement | undefined, place: Spot, isHead: boolean): string {
  if (cell === undefined) return ''
  const pieces = piecesOf(cell.children, { ...place, marks: marksInside(cell, place.marks) })
  return paragraphsOf(isHead ? withoutWholeBold(pieces) : pieces)
    .map((one) => inlineMarkdown(one, '<br>'))
    .join('<br>')
    .replaceAll('|', '\\|')
}

/** A heading is bold anyway. */
export function withoutWholeBold(pieces: readonly InlinePiece[]): readonly InlinePiece[] {
  const isStrong = (piece: InlinePiece): boolean =>
    piece.kind === 'break' ||
    (piece.kind === 'text' && piece.text.trim() === '') ||
    piece.marks.some(({ kind }) => kind === 'strong')
  if (!pieces.every(isStrong)) return pieces
  return pieces.map((piece) =>
    piece.kind === 'break' ? piece : { ...piece, marks: piece.marks.filter(({ kind }) => kind !== 'strong') },
  )
}
