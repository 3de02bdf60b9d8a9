// Ways between the cells of tables and the text around them. No key and no word beside a table changes what is a row of it.

import { EditorState, type Extension, Prec } from '@codemirror/state'
import { EditorView, keymap, type KeyBinding } from '@codemirror/view'
import { cellAt, type CellPlace, findTable, rowEnd, type TextTable } from './table-cells.ts'

/** Puts the caret into a cell. @param at a place in the text; the end of its words if left out */
export function goToCell(view: EditorView, table: TextTable, { row, column }: CellPlace, at?: number): void {
  const cells = table.rows[row]?.cells ?? []
  const cell = cells[Math.min(column, cells.length - 1)]
  if (cell) view.dispatch({ selection: { anchor: Math.min(Math.max(at ?? cell.to, cell.from), cell.to) } })
}

/** Puts the caret into the line before or after a table. A table that begins or ends the text gets a line there. */
export function leaveTable(view: EditorView, { from, to }: TextTable, by: 1 | -1): void {
  const isEdge = by < 0 ? from === 0 : to === view.state.doc.length
  const changes = isEdge ? [{ from: by < 0 ? from : to, insert: '\n\n' }] : []
  const anchor = by < 0 ? Math.max(0, from - 1) : to + (isEdge ? 2 : 1)
  view.dispatch({ changes, selection: { anchor }, userEvent: isEdge ? 'input' : 'select', scrollIntoView: true })
  view.focus()
}

/** The text of an empty row, and the place of a cell in it. */
const emptyRow = (columns: number): string => `|${'  |'.repeat(columns)}`
const inEmptyRow = (column: number): number => 2 + 3 * column

/** Adds a row below another, with the caret in it. */
export function addRow(view: EditorView, table: TextTable, { row, column }: CellPlace): void {
  const at = rowEnd(view.state, table, row)
  const changes = { from: at, insert: `\n${emptyRow(table.columns)}` }
  view.dispatch({ changes, selection: { anchor: at + 1 + inEmptyRow(column) }, userEvent: 'input' })
}

/** Removes a row, and puts the caret into the one that follows. The header and the last row below it stay. */
export function removeRow(view: EditorView, table: TextTable, { row, column }: CellPlace): void {
  const removed = table.rows[row]
  if (!removed || row === 0 || table.rows.length < 3) return
  const { from } = view.state.doc.lineAt(removed.from)
  const neighbour = table.rows[row + 1] ?? table.rows[row - 1]
  const cell = neighbour?.cells[Math.min(column, neighbour.cells.length - 1)]
  const length = removed.to - from + 1
  const anchor = (cell?.to ?? table.from) - (row + 1 < table.rows.length ? length : 0)
  // Not `delete`, as for all buttons: undo joins a quick deletion with the change before it.
  view.dispatch({ changes: { from: from - 1, to: removed.to }, selection: { anchor }, userEvent: 'input' })
}

/** Goes to the next or the previous cell. Behind the last cell it adds a row. @returns false before the first cell */
export function goBy(view: EditorView, table: TextTable, { row, column }: CellPlace, by: 1 | -1): boolean {
  const cells = table.rows[row]?.cells ?? []
  if (column + by >= 0 && column + by < cells.length) goToCell(view, table, { row, column: column + by })
  else if (row + by >= table.rows.length) addRow(view, table, { row, column: 0 })
  else if (row + by >= 0) goToCell(view, table, { row: row + by, column: by > 0 ? 0 : Infinity })
  else return false
  return true
}

/** Goes to the cell below or above, or out of the table. */
export function goVertically(view: EditorView, table: TextTable, { row, column }: CellPlace, by: 1 | -1): void {
  if (row + by >= 0 && row + by < table.rows.length) goToCell(view, table, { row: row + by, column })
  else leaveTable(view, table, by)
}

/** Goes to the cell below. In the last row it adds one; in an empty last row it leaves the table, as a list is left. */
export function goOn(view: EditorView, table: TextTable, place: CellPlace): void {
  const { row } = place
  if (row + 1 < table.rows.length) return goToCell(view, table, { ...place, row: row + 1 })
  const isEmpty = row > 0 && table.rows[row]?.cells.every(({ content }) => content === undefined)
  if (!isEmpty) return addRow(view, table, place)
  if (row > 1) removeRow(view, table, place)
  const left = findTable(view.state, view.state.selection.main.head)
  if (left) leaveTable(view, left, 1)
}

const caretOf = ({ selection }: EditorState): number | undefined =>
  selection.ranges.length === 1 && selection.main.empty ? selection.main.head : undefined

/** The table that begins in the next line, or ends in the one before. */
function tableBeside(state: EditorState, caret: number, by: 1 | -1): TextTable | undefined {
  const { from, to } = state.doc.lineAt(caret)
  const place = by > 0 ? to + 1 : from - 1
  if (place < 0 || place > state.doc.length) return undefined
  const table = findTable(state, place)
  return table && (by > 0 ? table.from >= place : table.to === place) ? table : undefined
}

/** Goes into the first cell of a table below, or into one of the last row of a table above. */
function enter(view: EditorView, table: TextTable, by: 1 | -1, column: number): boolean {
  goToCell(view, table, { row: by > 0 ? 0 : table.rows.length - 1, column })
  return true
}

const goIn =
  (by: 1 | -1, isVertical: boolean) =>
  (view: EditorView): boolean => {
    const { state } = view
    const caret = caretOf(state)
    const table = caret === undefined ? undefined : tableBeside(state, caret, by)
    if (caret === undefined || !table) return false
    const line = state.doc.lineAt(caret)
    if (!isVertical) return caret === (by > 0 ? line.to : line.from) && enter(view, table, by, by > 0 ? 0 : Infinity)
    const { head } = view.moveVertically(state.selection.main, by > 0)
    const staysInLine = head !== caret && head >= line.from && head <= line.to
    return !staysInLine && enter(view, table, by, 0)
  }

/** Backspace below a table, and Delete above one, go into it. Without the empty line, the words below would be a row. */
const keepApart =
  (by: 1 | -1) =>
  (view: EditorView): boolean => {
    const { state } = view
    const caret = caretOf(state)
    if (caret === undefined) return false
    const line = state.doc.lineAt(caret)
    if (caret !== (by > 0 ? line.to : line.from)) return false
    const table = tableBeside(state, caret, by) ?? (by < 0 ? tableAbove(state, line.number) : undefined)
    return table !== undefined && enter(view, table, by, by > 0 ? 0 : Infinity)
  }

/** The table above the empty line that is above a line with words. */
function tableAbove(state: EditorState, number: number): TextTable | undefined {
  if (number < 3 || state.doc.line(number).text.trim() === '') return undefined
  const above = state.doc.line(number - 1)
  return above.text.trim() === '' ? tableBeside(state, above.from, -1) : undefined
}

const keys: readonly KeyBinding[] = [
  { key: 'ArrowDown', run: goIn(1, true) },
  { key: 'ArrowUp', run: goIn(-1, true) },
  { key: 'ArrowRight', run: goIn(1, false) },
  { key: 'ArrowLeft', run: goIn(-1, false) },
  { key: 'Backspace', run: keepApart(-1) },
  { key: 'Delete', run: keepApart(1) },
]

/** The table above a line without words of its own, in which the caret is. */
function tableOver(state: EditorState): TextTable | undefined {
  const caret = caretOf(state)
  if (caret === undefined) return undefined
  const { from, text } = state.doc.lineAt(caret)
  return caret === from && /^(?:\s*$|:::)/.test(text) ? tableBeside(state, caret, -1) : undefined
}

/** A bar below a table begins a row. */
const barBegins = EditorView.inputHandler.of((view, from, to, text) => {
  const table = text === '|' && from === to ? tableOver(view.state) : undefined
  if (!table) return false
  addRow(view, table, { row: table.rows.length - 1, column: 0 })
  return true
})

/** Words below a table begin a paragraph: without an empty line they would be a row. */
const wordsApart = EditorState.transactionFilter.of((transaction) => {
  if (!transaction.docChanged || !transaction.isUserEvent('input')) return transaction
  const { startState } = transaction
  const at = startState.selection.main.head
  let first = ''
  transaction.changes.iterChanges((from, _to, _fromNow, _toNow, inserted) => {
    if (from === at) first = inserted.line(1).text.trim()
  })
  if (first === '' || first.startsWith('|') || !tableOver(startState)) return transaction
  return [transaction, { changes: { from: at, insert: '\n' }, sequential: true }]
})

export const tableMoves: Extension = [Prec.high(keymap.of(keys)), barBegins, wordsApart]

/** The cell of the caret, with its table. */
export function caretCell({ state }: EditorView): { readonly table: TextTable; readonly place: CellPlace } | undefined {
  const { head } = state.selection.main
  const table = findTable(state, head)
  return table && { table, place: cellAt(table, head) }
}
