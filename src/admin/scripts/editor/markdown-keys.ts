// Keys in Markdown: marks around the selection, and lists that continue on the next line.

import { EditorSelection, type EditorState } from '@codemirror/state'
import type { EditorView, KeyBinding } from '@codemirror/view'

/** Puts a mark around each selection, or removes it. */
export function wrap(mark: string) {
  return (view: EditorView): boolean => {
    view.dispatch(
      view.state.changeByRange((range) => {
        const { doc } = view.state
        const inside = doc.sliceString(range.from - mark.length, range.from) === mark
        if (inside && doc.sliceString(range.to, range.to + mark.length) === mark)
          return {
            changes: [
              { from: range.from - mark.length, to: range.from },
              { from: range.to, to: range.to + mark.length },
            ],
            range: EditorSelection.range(range.from - mark.length, range.to - mark.length),
          }
        return {
          changes: [
            { from: range.from, insert: mark },
            { from: range.to, insert: mark },
          ],
          range: EditorSelection.range(range.from + mark.length, range.to + mark.length),
        }
      }),
      { userEvent: 'input', scrollIntoView: true },
    )
    return true
  }
}

/** Puts a mark before each selected line, or removes it if every line has it. */
export function prefix(mark: (place: number) => string) {
  return (view: EditorView): boolean => {
    const { state } = view
    const { from, to } = state.selection.main
    const [first, last] = [state.doc.lineAt(from).number, state.doc.lineAt(to).number]
    const lines = Array.from({ length: last - first + 1 }, (_, place) => state.doc.line(first + place))
    const marked = lines.every((line, place) => line.text.startsWith(mark(place)))
    const changes = lines.map((line, place) =>
      marked ? { from: line.from, to: line.from + mark(place).length } : { from: line.from, insert: mark(place) },
    )
    view.dispatch({ changes, userEvent: 'input', scrollIntoView: true })
    return true
  }
}

export function insertText(view: EditorView, text: string, chosen?: { readonly from: number; readonly to: number }): void {
  const { from, to } = view.state.selection.main
  const selection = chosen ? { anchor: from + chosen.from, head: from + chosen.to } : { anchor: from + text.length }
  view.dispatch({ changes: { from, to, insert: text }, selection, userEvent: 'input', scrollIntoView: true })
  view.focus()
}

const item = /^(\s*)(?:([-*+])|(\d{1,6})([.)])|(>))(\s+)(\[[ xX]\]\s)?/

/** Continues a list or a quotation on the next line. An item without text ends the list, with an empty line. */
function goOn(view: EditorView): boolean {
  const { state } = view
  const { main } = state.selection
  if (!main.empty || state.selection.ranges.length > 1) return false
  const line = state.doc.lineAt(main.head)
  const [all, indent = '', bullet, number, sign, quote, space = ' ', task] = item.exec(line.text) ?? []
  if (all === undefined || main.head - line.from < all.length) return false
  if (line.text.length === all.length) {
    const [before, after] = [emptyBetween(state, line.number - 1), emptyBetween(state, line.number + 1)]
    view.dispatch({
      changes: { from: line.from, to: line.to, insert: before + after },
      selection: { anchor: line.from + before.length },
      userEvent: 'input',
      scrollIntoView: true,
    })
    return true
  }
  const mark = bullet ?? quote ?? `${Number(number) + 1}${sign}`
  const text = `\n${indent}${mark}${space}${task === undefined ? '' : '[ ] '}`
  view.dispatch({
    changes: { from: main.head, insert: text },
    selection: { anchor: main.head + text.length },
    userEvent: 'input',
    scrollIntoView: true,
  })
  return true
}

/**
 * Returns the line breaks between a line and its neighbour. Without an empty line, Markdown treats the text after a list as a part
 * of its last item.
 */
function emptyBetween({ doc }: EditorState, neighbour: number): string {
  const isThere = neighbour >= 1 && neighbour <= doc.lines
  return isThere && doc.line(neighbour).text.trim() !== '' ? '\n' : ''
}

export const bold = wrap('**')
export const italic = wrap('*')

export const markdownKeys: readonly KeyBinding[] = [
  { key: 'Enter', run: goOn },
  { key: 'Mod-b', run: bold },
  { key: 'Mod-i', run: italic },
]
