// Tables as tables, until the caret is in one. They replace several lines, so they are decorations of the state; only those near
// the visible part are drawn. A click on a cell puts the caret there.

import { syntaxTree } from '@codemirror/language'
import { type EditorState, type Extension, type Range, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'
import { make } from '../../element.ts'
import type { Span } from './drawing.ts'
import { addInline } from './inline-dom.ts'

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
    const textOf = ({ from, to }: { readonly from: number; readonly to: number }): string => this.state.doc.sliceString(from, to)
    const sides = sidesOf(this.source)
    const start = this.node.from
    const row = (node: SyntaxNode, cell: 'td' | 'th'): HTMLTableRowElement =>
      make(
        'tr',
        {},
        ...cellsOf(node, textOf).map(({ content, from }, column) => {
          const made = make(cell, { class: sides[column], 'data-at': String(from - start) })
          if (content) addInline(made, content, textOf)
          return made
        }),
      )
    const header = this.node.getChild('TableHeader')
    const rows = this.node.getChildren('TableRow').filter(({ from }) => from < start + this.source.length)
    const table = make('table', { class: 'live-table' })
    if (header) table.append(make('thead', {}, row(header, 'th')))
    table.append(make('tbody', {}, ...rows.map((one) => row(one, 'td'))))
    const box = make('div', { class: 'live-table-box' }, table)
    box.addEventListener('mousedown', (event) => {
      const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-at]') : null
      if (!cell) return
      event.preventDefault()
      view.dispatch({ selection: { anchor: view.posAtDOM(box) + Number(cell.dataset['at']) } })
      view.focus()
    })
    return box
  }

  override get estimatedHeight(): number {
    return this.source.split('\n').length * 36
  }
}

interface Cell {
  readonly content: SyntaxNode | undefined
  /** The place of the caret for this cell. */
  readonly from: number
}

/** The cells of a row. An empty cell is no node: it is the space between two bars. */
function cellsOf(row: SyntaxNode, textOf: (part: { readonly from: number; readonly to: number }) => string): readonly Cell[] {
  const cells: Cell[] = []
  let open: number | undefined = textOf(row).trimStart().startsWith('|') ? undefined : row.from
  let content: SyntaxNode | undefined
  for (let child = row.firstChild; child; child = child.nextSibling) {
    if (child.name === 'TableCell') content = child
    if (child.name !== 'TableDelimiter') continue
    if (open !== undefined) cells.push({ content, from: content?.to ?? child.from })
    open = child.to
    content = undefined
  }
  if (content) cells.push({ content, from: content.to })
  return cells
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

const isTouched = ({ selection }: EditorState, { from, to }: Span): boolean =>
  selection.ranges.some((range) => range.from <= to && range.to >= from)

/** The end of a table. A line that closes a section is none of its rows. */
function endOf(state: EditorState, { from, to }: SyntaxNode): number {
  const at = state.sliceDoc(from, to).indexOf('\n:::')
  return at < 0 ? to : from + at
}

interface Drawn extends Span {
  readonly tables: DecorationSet
}

/** Draws the tables in a part of the text that are in no other block: a widget takes whole lines. */
function drawTables(state: EditorState, { from, to }: Span): Drawn {
  const found: Range<Decoration>[] = []
  syntaxTree(state).iterate({
    from,
    to,
    enter({ name, node }) {
      if (name === 'Document') return true
      const end = name === 'Table' ? endOf(state, node) : node.to
      if (name === 'Table' && !isTouched(state, { from: node.from, to: end }))
        found.push(Decoration.replace({ widget: new TableBox(node, state, end), block: true }).range(node.from, end))
      return false
    },
  })
  return { from, to, tables: Decoration.set(found) }
}

const showPart = StateEffect.define<Span>()

/** The most text that is drawn beyond the visible part, on each side. */
const margin = 5000

function around({ state, viewport }: EditorView): Span {
  return { from: Math.max(0, viewport.from - margin), to: Math.min(state.doc.length, viewport.to + margin) }
}

const drawnTables = StateField.define<Drawn>({
  create: (state) => drawTables(state, { from: 0, to: Math.min(state.doc.length, 2 * margin) }),
  update(drawn, { startState, state, changes, docChanged, selection, effects }) {
    const [part] = effects.flatMap((effect) => (effect.is(showPart) ? [effect.value] : []))
    const hasChanged = docChanged || selection !== undefined || syntaxTree(startState) !== syntaxTree(state)
    if (!part && !hasChanged) return drawn
    return drawTables(state, part ?? { from: changes.mapPos(drawn.from, -1), to: changes.mapPos(drawn.to, 1) })
  },
  provide: (field) => EditorView.decorations.from(field, ({ tables }) => tables),
})

/** Has the tables drawn that scroll into view. Decorations of the state may not depend on the view, so an effect tells the part. */
const followView = EditorView.updateListener.of(({ view, viewportChanged }) => {
  const { from, to } = view.state.field(drawnTables)
  const { viewport } = view
  if (viewportChanged && (viewport.from < from || viewport.to > to)) view.dispatch({ effects: showPart.of(around(view)) })
})

export const liveTables: Extension = [drawnTables, followView]
