// The parts of CodeMirror that `editor-more.ts` takes from the editor (`scripts/build.mjs`): the editor would not know those of a
// second copy.

import {
  CharCategory,
  codePointAt,
  codePointSize,
  combineConfig,
  EditorSelection,
  EditorState,
  Facet,
  findClusterBreak,
  fromCodePoint,
  Prec,
  RangeSetBuilder,
  StateEffect,
  StateField,
} from '@codemirror/state'
import {
  Decoration,
  EditorView,
  getDialog,
  getPanel,
  keymap,
  runScopeHandlers,
  showDialog,
  showPanel,
  ViewPlugin,
} from '@codemirror/view'

const editorModules = {
  '@codemirror/state': {
    CharCategory,
    codePointAt,
    codePointSize,
    combineConfig,
    EditorSelection,
    EditorState,
    Facet,
    findClusterBreak,
    fromCodePoint,
    Prec,
    RangeSetBuilder,
    StateEffect,
    StateField,
  },
  '@codemirror/view': {
    Decoration,
    EditorView,
    getDialog,
    getPanel,
    keymap,
    runScopeHandlers,
    showDialog,
    showPanel,
    ViewPlugin,
  },
}

/** Hands the modules to the script that is loaded next. */
export const shareModules = (): void => void Object.assign(globalThis, { editorModules })
