// A field in the cell of a table that has the caret: there a person writes, and the text receives each change at once. The field
// follows the caret of the text, so tools, keys and undo work as they do elsewhere.

import { type Extension, type TransactionSpec } from '@codemirror/state'
import { EditorView, runScopeHandlers, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { make, makeButton } from '../../element.ts'
import { word } from '../../words.ts'
import { beginsBlock } from '../place.ts'
import { changeTable, tableButtons } from '../table-edit.ts'
import { leastChange, shownAt, shownWords, sourceAt, withWords } from './cell-words.ts'
import { cellAt, type CellPlace, findTable, type TableCell, type CellRow, type TextTable } from './table-cells.ts'
import { goBy, goOn, goVertically, leaveTable } from './table-moves.ts'
import { drawCell, tableElement } from './tables.ts'

/** The cell of the caret. */
interface Here extends CellPlace {
  readonly table: TextTable
  readonly line: CellRow
  readonly cell: TableCell
  /** The words with the spaces that were typed beside them. */
  readonly from: number
  readonly to: number
}

function cellHere({ state }: EditorView): Here | undefined {
  const { main, ranges } = state.selection
  const table = ranges.length === 1 ? findTable(state, main.head) : undefined
  if (!table || main.anchor < table.from || main.anchor > table.to) return undefined
  const place = cellAt(table, main.head)
  const line = table.rows[place.row]
  const cell = line?.cells[place.column]
  if (!line || !cell) return undefined
  return { ...place, table, line, cell, from: Math.min(cell.from, main.head), to: Math.max(cell.to, main.head) }
}

/** Keys that the text has a meaning for, beside those of every field. */
const ofText = /^(?:[bikzyf]|Home|End)$/i

class CellField {
  readonly view: EditorView
  field: HTMLTextAreaElement | undefined
  /** True from the moment that the field has the focus, until another element takes it. */
  isWriting = false
  found: Element | undefined

  constructor(view: EditorView) {
    this.view = view
    document.addEventListener('selectionchange', this.follow)
  }

  destroy(): void {
    document.removeEventListener('selectionchange', this.follow)
  }

  /** Opens, moves, fills or closes the field after the text or the caret has changed. */
  refresh({ selectionSet, docChanged }: ViewUpdate): void {
    const here = cellHere(this.view)
    const cell = here && this.elementOf(here)
    const isThere = this.field?.isConnected === true
    const hasFocus = isThere ? document.activeElement === this.field : this.isWriting && document.activeElement === document.body
    const hasCaret = this.view.hasFocus || hasFocus
    this.found?.classList.remove('live-found')
    this.found = cell && !hasCaret && !this.view.state.selection.main.empty ? cell : undefined
    this.found?.classList.add('live-found')
    const isOpen = isThere && cell !== undefined && cell === this.field?.closest('th, td')
    if (!here || !cell || (!isOpen && !hasCaret)) return this.close(hasFocus)
    if (!isOpen) this.open(cell)
    this.fill(here, !isOpen || selectionSet || docChanged)
    if (isOpen && hasCaret && !hasFocus) this.field?.focus()
  }

  private elementOf({ table, row, column }: Here): HTMLTableCellElement | undefined {
    return tableElement(this.view, table.from)?.rows[row]?.cells[column]
  }

  private open(cell: HTMLTableCellElement): void {
    const last = this.field
    const field = make('textarea', {
      class: 'live-cell-field',
      rows: '1',
      cols: '1',
      spellcheck: 'true',
      autocapitalize: 'sentences',
    })
    for (const name of ['input', 'change', 'beforeinput'] as const) field.addEventListener(name, this.edit)
    field.addEventListener('keydown', this.press)
    field.addEventListener('focus', () => (this.isWriting = true))
    field.addEventListener('blur', this.leave)
    cell.replaceChildren(make('span', { class: 'live-cell' }, field))
    const box = cell.closest('.live-table-box')
    if (!box?.querySelector('.live-table-tools')) box?.append(this.tools())
    this.field = field
    field.focus()
    // Not earlier, or a phone would hide its keyboard.
    this.draw(last)
  }

  /** Shows the words and the caret of the text. A field in which a word is being composed keeps its own. */
  private fill({ table, row, column, from, to }: Here, withCaret: boolean): void {
    const { field, view } = this
    if (!field) return
    const source = view.state.sliceDoc(from, to)
    const words = shownWords(source)
    const isChanged = field.value !== words
    if (isChanged && !this.isComposing) field.value = words
    field.parentElement?.setAttribute('data-words', `${field.value} `)
    field.setAttribute('aria-label', this.nameOf(table, row, column))
    const { anchor, head } = view.state.selection.main
    if ((!withCaret && !isChanged) || this.isComposing) return
    const [start, end] = [Math.min(anchor, head), Math.max(anchor, head)].map((place) =>
      shownAt(source, Math.max(0, place - from)),
    )
    if (start === undefined || end === undefined || (start === field.selectionStart && end === field.selectionEnd)) return
    field.setSelectionRange(start, end, head < anchor ? 'backward' : 'forward')
  }

  private isComposing = false

  private nameOf({ rows }: TextTable, row: number, column: number): string {
    const header = rows[0]?.cells[column]
    const heading = header?.content ? shownWords(this.view.state.sliceDoc(header.from, header.to)) : ''
    const name = heading || word('editor_cell_column', { number: column + 1 })
    return row === 0 ? word('editor_cell_heading', { number: column + 1 }) : word('editor_cell', { column: name, row })
  }

  /** The buttons for rows and columns, below the table of the field. A press leaves the focus in the field. */
  private tools(): HTMLElement {
    const buttons = tableButtons.map((name) => makeButton({ class: 'small' }, [word(name)], () => changeTable(this.view, name)))
    const label = word('editor_table')
    const tools = make(
      'div',
      { class: 'live-table-tools', role: 'group', 'aria-label': label, 'aria-keyshortcuts': 'Alt+F10' },
      ...buttons,
    )
    tools.addEventListener('mousedown', (event) => event.preventDefault())
    tools.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      this.field?.focus()
    })
    return tools
  }

  private close(takesFocus: boolean): void {
    const { field } = this
    if (!field) return
    this.field = undefined
    this.isWriting = false
    if (takesFocus) this.view.focus()
    this.draw(field)
  }

  /** Draws the words of a cell in place of its field. */
  private draw(field: HTMLTextAreaElement | undefined): void {
    const element = field?.closest<HTMLTableCellElement>('th, td')
    const row = element?.closest('tr')
    const box = element?.closest('.live-table-box')
    if (!element || !row || !box?.isConnected) return
    const table = findTable(this.view.state, this.view.posAtDOM(box))
    drawCell(element, table?.rows[row.rowIndex]?.cells[element.cellIndex], this.view.state)
    if (!box.querySelector('.live-cell-field')) box.querySelector('.live-table-tools')?.remove()
    this.view.requestMeasure()
  }

  /** Writes what a person has changed in the field into the text. */
  private readonly edit = (event: Event): void => {
    // The field is none of the form.
    event.stopPropagation()
    const { field, view } = this
    const here = cellHere(view)
    if (event instanceof InputEvent && event.inputType.startsWith('history')) {
      event.preventDefault()
      runScopeHandlers(
        view,
        new KeyboardEvent('keydown', { key: event.inputType === 'historyUndo' ? 'z' : 'y', ctrlKey: true }),
        'editor',
      )
    } else if (event.type === 'input' && field && here) {
      this.isComposing = event instanceof InputEvent && event.isComposing
      view.dispatch(writeCell(view, here, field))
    }
  }

  /** Takes the caret of the field into the text. */
  private readonly follow = (): void => {
    const { field, view } = this
    const here = field && document.activeElement === field && !this.isComposing ? cellHere(view) : undefined
    if (!field || !here) return
    const source = view.state.sliceDoc(here.from, here.to)
    if (shownWords(source) !== field.value) return
    const [start, end] = [field.selectionStart, field.selectionEnd].map((at) => here.from + sourceAt(source, at))
    if (start === undefined || end === undefined) return
    const { main } = view.state.selection
    if (main.from === start && main.to === end) return
    const [anchor, head] = field.selectionDirection === 'backward' ? [end, start] : [start, end]
    view.dispatch({ selection: { anchor, head }, userEvent: 'select' })
  }

  /** A field that another part of the page takes the focus from is closed. Tools and dialogs work with the open one. */
  private readonly leave = ({ relatedTarget }: FocusEvent): void => {
    this.isComposing = false
    if (!(relatedTarget instanceof Element)) return
    this.isWriting = false
    if (this.view.dom.parentElement?.contains(relatedTarget) || relatedTarget.closest('dialog')) return
    setTimeout(() => document.activeElement !== this.field && !this.view.hasFocus && this.close(false))
  }

  private readonly press = (event: KeyboardEvent): void => {
    const { view } = this
    if (event.isComposing) return
    const hasMod = event.ctrlKey || event.metaKey
    if (hasMod && ofText.test(event.key)) {
      this.follow()
      if (runScopeHandlers(view, event, 'editor')) event.preventDefault()
    } else if (event.altKey && event.key === 'F10') {
      event.preventDefault()
      this.field?.closest('.live-table-box')?.querySelector('button')?.focus()
    } else if (!hasMod && !event.altKey && this.goFrom(event)) event.preventDefault()
  }

  /** Does what a key does in a table. @returns false for keys of the field itself */
  private goFrom({ key, shiftKey }: KeyboardEvent): boolean {
    const { field, view } = this
    const here = cellHere(view)
    if (!field || !here) return false
    const { table } = here
    const { selectionStart: start, selectionEnd: end, value } = field
    if (key === 'Tab') return goBy(view, table, here, shiftKey ? -1 : 1) || leaves(view, table)
    if (shiftKey) return false
    if (key === 'Enter') goOn(view, table, here)
    else if (key === 'Escape') leaveTable(view, table, 1)
    else if (key === 'ArrowRight' && start === value.length) return goBeside(view, here, 1)
    else if (key === 'ArrowLeft' && end === 0) return goBeside(view, here, -1)
    else if (key === 'ArrowDown' || key === 'ArrowUp') {
      const by = key === 'ArrowDown' ? 1 : -1
      const isOne = isOneLine(field)
      if (isOne) goVertically(view, table, here, by)
      // The browser knows the lines: at the edge, the caret stays.
      else setTimeout(() => this.field === field && field.selectionStart === start && goVertically(view, table, here, by))
      return isOne
    } else return false
    return true
  }
}

const isOneLine = (field: HTMLTextAreaElement): boolean =>
  field.clientHeight < 1.7 * Number.parseFloat(getComputedStyle(field).lineHeight)

function leaves(view: EditorView, table: TextTable): true {
  if (table.from > 0) leaveTable(view, table, -1)
  return true
}

/** Goes to the neighbour, and behind the last cell out of the table. */
function goBeside(view: EditorView, here: Here, by: 1 | -1): boolean {
  const { table, row, column } = here
  const isLast = by > 0 ? row === table.rows.length - 1 && column === here.line.cells.length - 1 : row === 0 && column === 0
  if (isLast) leaveTable(view, table, by)
  else {
    goBy(view, table, here, by)
    const next = cellHere(view)
    if (next && by > 0) view.dispatch({ selection: { anchor: next.cell.from } })
  }
  return true
}

/** The change of the text for what a field now has. */
function writeCell({ state }: EditorView, here: Here, field: HTMLTextAreaElement): TransactionSpec {
  const { cell, line, column } = here
  const isEmpty = here.from === here.to
  const [from, to] = isEmpty ? [cell.from, cell.to] : [here.from, here.to]
  const source = state.sliceDoc(from, to)
  const words = withWords(source, field.value)
  // A first cell without words, or one that begins as a list does, needs the bar that a row may leave out.
  const rest = state.sliceDoc(to, line.to)
  const needsBar = column === 0 && !line.isBarred && (words.trim() === '' || beginsBlock(words + rest))
  const bar = needsBar ? [{ from: line.from, insert: '| ' }] : []
  const before = isEmpty ? cell.before : ''
  const isEscape = /^(?:[^\\]|\\.)*\\$/s.test(words) && state.sliceDoc(to, to + 1) === '|'
  const after = isEmpty ? cell.after : isEscape ? ' ' : ''
  const main = leastChange(source, before + words + after, from)
  const start = from + before.length + (needsBar ? 2 : 0)
  const [low, high] = [field.selectionStart, field.selectionEnd].map((at) => start + sourceAt(words, at))
  return {
    changes: [...bar, main],
    selection: { anchor: low ?? start, head: high ?? start },
    userEvent: main.insert === '' ? 'delete' : 'input.type',
  }
}

const cellFields = ViewPlugin.fromClass(CellField)

export const cellField: Extension = [
  cellFields,
  EditorView.updateListener.of((update) => update.view.plugin(cellFields)?.refresh(update)),
]
