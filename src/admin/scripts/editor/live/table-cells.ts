// The cells of a table: where each stands in the text, and the cell at a place.

import { syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import type { SyntaxNode } from '@lezer/common'

/** A cell: its words are from `from` to `to`, and the next bar is at `end`. */
export interface TableCell {
  /** An empty cell is no node of the tree: it is the space between two bars. */
  readonly content: SyntaxNode | undefined
  readonly from: number
  readonly to: number
  readonly end: number
  /** The text before and after the first words of an empty cell. */
  readonly before: string
  readonly after: string
}

export interface CellRow {
  readonly from: number
  readonly to: number
  /** True if a bar begins the row. */
  readonly isBarred: boolean
  readonly cells: readonly TableCell[]
}

export interface TextTable {
  readonly from: number
  readonly to: number
  readonly columns: number
  /** The first row is the header. The line of hyphens below it is none. */
  readonly rows: readonly CellRow[]
}

/** A cell by its numbers in a table. */
export interface CellPlace {
  readonly row: number
  readonly column: number
}

/** The end of a table. A line that closes a section is none of its rows. */
export function tableEnd({ from, to }: SyntaxNode, state: EditorState): number {
  const close = state.sliceDoc(from, to).indexOf('\n:::')
  return close < 0 ? to : from + close
}

/** The cells of a node of the tree. */
export function readTable(node: SyntaxNode, state: EditorState): TextTable {
  const to = tableEnd(node, state)
  const header = node.getChild('TableHeader')
  const columns = header ? readRow(header, state, 0).cells.length : 0
  const body = node.getChildren('TableRow').filter(({ from }) => from < to)
  const rows = (header ? [header, ...body] : body).map((row) => readRow(row, state, columns))
  return { from: node.from, to, columns, rows }
}

/** @param columns of the table: a row that has fewer gets a cell more, for the next words */
function readRow(row: SyntaxNode, state: EditorState, columns: number): CellRow {
  const { from, to } = row
  const text = state.sliceDoc(from, to)
  const isBarred = text.startsWith('|')
  const cells: TableCell[] = []
  let open = isBarred ? undefined : from
  let content: SyntaxNode | undefined
  for (let child = row.firstChild; child; child = child.nextSibling) {
    if (child.name === 'TableCell') content = child
    if (child.name !== 'TableDelimiter') continue
    if (open !== undefined) cells.push(content ? filled(content, child.from) : empty(open, child.from))
    open = child.to
    content = undefined
  }
  if (content) cells.push(filled(content, to))
  else if (cells.length < columns) {
    const end = from + text.trimEnd().length
    cells.push({ content: undefined, from: end, to: end, end: to, before: ' ', after: ' |' })
  }
  return { from, to, isBarred, cells }
}

function filled(content: SyntaxNode, end: number): TableCell {
  return { content, from: content.from, to: content.to, end, before: '', after: '' }
}

function empty(open: number, end: number): TableCell {
  const from = Math.min(open + 1, end)
  return { content: undefined, from, to: from, end, before: open === end ? ' ' : '', after: from === end ? ' ' : '' }
}

/** The table at a place, if it is in no other block. */
export function findTable(state: EditorState, place: number): TextTable | undefined {
  let found: TextTable | undefined
  syntaxTree(state).iterate({
    from: place,
    to: place,
    enter({ name, node }) {
      if (name === 'Document') return true
      const table = name === 'Table' ? readTable(node, state) : undefined
      if (table && place <= table.to) found = table
      return false
    },
  })
  return found
}

/** The cell at a place of a table, or the nearest one. */
export function cellAt({ rows }: TextTable, place: number): CellPlace {
  const row = Math.max(0, rows.filter(({ from }) => from <= place).length - 1)
  const cells = rows[row]?.cells ?? []
  const column = cells.findIndex(({ end }) => place <= end)
  return { row, column: column < 0 ? Math.max(0, cells.length - 1) : column }
}

/** The end of the line of a row; that of the header ends behind its hyphens. */
export function rowEnd({ doc }: EditorState, { rows }: TextTable, row: number): number {
  const { to } = rows[row] ?? { to: 0 }
  return row === 0 ? doc.line(doc.lineAt(to).number + 1).to : to
}
