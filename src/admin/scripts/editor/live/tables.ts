// Tables as tables, also while they are written: `cell-field.ts` has the field in the cell of the caret. A table replaces several
// lines, so it is a decoration of the state; only those near the visible part are drawn.

import { syntaxTree } from '@codemirror/language'
import { type EditorState, type Extension, type Range, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'
import { make } from '../../element.ts'
import type { Span } from './drawing.ts'
import { addInline, sourceOf } from './inline-dom.ts'
import { findTable, readTable, type TableCell, tableEnd } from './table-cells.ts'
import { goToCell } from './table-moves.ts'

/** The source of the words that each element shows. One with a field has none. */
const drawnSource = new WeakMap<Element, string>()

/** Shows the words of a cell. */
export function drawCell(element: HTMLElement, cell: TableCell | undefined, state: EditorState): void {
  element.replaceChildren()
  if (cell?.content) addInline(element, cell.content, (part) => state.sliceDoc(part.from, part.to))
  drawnSource.set(element, sourceIn(cell, state))
}

const sourceIn = (cell: TableCell | undefined, state: EditorState): string => (cell ? state.sliceDoc(cell.from, cell.to) : '')

class TableBox extends WidgetType {
  readonly source: string
  readonly node: SyntaxNode
  readonly state: EditorState

  constructor(node: SyntaxNode, state: EditorState, to: number) {
    super()
    this.node = node
    this.state = state
    this.source = state.sliceDoc(node.from, to)
  }

  override eq(other: TableBox): boolean {
    return other.source === this.source
  }

  override toDOM(view: EditorView): HTMLElement {
    const box = make('div', { class: 'live-table-box' }, make('table', { class: 'live-table' }, make('thead'), make('tbody')))
    box.addEventListener('mousedown', (event) => pressIn(view, box, event))
    this.updateDOM(box)
    return box
  }

  /** Draws what has changed. The cell with the field stays as it is, so that it keeps the focus. */
  override updateDOM(box: HTMLElement): boolean {
    const shown = box.querySelector('table')
    const [head, body] = [shown?.tHead, shown?.tBodies[0]]
    if (!shown || !head || !body) return false
    const { columns, rows } = readTable(this.node, this.state)
    const sides = sidesOf(this.source)
    for (const [place, { cells }] of rows.entries()) {
      const row = shown.rows[place] ?? (place === 0 ? head : body).appendChild(make('tr'))
      const width = Math.max(columns, cells.length)
      while (row.cells.length > width) row.deleteCell(-1)
      while (row.cells.length < width) row.append(place === 0 ? make('th', { scope: 'col' }) : make('td'))
      for (const [column, element] of [...row.cells].entries()) {
        element.className = sides[column] ?? ''
        const isSame = drawnSource.get(element) === sourceIn(cells[column], this.state)
        if (!isSame && !element.querySelector('textarea')) drawCell(element, cells[column], this.state)
      }
    }
    while (shown.rows.length > rows.length) shown.deleteRow(-1)
    return true
  }

  override get estimatedHeight(): number {
    return this.source.split('\n').length * 36
  }
}

/** A press on a cell puts the caret there. */
function pressIn(view: EditorView, box: HTMLElement, event: MouseEvent): void {
  const element = event.target instanceof Element ? event.target.closest<HTMLTableCellElement>('th, td') : null
  const row = element?.closest('tr')
  if (!element || !row || event.button !== 0 || event.target instanceof HTMLTextAreaElement) return
  event.preventDefault()
  const table = findTable(view.state, view.posAtDOM(box))
  const cell = table?.rows[row.rowIndex]?.cells[element.cellIndex]
  if (!table) return
  const place = cell && placeUnder(element, event, cell)
  view.focus()
  goToCell(view, table, { row: row.rowIndex, column: element.cellIndex }, place)
}

/** The place in the text under the pointer; undefined beside the words of a cell. */
function placeUnder(element: Element, { clientX, clientY }: MouseEvent, cell: TableCell): number | undefined {
  const caret = document.caretPositionFromPoint?.(clientX, clientY)
  const from = caret && element.contains(caret.offsetNode) ? sourceOf(caret.offsetNode) : undefined
  return caret && from !== undefined ? cell.from + from + caret.offset : undefined
}

/** The element of the table that begins at a place of the text, if it is drawn. */
export function tableElement(view: EditorView, from: number): HTMLTableElement | undefined {
  const tables = [...view.contentDOM.querySelectorAll<HTMLTableElement>('.live-table-box > table')]
  return tables.find((table) => view.posAtDOM(table) === from)
}

/** The classes of columns, from the second line. */
function sidesOf(source: string): readonly (string | undefined)[] {
  const line = source.split('\n')[1] ?? ''
  const columns = line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((column) => column.trim())
  return columns.map((column) => (column.endsWith(':') ? (column.startsWith(':') ? 'live-center' : 'live-end') : undefined))
}

interface Drawn extends Span {
  readonly tables: DecorationSet
  /** The number of the line that is being typed. A table is not drawn while its line of hyphens is typed. */
  readonly typedLine: number | undefined
}

/** Draws the tables in a part of the text that are in no other block: a widget takes whole lines. */
function drawTables(state: EditorState, { from, to }: Span, typedLine?: number): Drawn {
  const found: Range<Decoration>[] = []
  syntaxTree(state).iterate({
    from,
    to,
    enter({ name, node }) {
      if (name === 'Document') return true
      if (name !== 'Table' || state.doc.lineAt(node.from).number + 1 === typedLine) return false
      const end = tableEnd(node, state)
      found.push(Decoration.replace({ widget: new TableBox(node, state, end), block: true }).range(node.from, end))
      return false
    },
  })
  return { from, to, tables: Decoration.set(found), typedLine }
}

const showPart = StateEffect.define<Span>()

/** The most text that is drawn beyond the visible part, on each side. */
const margin = 5000

function around({ state, viewport }: EditorView): Span {
  return { from: Math.max(0, viewport.from - margin), to: Math.min(state.doc.length, viewport.to + margin) }
}

const drawnTables = StateField.define<Drawn>({
  create: (state) => drawTables(state, { from: 0, to: Math.min(state.doc.length, 2 * margin) }),
  update(drawn, transaction) {
    const { startState, state, changes, docChanged, selection, effects } = transaction
    const [part] = effects.flatMap((effect) => (effect.is(showPart) ? [effect.value] : []))
    const hasChanged = docChanged || selection !== undefined || syntaxTree(startState) !== syntaxTree(state)
    if (!part && !hasChanged) return drawn
    const { number } = state.doc.lineAt(state.selection.main.head)
    const typedLine = number === drawn.typedLine || transaction.isUserEvent('input.type') ? number : undefined
    return drawTables(state, part ?? { from: changes.mapPos(drawn.from, -1), to: changes.mapPos(drawn.to, 1) }, typedLine)
  },
  provide: (field) => [
    EditorView.decorations.from(field, ({ tables }) => tables),
    EditorView.atomicRanges.of(({ state }) => state.field(field).tables),
  ],
})

/** Has the tables drawn that scroll into view. Decorations of the state may not depend on the view, so an effect tells the part. */
const followView = EditorView.updateListener.of(({ view, viewportChanged }) => {
  const { from, to } = view.state.field(drawnTables)
  const { viewport } = view
  if (viewportChanged && (viewport.from < from || viewport.to > to)) view.dispatch({ effects: showPart.of(around(view)) })
})

export const liveTables: Extension = [drawnTables, followView]
