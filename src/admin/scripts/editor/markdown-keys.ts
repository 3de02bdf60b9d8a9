// Keys in Markdown: marks around the selection. `enter.ts` has Enter, `blocks.ts` the marks before lines.

import { EditorSelection, type Text } from '@codemirror/state'
import type { EditorView, KeyBinding } from '@codemirror/view'

/** True for a caret at the end of marked words: their mark comes next, and no longer one. */
function endsMarked(doc: Text, at: number, mark: string): boolean {
  const next = doc.sliceString(at, at + mark.length + 1)
  return next.startsWith(mark) && next.slice(mark.length) !== mark[0] && /\S/.test(doc.sliceString(at - 1, at))
}

/** True if a mark is before a place. Two stars are bold, and of three one is italic. */
function isMarked(doc: Text, at: number, mark: string): boolean {
  const before = doc.sliceString(Math.max(0, at - 3), at)
  const { length } = /(.?)\1*$/.exec(before)?.[0] ?? ''
  return before.endsWith(mark) && (mark !== '*' || length !== 2)
}

/** Puts a mark around each selection, or removes it. At the end of marked words it goes on without the mark. */
export function wrap(mark: string) {
  return (view: EditorView): boolean => {
    view.dispatch(
      view.state.changeByRange((range) => {
        const { doc } = view.state
        const inside = isMarked(doc, range.from, mark)
        if (inside && doc.sliceString(range.to, range.to + mark.length) === mark)
          return {
            changes: [
              { from: range.from - mark.length, to: range.from },
              { from: range.to, to: range.to + mark.length },
            ],
            range: EditorSelection.range(range.from - mark.length, range.to - mark.length),
          }
        if (range.empty && endsMarked(doc, range.to, mark)) return { range: EditorSelection.cursor(range.to + mark.length) }
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

export const bold = wrap('**')
export const italic = wrap('*')

export const markdownKeys: readonly KeyBinding[] = [
  { key: 'Mod-b', run: bold },
  { key: 'Mod-i', run: italic },
]
