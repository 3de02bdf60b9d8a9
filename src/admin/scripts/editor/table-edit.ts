// Rows and columns of the table at the caret. A table is written anew with its columns side by side.

import { ensureSyntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'

/** The cells of a table as they stand in the text; the second row is the one of hyphens. */
type Cells = readonly (readonly string[])[]

interface TableAt {
  readonly from: number
  readonly to: number
  readonly cells: Cells
  /** The row and column of the caret. */
  readonly row: number
  readonly column: number
}

const parseMs = 50

/** The table at the caret; undefined outside of one. */
export function tableAt(state: EditorState): TableAt | undefined {
  const { head } = state.selection.main
  let node = ensureSyntaxTree(state, head, parseMs)?.resolveInner(head, -1)
  while (node && node.name !== 'Table') node = node.parent ?? undefined
  if (!node || state.doc.lineAt(node.from).from !== node.from) return undefined
  const { from, to } = node
  const first = state.doc.lineAt(from).number
  const line = state.doc.lineAt(head)
  const column = splitRow(line.text.slice(0, head - line.from)).length - 1
  return {
    from,
    to,
    cells: state.sliceDoc(from, to).split('\n').map(splitRow),
    row: line.number - first,
    column: Math.max(0, column),
  }
}

/** The cells of a line. A bar after a backslash, or within code, is text. */
function splitRow(line: string): readonly string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(^|[^\\])\|$/, '$1')
  const cells = inner.match(/(?:\\.|`[^`]*`|[^|])+|(?<=\|)(?=\||$)|^(?=\|)/g) ?? ['']
  return cells.map((cell) => cell.trim())
}

type Change = (cells: Cells, at: { readonly row: number; readonly column: number }) => Cells

const emptyRow = (cells: Cells): readonly string[] => (cells[0] ?? []).map(() => '')

/** The changes, with the names of their buttons. The first two rows are the header, and stay. */
export const tableChanges: readonly { readonly name: string; readonly change: Change }[] = [
  {
    name: 'editor_row_add',
    change: (cells, { row }) => {
      const place = Math.max(1, row) + 1
      return [...cells.slice(0, place), emptyRow(cells), ...cells.slice(place)]
    },
  },
  {
    name: 'editor_column_add',
    change: (cells, { column }) =>
      cells.map((row, place) => [...row.slice(0, column + 1), place === 1 ? '---' : '', ...row.slice(column + 1)]),
  },
  {
    name: 'editor_row_remove',
    change: (cells, { row }) => (row < 2 || cells.length < 4 ? cells : cells.filter((_, place) => place !== row)),
  },
  {
    name: 'editor_column_remove',
    change: (cells, { column }) =>
      (cells[0]?.length ?? 0) < 2 ? cells : cells.map((row) => row.filter((_, place) => place !== column)),
  },
]

/** A table as text. */
export const writeTable = (cells: Cells): string => cells.map((row) => `| ${row.join(' | ')} |`).join('\n')

/** Changes the table at the caret. */
export function changeTable(view: EditorView, change: Change): void {
  const table = tableAt(view.state)
  if (!table) return
  const insert = writeTable(change(table.cells, table))
  view.dispatch({
    changes: { from: table.from, to: table.to, insert },
    selection: { anchor: Math.min(view.state.selection.main.head, table.from + insert.length) },
    userEvent: 'input',
  })
  view.focus()
}
