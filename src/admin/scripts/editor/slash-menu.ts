// The menu of blocks that `/` opens in an empty line. What is typed after it filters the list.

import { type EditorState, type Extension, Prec, StateEffect, StateField } from '@codemirror/state'
import { type EditorView, keymap, showTooltip, type Tooltip } from '@codemirror/view'
import { make, makeButton } from '../element.ts'
import { word } from '../words.ts'
import { type Helpers, type EditorTool, tools } from './tools.ts'

interface Open {
  /** The place of the `/`. */
  readonly at: number
  readonly found: readonly EditorTool[]
  readonly chosen: number
}

const move = StateEffect.define<number>()
const close = StateEffect.define()

const blocks = tools.filter(({ block }) => block)
const shown = blocks.filter(({ block }) => block === true)
const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The names by which a tool is found. */
const namesOf = ({ name, also }: EditorTool): string => folded(`${word(name)} ${also === undefined ? '' : word(also)}`)

/** The menu after a change. It is open while the caret is in a line that is `/` and a part of a name. */
function menuOf(state: EditorState, before: Open | null): Open | null {
  const { head, empty } = state.selection.main
  const line = state.doc.lineAt(head)
  const typed = /^\/([\p{L}\d ]{0,30})$/u.exec(line.text)?.[1]
  if (!empty || typed === undefined || head !== line.to) return null
  const found = typed === '' ? shown : blocks.filter((tool) => namesOf(tool).includes(folded(typed)))
  if (found.length === 0) return null
  const chosen = before?.found.length === found.length ? before.chosen : 0
  return { at: line.from, found, chosen }
}

/** @param run uses a tool in place of the line of the menu */
function menuField(run: (view: EditorView, tool: EditorTool) => void): StateField<Open | null> {
  return StateField.define<Open | null>({
    create: () => null,
    update(open, transaction) {
      let now = open
      // Only typing opens the menu, so that it doesn't open in a text that has such a line.
      if (open || transaction.isUserEvent('input.type')) now = menuOf(transaction.state, open)
      for (const effect of transaction.effects) {
        if (effect.is(close)) now = null
        if (effect.is(move) && now) now = { ...now, chosen: (now.chosen + effect.value + now.found.length) % now.found.length }
      }
      return now
    },
    provide: (field) => showTooltip.from(field, (open) => (open ? tooltipOf(open, run) : null)),
  })
}

function tooltipOf({ at, found, chosen }: Open, run: (view: EditorView, tool: EditorTool) => void): Tooltip {
  return {
    pos: at,
    create(view) {
      const items = found.map((tool, place) => {
        const attributes = { role: 'option', 'aria-selected': String(place === chosen), tabindex: '-1', class: 'slash-item' }
        return makeButton(attributes, [word(tool.name)], () => run(view, tool))
      })
      const dom = make('div', { class: 'slash-menu', role: 'listbox', 'aria-label': word('editor_insert') }, ...items)
      return { dom, mount: () => items[chosen]?.scrollIntoView({ block: 'nearest' }) }
    },
  }
}

/** The menu, with its keys. */
export function slashMenu(helpers: Helpers): Extension {
  const run = (view: EditorView, tool: EditorTool): void => {
    const open = view.state.field(field)
    if (!open) return
    const line = view.state.doc.lineAt(open.at)
    view.dispatch({ changes: { from: line.from, to: line.to }, effects: close.of(null), userEvent: 'input' })
    view.focus()
    tool.run(view, helpers)
  }
  const field = menuField(run)
  const step = (by: number) => (view: EditorView) => {
    if (!view.state.field(field)) return false
    view.dispatch({ effects: move.of(by) })
    return true
  }
  const choose = (view: EditorView): boolean => {
    const open = view.state.field(field)
    const tool = open?.found[open.chosen]
    if (tool) run(view, tool)
    return tool !== undefined
  }
  const leave = (view: EditorView): boolean => {
    if (!view.state.field(field)) return false
    view.dispatch({ effects: close.of(null) })
    return true
  }
  const keys = [
    { key: 'ArrowDown', run: step(1) },
    { key: 'ArrowUp', run: step(-1) },
    { key: 'Enter', run: choose },
    { key: 'Tab', run: choose },
    { key: 'Escape', run: leave },
  ]
  return [field, Prec.highest(keymap.of(keys))]
}
