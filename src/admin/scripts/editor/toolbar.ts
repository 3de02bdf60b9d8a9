// The row of buttons above the text. Links are found by the titles of entries.

import type { EditorView } from '@codemirror/view'
import { bold, insertText, italic, prefix } from './markdown-keys.ts'

type Upload = (files: readonly File[]) => void

interface Tool {
  readonly name: string
  readonly sign: string
  readonly keys?: string
  run(view: EditorView): unknown
}

const tools: readonly Tool[] = [
  { name: 'Bold', sign: 'B', keys: 'Control+B', run: bold },
  { name: 'Italic', sign: 'I', keys: 'Control+I', run: italic },
  { name: 'Heading', sign: 'H', run: prefix(() => '## ') },
  { name: 'List', sign: 'List', run: prefix(() => '- ') },
  { name: 'Numbered list', sign: 'Numbered', run: prefix((place) => `${place + 1}. `) },
  { name: 'Quotation', sign: '”', run: prefix(() => '> ') },
]

export function addToolbar(view: EditorView, entry: HTMLFormElement, upload: Upload): void {
  const bar = document.createElement('div')
  bar.className = 'toolbar'
  bar.setAttribute('role', 'group')
  bar.setAttribute('aria-label', 'Formatting')
  for (const tool of tools) {
    const { name, sign, keys, run } = tool
    bar.append(button(name, sign, keys, () => (run(view), view.focus())))
  }
  const dialog = linkDialog(view, entry)
  bar.append(
    button('Link', 'Link', undefined, () => dialog.showModal()),
    imageButton(upload),
  )
  view.dom.before(bar)
  entry.after(dialog)
}

function button(name: string, sign: string, keys: string | undefined, run: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.textContent = sign
  made.title = keys === undefined ? name : `${name} (${keys})`
  if (name !== sign) made.setAttribute('aria-label', name)
  if (keys !== undefined) made.setAttribute('aria-keyshortcuts', keys)
  made.addEventListener('click', run)
  return made
}

function imageButton(upload: Upload): HTMLButtonElement {
  const chooser = document.createElement('input')
  chooser.type = 'file'
  chooser.accept = 'image/*'
  chooser.multiple = true
  chooser.addEventListener('change', () => {
    upload([...(chooser.files ?? [])])
    chooser.value = ''
  })
  return button('Image', 'Image', undefined, () => chooser.click())
}

interface Found {
  readonly title: string
  readonly path: string
}

/** A dialog that finds entries while somebody types a part of their title; an address can be typed as well. */
function linkDialog(view: EditorView, entry: HTMLFormElement): HTMLDialogElement {
  const dialog = document.createElement('dialog')
  const form = document.createElement('form')
  const label = document.createElement('label')
  const field = document.createElement('input')
  const list = document.createElement('ul')
  const cancel = button('Cancel', 'Cancel', undefined, () => dialog.close())
  const add = document.createElement('button')
  form.method = 'dialog'
  label.textContent = 'Title of an entry, or an address'
  label.htmlFor = field.id = 'link-words'
  field.type = 'text'
  field.autocomplete = 'off'
  list.className = 'lines'
  add.textContent = 'Add the address'
  form.append(label, field, list, add, cancel)
  dialog.append(form)
  dialog.setAttribute('aria-label', 'Link')
  const link = (title: string, path: string): void => {
    const { from, to } = view.state.selection.main
    const words = view.state.doc.sliceString(from, to) || title
    insertText(view, `[${words.replace(/[[\]\\]/g, '\\$&')}](${path.replace(/[ ()]/g, encodeURIComponent)})`)
    field.value = ''
    dialog.close()
  }
  const choice = ({ title, path }: Found): HTMLLIElement => {
    const one = document.createElement('li')
    const chosen = button(title, title, undefined, () => link(title, path))
    one.append(chosen)
    return one
  }
  let asked = 0
  field.addEventListener('input', () => {
    const turn = ++asked
    void find(entry.dataset['links'] ?? '', field.value).then((found) => {
      if (turn === asked) list.replaceChildren(...found.map(choice))
    })
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (field.value.trim() !== '') link(field.value.trim(), field.value.trim())
  })
  return dialog
}

async function find(path: string, words: string): Promise<readonly Found[]> {
  if (words.trim() === '') return []
  try {
    const answer = await fetch(`${path}?q=${encodeURIComponent(words)}`)
    return answer.ok ? ((await answer.json()) as { items: readonly Found[] }).items : []
  } catch {
    // Without a connection nothing is found; an address can still be typed.
    return []
  }
}
