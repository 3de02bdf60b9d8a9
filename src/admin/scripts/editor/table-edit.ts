// Rows and columns of the table at the caret, and the table as a whole. For another column, a table is written anew.

import type { EditorView } from '@codemirror/view'
import type { CellPlace, TextTable } from './live/table-cells.ts'
import { addRow, caretCell, removeRow } from './live/table-moves.ts'

/** The cells of a table as they stand in the text; the second row is the one of hyphens. */
type Cells = readonly (readonly string[])[]

type Change = (view: EditorView, table: TextTable, place: CellPlace) => void

/** Writes a table with other columns. @param column the one of the caret afterwards */
function rewrite(
  view: EditorView,
  { from, to, columns, rows }: TextTable,
  row: number,
  column: number,
  change: (cells: Cells) => Cells,
): void {
  const { doc } = view.state
  const textOf = (cell: { readonly from: number; readonly to: number }): string => doc.sliceString(cell.from, cell.to)
  const hyphens = doc.line(doc.lineAt(from).number + 1).text
  const [header = [], ...body] = rows.map(({ cells }) => {
    const texts = cells.map(textOf)
    return [...texts, ...Array.from({ length: Math.max(0, columns - texts.length) }, () => '')]
  })
  const written = change([header, splitHyphens(hyphens), ...body]).map((cells) => cells.map((cell) => ` ${cell} |`))
  const lines = written.map((cells) => `|${cells.join('')}`)
  const line = row === 0 ? 0 : row + 1
  const before = [...lines.slice(0, line).map((text) => `${text}\n`), '|', ...(written[line] ?? []).slice(0, column)].join('')
  const cell = written[line]?.[column] ?? ''
  view.dispatch({
    changes: { from, to, insert: lines.join('\n') },
    selection: { anchor: from + before.length + Math.max(1, cell.length - 2) },
    userEvent: 'input',
  })
}

const splitHyphens = (line: string): readonly string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())

/** The changes, with the names of their buttons. */
const tableChanges: readonly { readonly name: string; readonly change: Change }[] = [
  { name: 'editor_row_add', change: addRow },
  {
    name: 'editor_column_add',
    change: (view, table, { row, column }) =>
      rewrite(view, table, row, column + 1, (cells) =>
        cells.map((texts, line) => [...texts.slice(0, column + 1), line === 1 ? '---' : '', ...texts.slice(column + 1)]),
      ),
  },
  { name: 'editor_row_remove', change: removeRow },
  {
    name: 'editor_column_remove',
    change: (view, table, { row, column }) => {
      if (table.columns < 2) return
      const next = Math.min(column, table.columns - 2)
      rewrite(view, table, row, next, (cells) => cells.map((texts) => texts.filter((_, place) => place !== column)))
    },
  },
  {
    name: 'editor_table_remove',
    change: (view, { from, to }) =>
      view.dispatch({ changes: { from, to }, selection: { anchor: from }, userEvent: 'input', scrollIntoView: true }),
  },
]

/** The names of the buttons. */
export const tableButtons: readonly string[] = tableChanges.map(({ name }) => name)

/** Changes the table at the caret. @param name of a change */
export function changeTable(view: EditorView, name: string): void {
  const here = caretCell(view)
  if (here) tableChanges.find((one) => one.name === name)?.change(view, here.table, here.place)
  view.focus()
}
