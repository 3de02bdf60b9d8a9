// A dialog that asks for a few values.

import { make, makeButton } from '../element.ts'
import { word } from '../words.ts'

/** A value to ask for: the message of its label, and its first value. */
export interface AskedValue {
  readonly label: string
  readonly value: string
}

/** Opens a dialog, and hands over what was typed. A dialog that is cancelled does nothing. */
export function askIn(
  entry: HTMLFormElement,
  title: string,
  fields: readonly AskedValue[],
  done: (values: readonly string[]) => void,
): void {
  const inputs = fields.map(({ label, value }, place) => {
    const id = `ask-${place}`
    const input = make('input', { id, type: /^\d+$/.test(value) ? 'number' : 'text', min: '1', autocomplete: 'off', value })
    return { label: make('label', { for: id }, word(label)), input }
  })
  const add = make('button', { class: 'primary' }, word('editor_insert'))
  const cancel = makeButton({}, [word('editor_cancel')], () => dialog.close())
  const rows = inputs.flatMap(({ label, input }) => [label, input])
  const form = make(
    'form',
    { method: 'dialog' },
    make('h2', {}, word(title)),
    ...rows,
    make('p', { class: 'actions' }, add, cancel),
  )
  const dialog = make('dialog', { 'aria-label': word(title) }, form)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    dialog.close()
    // First the browser gives the focus back, and with it the old selection.
    setTimeout(() => done(inputs.map(({ input }) => input.value)))
  })
  dialog.addEventListener('close', () => dialog.remove())
  entry.after(dialog)
  dialog.showModal()
}
