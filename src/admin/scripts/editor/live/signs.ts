// Signs in place of marks: a bullet, a rule, the box of a task.

import { type EditorView, WidgetType } from '@codemirror/view'
import { make } from '../../element.ts'
import { word } from '../../words.ts'

class Sign extends WidgetType {
  readonly name: string
  readonly text: string

  constructor(name: string, text: string) {
    super()
    this.name = name
    this.text = text
  }

  override eq(other: Sign): boolean {
    return other.name === this.name
  }

  override toDOM(): HTMLElement {
    return make('span', { class: this.name, 'aria-hidden': 'true' }, this.text)
  }

  override ignoreEvent(): boolean {
    return false
  }
}

export const bullet = new Sign('live-bullet', '•')
export const rule = new Sign('live-rule', '')

/** The box of a task. A click ticks it in the text. */
export class TaskBox extends WidgetType {
  readonly isDone: boolean

  constructor(isDone: boolean) {
    super()
    this.isDone = isDone
  }

  override eq(other: TaskBox): boolean {
    return other.isDone === this.isDone
  }

  override toDOM(view: EditorView): HTMLElement {
    const box = make('input', { type: 'checkbox', class: 'live-task', 'aria-label': word('editor_task') })
    box.checked = this.isDone
    box.addEventListener('change', (event) => {
      event.stopPropagation()
      const at = view.posAtDOM(box)
      view.dispatch({ changes: { from: at + 1, to: at + 2, insert: box.checked ? 'x' : ' ' }, userEvent: 'input' })
    })
    box.addEventListener('input', (event) => event.stopPropagation())
    return box
  }
}
