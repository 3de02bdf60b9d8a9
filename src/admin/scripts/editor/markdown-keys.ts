// Keys in Markdown: marks around the selection and before lines. `enter.ts` has Enter.

import { EditorSelection } from '@codemirror/state'
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

export const bold = wrap('**')
export const italic = wrap('*')

export const markdownKeys: readonly KeyBinding[] = [
  { key: 'Mod-b', run: bold },
  { key: 'Mod-i', run: italic },
]
