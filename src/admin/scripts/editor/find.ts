// Find and replace: CodeMirror's panel, which becomes a part of the editor when it is opened for the first time.

import { highlightSelectionMatches, openSearchPanel, searchKeymap } from '@codemirror/search'
import { StateEffect } from '@codemirror/state'
import { type EditorView, keymap } from '@codemirror/view'
import { searchPhrases } from './search-phrases.ts'

const prepared = new WeakSet<EditorView>()

/** Opens the panel. */
export function openFind(view: EditorView): void {
  if (!prepared.has(view)) {
    const extensions = [keymap.of(searchKeymap), highlightSelectionMatches(), searchPhrases()]
    view.dispatch({ effects: StateEffect.appendConfig.of(extensions) })
    prepared.add(view)
  }
  openSearchPanel(view)
}
