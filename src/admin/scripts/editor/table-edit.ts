// Rows and columns of the table at the caret. A table is written anew with its columns side by side.

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

/** The table at the caret: the lines around it that have a bar. */
function tableAt({ doc, selection }: EditorState): TableAt | undefined {
  const line = doc.lineAt(selection.main.head)
  const isRow = (number: number): boolean => number >= 1 && number <= doc.lines && doc.line(number).text.includes('|')
  if (!isRow(line.number)) return undefined
  let [first, last] = [line.number, line.number]
  while (isRow(first - 1)) first--
  while (isRow(last + 1)) last++
  const rows = Array.from({ length: last - first + 1 }, (_, place) => doc.line(first + place))
  const column = splitRow(line.text.slice(0, selection.main.head - line.from)).length - 1
  return {
    from: doc.line(first).from,
    to: doc.line(last).to,
    cells: rows.map(({ text }) => splitRow(text)),
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
const tableChanges: readonly { readonly name: string; readonly change: Change }[] = [
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
const writeTable = (cells: Cells): string => cells.map((row) => `| ${row.join(' | ')} |`).join('\n')

/** Changes the table at the caret. @param name of a change */
export function changeTable(view: EditorView, name: string): void {
  const table = tableAt(view.state)
  const found = tableChanges.find((one) => one.name === name)
  if (!table || !found) return
  const insert = writeTable(found.change(table.cells, table))
  view.dispatch({
    changes: { from: table.from, to: table.to, insert },
    selection: { anchor: Math.min(view.state.selection.main.head, table.from + insert.length) },
    userEvent: 'input',
  })
  view.focus()
}
