// The live view: headings look like headings, pictures stand in place, and the marks of Markdown appear where the caret is. The
// text stays as it is. A button shows the source instead, and the browser remembers the choice.

import { syntaxTree } from '@codemirror/language'
import { Compartment, type Extension } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { Drawing, type LiveOptions } from './drawing.ts'
import { draws, drawSections } from './draws.ts'
import { liveTables } from './tables.ts'

function draw(view: EditorView, options: LiveOptions): DecorationSet {
  const drawn = new Set<string>()
  const all = view.visibleRanges.flatMap((part) => {
    const drawing = new Drawing(view, part, options)
    syntaxTree(view.state).iterate({
      from: part.from,
      to: part.to,
      enter({ name, node }) {
        const key = `${name} ${node.from} ${part.from <= node.from}`
        if (drawn.has(key)) return
        drawn.add(key)
        draws[name]?.(node, drawing)
      },
    })
    drawSections(drawing)
    return drawing.ranges
  })
  return Decoration.set(all, true)
}

const drawings = (options: LiveOptions): Extension =>
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet

      constructor(view: EditorView) {
        this.decorations = draw(view, options)
      }

      update(update: ViewUpdate): void {
        const { docChanged, viewportChanged, selectionSet, focusChanged, startState, state } = update
        if (docChanged || viewportChanged || selectionSet || focusChanged || syntaxTree(startState) !== syntaxTree(state))
          this.decorations = draw(update.view, options)
      }
    },
    { decorations: ({ decorations }) => decorations },
  )

const shown = new Compartment()
const key = 'postern.editor.source'

/** True if this browser shows the source. */
export const showsSource = (): boolean => localStorage.getItem(key) !== null

/** The view of the text that this browser shows. */
export const liveView = (options: LiveOptions): Extension => shown.of(showsSource() ? [] : live(options))

/** The look of the live view is in the style sheet of the admin, under this name. */
const named = EditorView.editorAttributes.of({ class: 'cm-live' })
const live = (options: LiveOptions): Extension => [drawings(options), liveTables, named]

/** Changes between the live view and the source. */
export function showSource(view: EditorView, options: LiveOptions, source: boolean): void {
  if (source) localStorage.setItem(key, '1')
  else localStorage.removeItem(key)
  view.dispatch({ effects: shown.reconfigure(source ? [] : live(options)) })
}
