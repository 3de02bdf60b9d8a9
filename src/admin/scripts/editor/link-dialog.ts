// The dialog for a link, which finds entries by their titles.

import type { EditorView } from '@codemirror/view'
import { completeAddress } from '../../../base/complete-address.ts'
import { make, makeButton } from '../element.ts'
import { word } from '../words.ts'
import { insertText } from './insert-text.ts'
import { linkChoices } from './link-choices.ts'

/** A dialog that finds entries while a person types a part of their title. The person can also type an address. */
export function linkDialog(view: EditorView, entry: HTMLFormElement): HTMLDialogElement {
  const label = make('label', { for: 'link-words' }, word('editor_link_label'))
  const field = make('input', { id: 'link-words', type: 'text', autocomplete: 'off' })
  const list = linkChoices(entry, field, (title, path) => link(title, path))
  const tab = make('input', { type: 'checkbox' })
  const ownTab = make('label', { class: 'choice' }, tab, make('span', {}, word('editor_link_new_tab')))
  const cancel = makeButton({}, [word('editor_cancel')], () => dialog.close())
  const form = make('form', { method: 'dialog' }, label, field, list, ownTab, make('button', {}, word('editor_link_add')), cancel)
  const dialog = make('dialog', { 'aria-label': word('editor_link') }, form)
  const link = (title: string, path: string): void => {
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
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (field.value.trim() !== '') link(field.value.trim(), completeAddress(field.value))
  })
  return dialog
}
