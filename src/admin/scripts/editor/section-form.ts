// The form for the fields of a section: pictures by the picker, links by the titles of entries, and choices in words.

import { make, makeButton } from '../element.ts'
import { word } from '../words.ts'
import { linkField, type LinkTarget } from './link-choices.ts'
import { pickPictures } from './picture-picker.ts'

/** A field of a kind of sections, as the server tells it in the language of the page. */
export interface SectionField {
  readonly name: string
  readonly label: string
  readonly type: 'text' | 'link' | 'image' | 'choice' | 'number'
  readonly required?: true
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
}

interface Asked {
  readonly title: string
  readonly fields: readonly SectionField[]
  readonly values: ReadonlyMap<string, string>
  done(values: ReadonlyMap<string, string>): void
}

/** Opens a form for the fields. A dialog that is cancelled does nothing. */
export function askForFields(entry: HTMLFormElement, { title, fields, values, done }: Asked): void {
  const links: Links = new Map()
  const rows = fields.flatMap((field) => rowOf(entry, field, values.get(field.name) ?? '', links))
  const save = make('button', { class: 'primary' }, word('editor_section_save'))
  const cancel = makeButton({}, [word('editor_cancel')], () => dialog.close())
  const form = make(
    'form',
    { method: 'dialog' },
    ...(rows.length === 0 ? [make('p', {}, word('editor_section_plain'))] : rows),
    make('p', { class: 'actions' }, save, cancel),
  )
  const dialog = openDialog(entry, title, form)
  const read = async (): Promise<ReadonlyMap<string, string> | undefined> => {
    const after = new Map(values)
    for (const { name } of fields) {
      const value = form.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value.trim() ?? ''
      const target = links.get(name)
      const found = value === '' || !target ? { path: value } : await target()
      if (!found) return undefined
      if (found.path === '') after.delete(name)
      else after.set(name, found.path)
    }
    return after
  }
  let isBusy = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (isBusy) return
    isBusy = true
    void read().then((after) => {
      isBusy = false
      if (!after || !dialog.open) return
      dialog.close()
      // First the browser gives the focus back, and with it the old selection.
      setTimeout(() => done(after))
    })
  })
}

/** The targets of the typed texts, by the names of the fields for links. */
type Links = Map<string, () => Promise<LinkTarget | undefined>>

function rowOf(entry: HTMLFormElement, field: SectionField, value: string, links: Links): readonly HTMLElement[] {
  const { name, label, type, choices = [] } = field
  const id = `section-${name}`
  if (type === 'image') return pictureRow(entry, field, value)
  const attributes = { id, name, required: field.required && '' }
  const made =
    choices.length > 0
      ? make('select', attributes, ...optionsOf(field, value))
      : make('input', { ...attributes, type: 'text', value, autocomplete: 'off' })
  const found = type === 'link' && made instanceof HTMLInputElement ? linkRow(entry, made, links) : []
  return [make('label', { for: id }, label), made, ...found]
}

/** The choices of a field. A value that is none of them stays. */
function optionsOf({ choices = [], required }: SectionField, value: string): readonly HTMLOptionElement[] {
  const all = [...(required ? [] : [{ value: '', label: word('sections.choice_usual') }]), ...choices]
  const isThere = value === '' || all.some((one) => one.value === value)
  return [...all, ...(isThere ? [] : [{ value, label: value }])].map((one) =>
    make('option', { value: one.value, selected: one.value === value ? '' : undefined }, one.label),
  )
}

function linkRow(entry: HTMLFormElement, field: HTMLInputElement, links: Links): readonly HTMLElement[] {
  field.placeholder = word('editor_link_label')
  const { below, target } = linkField(entry, field, ({ path }) => {
    field.value = path
    field.focus()
  })
  links.set(field.name, target)
  return below
}

/** The picture with its name, and buttons that change and remove it. */
function pictureRow(entry: HTMLFormElement, { name, label }: SectionField, value: string): readonly HTMLElement[] {
  const base = (entry.dataset['upload'] ?? '').replace(/\/admin\/.*$/, '')
  const field = make('input', { name, type: 'hidden', value })
  const title = make('span', { class: 'picture-name' })
  const small = make('img', { alt: '' })
  const show = (path: string, image: string): void => {
    field.value = path
    title.textContent = path.slice(path.lastIndexOf('/') + 1)
    small.hidden = remove.hidden = path === ''
    if (path !== '') small.src = image
    change.textContent = word(path === '' ? 'editor_picture_choose' : 'picture_change')
  }
  const change = makeButton({ class: 'small' }, [], () =>
    pickPictures(entry, {
      isOne: true,
      done([picture]) {
        if (picture) show(picture.path, picture.image ?? base + picture.path)
      },
    }),
  )
  const remove = makeButton({ class: 'small' }, [word('picture_remove')], () => show('', ''))
  show(value, base + value)
  const group = make('div', { role: 'group', 'aria-label': label, class: 'picture-shown' }, small, title, change, remove, field)
  return [make('p', { class: 'picture-label' }, label), group]
}

/** Opens a dialog that is removed when it closes. */
export function openDialog(entry: HTMLFormElement, title: string, content: HTMLElement): HTMLDialogElement {
  const dialog = make('dialog', { 'aria-label': title, class: 'section-dialog' }, make('h2', {}, title), content)
  dialog.addEventListener('close', () => dialog.remove())
  entry.after(dialog)
  dialog.showModal()
  return dialog
}
