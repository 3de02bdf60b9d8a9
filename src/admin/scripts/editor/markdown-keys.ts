// Keys in Markdown: marks around the selection. `enter.ts` has Enter, `blocks.ts` the marks before lines.

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

export const bold = wrap('**')
export const italic = wrap('*')

export const markdownKeys: readonly KeyBinding[] = [
  { key: 'Mod-b', run: bold },
  { key: 'Mod-i', run: italic },
]
