// The live view: headings look like headings, pictures stand in place, and the marks of Markdown appear where the caret is. The
// text stays as it is. A button shows the source instead, and the browser remembers the choice.

import { syntaxTree } from '@codemirror/language'
import { Compartment, type Extension } from '@codemirror/state'
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { Drawing } from './drawing.ts'
import { draws, drawSections } from './draws.ts'
import { liveTables } from './tables.ts'
import { liveTheme } from './theme.ts'

function draw(view: EditorView, base: string): DecorationSet {
  const drawn = new Set<string>()
  const all = view.visibleRanges.flatMap((part) => {
    const drawing = new Drawing(view, part, base)
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

const drawings = (base: string): Extension =>
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet

      constructor(view: EditorView) {
        this.decorations = draw(view, base)
      }

      update(update: ViewUpdate): void {
        const { docChanged, viewportChanged, selectionSet, focusChanged, startState, state } = update
        if (docChanged || viewportChanged || selectionSet || focusChanged || syntaxTree(startState) !== syntaxTree(state))
          this.decorations = draw(update.view, base)
      }
    },
    { decorations: ({ decorations }) => decorations },
  )

const shown = new Compartment()
const key = 'postern.editor.source'

/** True if this browser shows the source. */
export const showsSource = (): boolean => localStorage.getItem(key) !== null

/** The view of the text that this browser shows. @param base the path of the site, empty at the root */
export const liveView = (base: string): Extension => shown.of(showsSource() ? [] : live(base))

const live = (base: string): Extension => [drawings(base), liveTables, liveTheme]

/** Changes between the live view and the source. */
export function showSource(view: EditorView, base: string, source: boolean): void {
  if (source) localStorage.setItem(key, '1')
  else localStorage.removeItem(key)
  view.dispatch({ effects: shown.reconfigure(source ? [] : live(base)) })
}
