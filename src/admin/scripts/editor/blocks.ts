// Changes of whole lines: headings and lists, and the new footnote.

import type { ChangeSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'

/** Puts a mark before each selected line, or removes it if every line has it. Another heading mark is replaced. */
export function prefix(mark: (place: number) => string) {
  return (view: EditorView): boolean => {
    const { state } = view
    const { from, to } = state.selection.main
    const [first, last] = [state.doc.lineAt(from).number, state.doc.lineAt(to).number]
    const lines = Array.from({ length: last - first + 1 }, (_, place) => state.doc.line(first + place))
    const marked = lines.every((line, place) => line.text.startsWith(mark(place)))
    const changes = lines.map((line, place): ChangeSpec => {
      const known = mark(place).startsWith('#') ? (/^#{1,6} /.exec(line.text)?.[0].length ?? 0) : 0
      if (marked) return { from: line.from, to: line.from + mark(place).length }
      return { from: line.from, to: line.from + known, insert: mark(place) }
    })
    // In an empty line the caret goes on after the mark.
    const set = state.changes(changes)
    view.dispatch({ changes: set, selection: state.selection.map(set, 1), userEvent: 'input', scrollIntoView: true })
    return true
  }
}

/** Puts the mark of a new footnote at the caret, and the caret into its text at the end. */
export function insertFootnote(view: EditorView): void {
  const { state } = view
  const text = state.doc.toString()
  const taken = new Set([...text.matchAll(/\[\^(\d{1,4})\]/g)].map(([, label]) => Number(label)))
  let label = 1
  while (taken.has(label)) label++
  const end = text.length
  const gap = text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  const mark = `[^${label}]`
  const note = `${gap}${mark}: `
  const at = state.selection.main.to
  view.dispatch({
    changes: [
      { from: at, insert: mark },
      { from: end, insert: note },
    ],
    selection: { anchor: end + mark.length + note.length },
    userEvent: 'input',
    scrollIntoView: true,
  })
  view.focus()
}
