// The parts of CodeMirror that `editor-more.ts` takes from the editor (`scripts/build.mjs`): the editor would not know those of a
// second copy.

import * as state from './shared-state.ts'
import * as view from './shared-view.ts'

const editorModules = { '@codemirror/state': state, '@codemirror/view': view }

/** Hands the modules to the script that is loaded next. */
export const shareModules = (): void => void Object.assign(globalThis, { editorModules })
