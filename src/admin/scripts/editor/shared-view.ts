// The parts of this package that `editor-more.ts` takes from the editor (`shared-modules.ts`).

export {
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
