// The parts of this package that `editor-more.ts` takes from the editor (`shared-modules.ts`).

export {
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
