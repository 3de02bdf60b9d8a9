// Puts text at the caret. This takes nothing of CodeMirror but the view itself, so that `editor-more.ts` can use it.

import type { Line, Text } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'

/** @param chosen the part of the text that is selected afterwards; its end if left out */
export function insertText(view: EditorView, text: string, chosen?: { readonly from: number; readonly to: number }): void {
  const { from, to } = view.state.selection.main
  const selection = chosen ? { anchor: from + chosen.from, head: from + chosen.to } : { anchor: from + text.length }
  view.dispatch({ changes: { from, to, insert: text }, selection, userEvent: 'input', scrollIntoView: true })
  view.focus()
}

/**
 * Puts a block at the caret, with an empty line on each side.
 * @param chosen the part of the block that is selected afterwards; its end if left out
 */
export function insertBlock(view: EditorView, text: string, chosen?: { readonly from: number; readonly to: number }): void {
  const { state } = view
  const line = lastOfTable(state.doc, state.doc.lineAt(state.selection.main.head))
  const isEmpty = line.text.trim() === ''
  const at = isEmpty ? line.from : line.to
  const before = breaks(isEmpty ? state.sliceDoc(Math.max(0, at - 2), at) : '', !isEmpty, at === 0)
  const rest = state.sliceDoc(line.to, line.to + 2)
  const after = rest === '' ? '\n' : rest === '\n\n' || line.to + 1 === state.doc.length ? '' : '\n'
  const start = at + before.length
  const selection = chosen ? { anchor: start + chosen.from, head: start + chosen.to } : { anchor: start + text.length }
  view.dispatch({
    changes: { from: at, to: line.to, insert: before + text + after },
    selection,
    userEvent: 'input',
    scrollIntoView: true,
  })
  view.focus()
}

/** The last line of a table: a block stands below it. */
function lastOfTable(doc: Text, line: Line): Line {
  let last = line
  while (last.text.includes('|') && last.number < doc.lines && doc.line(last.number + 1).text.includes('|'))
    last = doc.line(last.number + 1)
  return last
}

/** The line breaks between the text above and a block. */
function breaks(above: string, isInLine: boolean, isFirst: boolean): string {
  if (isInLine) return '\n\n'
  return isFirst || above === '\n\n' || above === '\n' ? '' : '\n'
}
