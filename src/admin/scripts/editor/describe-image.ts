// Asks for the description of an uploaded picture in a panel below the text. The description is empty until the person answers,
// which is optional. If there are several pictures, the panel asks about one after the other.

import { type Extension, StateEffect, StateField } from '@codemirror/state'
import { type EditorView, type Panel, showPanel } from '@codemirror/view'
import { make, makeButton } from '../element.ts'
import { word } from '../words.ts'
import { inMarkdown } from './picture-text.ts'
import { describeFile } from './send-picture.ts'

interface Question {
  open(view: EditorView): Panel
}

const ask = StateEffect.define<Question>()
const answered = StateEffect.define<Question>()

/** The open questions. The panel shows the first one. */
export const describeImages: Extension = StateField.define<readonly Question[]>({
  create: () => [],
  update: (questions, { effects }) =>
    effects.reduce((left, effect) => {
      if (effect.is(ask)) return [...left, effect.value]
      return effect.is(answered) ? left.filter((one) => one !== effect.value) : left
    }, questions),
  provide: (field) => showPanel.from(field, ([first]) => first?.open ?? null),
})

/** The answer describes the file in the library, too, for the next text. @param path of the picture, as the text names it */
export function askToDescribe(view: EditorView, entry: HTMLFormElement, file: File, path: string): void {
  const close = (inView: EditorView, alt: string): void => {
    settle(inView, question, path, alt)
    void describeFile(entry, path, alt)
  }
  const question: Question = { open: (inView) => panelOf(inView, file, (alt) => close(inView, alt)) }
  view.dispatch({ effects: ask.of(question) })
}

/** Closes the panel, and puts the description at the first place that has the picture without a description. */
function settle(view: EditorView, question: Question, path: string, alt: string): void {
  const place = view.state.doc.toString().indexOf(`![](${path})`)
  view.dispatch({
    effects: answered.of(question),
    ...(place >= 0 &&
      alt.trim() !== '' && { changes: { from: place + '!['.length, insert: inMarkdown(alt) }, userEvent: 'input' }),
  })
  view.focus()
}

function panelOf(view: EditorView, file: File, close: (alt: string) => void): Panel {
  const picture = make('img', { src: URL.createObjectURL(file), alt: '' })
  const label = make('label', { for: 'describe-image' }, word('editor_describe', { name: file.name }))
  const field = make('input', { id: 'describe-image', type: 'text', maxlength: '1000' })
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing) return
    event.preventDefault()
    close(field.value)
  })
  // The description is not part of the form until it is in the text.
  for (const name of ['input', 'change']) field.addEventListener(name, (event) => event.stopPropagation())
  const add = makeButton({}, [word('editor_describe_add')], () => close(field.value))
  const not = makeButton({}, [word('editor_describe_not')], () => close(''))
  const dom = make('div', { class: 'describe' }, picture, label, field, add, not)
  return { dom, destroy: () => URL.revokeObjectURL(picture.src) }
}
