// The dialog for a link, which finds entries by their titles.

import type { EditorView } from '@codemirror/view'
import { make, makeButton } from '../element.ts'
import { word } from '../words.ts'
import { insertText } from './insert-text.ts'
import { linkField, type LinkTarget } from './link-choices.ts'

/** A dialog that finds entries while a person types a part of their title. The person can also type an address. */
export function linkDialog(view: EditorView, entry: HTMLFormElement): HTMLDialogElement {
  const label = make('label', { for: 'link-words' }, word('editor_link_label'))
  const field = make('input', { id: 'link-words', type: 'text', autocomplete: 'off' })
  const { below, target } = linkField(entry, field, (chosen) => link(chosen))
  const tab = make('input', { type: 'checkbox' })
  const ownTab = make('label', { class: 'choice' }, tab, make('span', {}, word('editor_link_new_tab')))
  const cancel = makeButton({}, [word('editor_cancel')], () => dialog.close())
  const form = make(
    'form',
    { method: 'dialog' },
    label,
    field,
    ...below,
    ownTab,
    make('button', {}, word('editor_link_add')),
    cancel,
  )
  const dialog = make('dialog', { 'aria-label': word('editor_link') }, form)
  const link = ({ title, path }: LinkTarget): void => {
    const { from, to } = view.state.selection.main
    const words = view.state.doc.sliceString(from, to) || title
    insertText(
      view,
      `[${words.replace(/[[\]\\]/g, '\\$&')}](${path.replace(/[ ()]/g, encodeURIComponent)})${tab.checked ? '{target=_blank}' : ''}`,
    )
    tab.checked = false
    field.value = ''
    dialog.close()
  }
  let isBusy = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (isBusy || field.value.trim() === '') return
    isBusy = true
    void target().then((found) => {
      isBusy = false
      if (found && dialog.open) link(found)
    })
  })
  return dialog
}
