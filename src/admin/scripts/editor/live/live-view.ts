// The live view: headings look like headings, pictures stand in place, and the marks of Markdown appear where the caret is. The
// text stays as it is. A button shows the source instead, and the browser remembers the choice.

import { syntaxTree } from '@codemirror/language'
import { Compartment, type Extension } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { cellField } from './cell-field.ts'
import { Drawing, type LiveOptions } from './drawing.ts'
import { draws, drawSections } from './draws.ts'
import { tableMoves } from './table-moves.ts'
import { liveTables } from './tables.ts'
import { wholeLines } from './whole-lines.ts'

/** The decorations of the visible text, and the parts that the caret does not enter. */
interface Drawn {
  readonly shown: DecorationSet
  readonly closed: DecorationSet
}

function draw(view: EditorView, options: LiveOptions): Drawn {
  const drawn = new Set<string>()
  const all = view.visibleRanges.map((part) => {
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
    return drawing
  })
  const setOf = (name: 'ranges' | 'closed'): DecorationSet =>
    Decoration.set(
      all.flatMap((drawing) => drawing[name]),
      true,
    )
  return { shown: setOf('ranges'), closed: setOf('closed') }
}

const drawings = (options: LiveOptions): Extension =>
  ViewPlugin.fromClass(
    class {
      drawn: Drawn

      constructor(view: EditorView) {
        this.drawn = draw(view, options)
      }

      update(update: ViewUpdate): void {
        const { docChanged, viewportChanged, selectionSet, focusChanged, startState, state } = update
        if (docChanged || viewportChanged || selectionSet || focusChanged || syntaxTree(startState) !== syntaxTree(state))
          this.drawn = draw(update.view, options)
      }
    },
    {
      decorations: ({ drawn }) => drawn.shown,
      provide: (plugin) => EditorView.atomicRanges.of((view) => view.plugin(plugin)?.drawn.closed ?? Decoration.none),
    },
  )

const shown = new Compartment()
const key = 'postern.editor.source'

/** True if this browser shows the source. */
export const showsSource = (): boolean => localStorage.getItem(key) !== null

/** The view of the text that this browser shows. */
export const liveView = (options: LiveOptions): Extension => shown.of(showsSource() ? [] : live(options))

/** The look of the live view is in the style sheet of the admin, under this name. */
const named = EditorView.editorAttributes.of({ class: 'cm-live' })
const live = (options: LiveOptions): Extension => [drawings(options), liveTables, tableMoves, cellField, wholeLines, named]

/** Changes between the live view and the source. */
export function showSource(view: EditorView, options: LiveOptions, source: boolean): void {
  if (source) localStorage.setItem(key, '1')
  else localStorage.removeItem(key)
  view.dispatch({ effects: shown.reconfigure(source ? [] : live(options)) })
}
