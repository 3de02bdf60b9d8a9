// Fits pasted Markdown into the text around it: blocks get empty lines around them, and in an item or quotation they stay in it.

import type { EditorState } from '@codemirror/state'
import { beginsBlock, prefixAt } from './place.ts'

interface Change {
  readonly from: number
  readonly to: number
  readonly insert: string
}

/** Returns the change that puts Markdown in place of a part of the text. */
export function fitted(
  state: EditorState,
  { from, to }: { readonly from: number; readonly to: number },
  markdown: string,
): Change {
  const isBlock = markdown.includes('\n\n') || beginsBlock(markdown.split('\n', 1)[0] ?? '')
  const first = state.doc.lineAt(from)
  const last = state.doc.lineAt(to)
  const before = first.text.slice(0, from - first.from)
  const after = last.text.slice(to - last.from)
  const mark = /^(\s*)(?:[-+*]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?$/.exec(before)
  // A list that is pasted into an empty item takes its place.
  if (mark && after.trim() === '' && /^(?:[-+*]|\d{1,9}[.)])\s/.test(markdown)) {
    const indent = mark[1] ?? ''
    return { from: first.from, to, insert: indent + markdown.replace(/\n(?=[^\n])/g, `\n${indent}`) }
  }
  const prefix = prefixAt(state, from)
  const lines = markdown.replace(/\n(?=[^\n])/g, `\n${prefix}`)
  if (!isBlock) return { from, to, insert: lines }
  const above = first.number > 1 ? state.doc.line(first.number - 1).text : ''
  const below = last.number < state.doc.lines ? state.doc.line(last.number + 1).text : ''
  const begin = before.trim() === '' || mark ? (before.trim() === '' && above.trim() !== '' ? '\n' : '') : `\n\n${prefix}`
  const end = after.trim() !== '' ? `\n\n${prefix}` : below.trim() !== '' ? '\n' : ''
  return { from, to, insert: begin + lines + end }
}
