// The row of buttons above the text. The link dialog finds entries by their titles.

import type { EditorView } from '@codemirror/view'
import { findLinks } from '../ask.ts'
import { make, makeButton } from '../element.ts'
import { word } from '../words.ts'
import { bold, insertText, italic, prefix } from './markdown-keys.ts'

type Upload = (files: readonly File[]) => void

interface Tool {
  /** A message of `scripts.json`. */
  readonly name: string
  /** The face of the button: a letter, or the name of an icon. */
  readonly sign: string
  readonly keys?: string
  run(view: EditorView): unknown
}

const tools: readonly Tool[] = [
  { name: 'editor_bold', sign: 'B', keys: 'Control+B', run: bold },
  { name: 'editor_italic', sign: 'I', keys: 'Control+I', run: italic },
  { name: 'editor_heading', sign: 'H', run: prefix(() => '## ') },
  { name: 'editor_list', sign: 'list', run: prefix(() => '- ') },
  { name: 'editor_numbered', sign: 'numbered', run: prefix((place) => `${place + 1}. `) },
  { name: 'editor_quotation', sign: '”', run: prefix(() => '> ') },
]

export function addToolbar(view: EditorView, entry: HTMLFormElement, upload: Upload): void {
  const dialog = linkDialog(view, entry)
  const buttons = [
    ...tools.map(({ name, sign, keys, run }) => button(word(name), drawn(sign), keys, () => (run(view), view.focus()))),
    button(word('editor_link'), drawn('link'), undefined, () => dialog.showModal()),
    imageButton(upload),
  ]
  view.dom.before(make('div', { class: 'toolbar', role: 'group', 'aria-label': word('editor_formatting') }, ...buttons))
  entry.after(dialog)
}

/** The icons, in the style of the other pages: lines of 20 by 20 in the colour of the text. */
const icons: ReadonlyMap<string, string> = new Map([
  ['list', 'M8 5h9M8 10h9M8 15h9M4 5h.01M4 10h.01M4 15h.01'],
  ['numbered', 'M9 5h8M9 10h8M9 15h8M3 4l1.5-1v5M3 12c0-1.5 2.5-1.5 2.5 0 0 1-2.5 2.5-2.5 4h2.5'],
  ['link', 'M8 12 12 8M9 6l1.5-1.5a3.5 3.5 0 0 1 5 5L14 11M11 14l-1.5 1.5a3.5 3.5 0 0 1-5-5L6 9'],
  ['image', 'M3 4h14v12H3zM3 13l4-4 4 4 2-2 4 4M13 8h.01'],
])

/** The icon of this name. Any other sign is shown as a letter. */
function drawn(sign: string): string | SVGSVGElement {
  const path = icons.get(sign)
  if (path === undefined) return sign
  const space = 'http://www.w3.org/2000/svg'
  const made = document.createElementNS(space, 'svg')
  const line = document.createElementNS(space, 'path')
  line.setAttribute('d', path)
  made.append(line)
  const attributes = { class: 'icon', viewBox: '0 0 20 20', width: '18', height: '18', fill: 'none', stroke: 'currentColor' }
  for (const [name, value] of Object.entries({ ...attributes, 'stroke-width': '1.5', 'aria-hidden': 'true' }))
    made.setAttribute(name, value)
  made.setAttribute('stroke-linecap', 'round')
  return made
}

function button(name: string, sign: string | SVGSVGElement, keys: string | undefined, run: () => void): HTMLButtonElement {
  const title = keys === undefined ? name : word('editor_tool_keys', { name, keys })
  const attributes = { title, 'aria-label': name === sign ? undefined : name, 'aria-keyshortcuts': keys }
  return makeButton(attributes, [sign], run)
}

function imageButton(upload: Upload): HTMLButtonElement {
  const chooser = make('input', { type: 'file', accept: 'image/*', multiple: '' })
  chooser.addEventListener('change', () => {
    upload([...(chooser.files ?? [])])
    chooser.value = ''
  })
  return button(word('editor_image'), drawn('image'), undefined, () => chooser.click())
}

interface Found {
  readonly title: string
  /** An entry without a path, such as one in the trash, can't be linked to. */
  readonly path?: string
  /** The path and status of the entry. */
  readonly note: string
}

/** A dialog that finds entries while a person types a part of their title. The person can also type an address. */
function linkDialog(view: EditorView, entry: HTMLFormElement): HTMLDialogElement {
  const label = make('label', { for: 'link-words' }, word('editor_link_label'))
  const field = make('input', { id: 'link-words', type: 'text', autocomplete: 'off' })
  const list = make('ul', { class: 'lines' })
  const cancel = button(word('editor_cancel'), word('editor_cancel'), undefined, () => dialog.close())
  const form = make('form', { method: 'dialog' }, label, field, list, make('button', {}, word('editor_link_add')), cancel)
  const dialog = make('dialog', { 'aria-label': word('editor_link') }, form)
  const link = (title: string, path: string): void => {
    const { from, to } = view.state.selection.main
    const words = view.state.doc.sliceString(from, to) || title
    insertText(view, `[${words.replace(/[[\]\\]/g, '\\$&')}](${path.replace(/[ ()]/g, encodeURIComponent)})`)
    field.value = ''
    dialog.close()
  }
  const choice = ({ title, note, path = '' }: Found): HTMLLIElement => {
    const chosen = button(title, title, undefined, () => link(title, path))
    return make('li', {}, chosen, make('small', {}, note))
  }
  let asked = 0
  field.addEventListener('input', () => {
    const turn = ++asked
    const words = field.value
    void (words.trim() === '' ? Promise.resolve([]) : findLinks<Found>(entry, { q: words })).then((found) => {
      if (turn === asked) list.replaceChildren(...found.filter(({ path }) => path !== undefined).map(choice))
    })
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (field.value.trim() !== '') link(field.value.trim(), field.value.trim())
  })
  return dialog
}
