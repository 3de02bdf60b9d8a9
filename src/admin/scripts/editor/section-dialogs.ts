// Sections by hand: a dialog with the kinds, a form for the attributes of one, and moving, copying and removing it.

import type { Text } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { findSections, type SectionLines } from '../../../content/sections/section-lines.ts'
import { ask, csrfOf } from '../ask.ts'
import { make, makeButton } from '../element.ts'
import { word } from '../words.ts'
import { insertBlock } from './insert-text.ts'
import { pickPictures } from './picture-picker.ts'
import type { SectionStep } from './section-steps.ts'

/** A kind of section, as the server tells it in the language of the page. */
interface Kind {
  readonly kind: string
  readonly title: string
  readonly fields: readonly Field[]
  readonly within?: readonly string[]
  readonly example: string
}

interface Field {
  readonly name: string
  readonly label: string
  readonly type: 'text' | 'link' | 'image' | 'choice' | 'number'
  readonly choices?: readonly string[]
}

let kinds: readonly Kind[] = []

async function kindsFor(entry: HTMLFormElement): Promise<readonly Kind[]> {
  if (kinds.length === 0)
    kinds = (await ask<{ readonly items: readonly Kind[] }>(entry.dataset['sections'] ?? '', csrfOf(entry)))?.items ?? []
  return kinds
}

/** Shows the kinds, and puts an example of the chosen one at the caret. */
export async function chooseSection(view: EditorView, entry: HTMLFormElement): Promise<void> {
  const all = await kindsFor(entry)
  const choices = all
    .filter(({ within }) => within === undefined)
    .map((kind) => {
      const chosen = makeButton(
        { class: `choice-button section-choice is-${kind.kind}` },
        [make('span', { class: 'drawn', 'aria-hidden': 'true' }), kind.title],
        () => {
          dialog.close()
          setTimeout(() => insertBlock(view, withoutPictures(kind.example)))
        },
      )
      return make('li', {}, chosen)
    })
  const dialog = openDialog(entry, word('editor_section'), make('ul', { class: 'section-choices' }, ...choices))
}

/** The pictures of an example are not in the library. */
const withoutPictures = (example: string): string =>
  example
    .replace(/ image="[^"]*"/g, '')
    .replace(/\{image="[^"]*" ?/g, '{')
    .replace(/ ?\{\}/g, '')
    .replace(/!\[[^\]]*\]\([^)]*\)\n?/g, '')

/** The lines of a section. */
interface Place extends SectionLines {
  readonly line: number
}

function sectionAt(doc: Text, at: number): Place | undefined {
  const line = doc.lineAt(at).number - 1
  const found = findSections(doc.toString()).get(line)
  return found && { ...found, line }
}

const steps: Readonly<Record<SectionStep, (view: EditorView, entry: HTMLFormElement, place: Place) => unknown>> = {
  editor_section_edit: editSection,
  editor_section_up: (view, _entry, place) => moveSection(view, place, -1),
  editor_section_down: (view, _entry, place) => moveSection(view, place, 1),
  editor_section_copy(view, _entry, place) {
    const { to, text } = rangeOf(view.state.doc, place)
    view.dispatch({ changes: { from: to, insert: `\n\n${text}` }, userEvent: 'input', scrollIntoView: true })
  },
  editor_section_remove(view, _entry, place) {
    const { doc } = view.state
    const { from, to } = rangeOf(doc, place)
    const end = Math.min(doc.length, doc.sliceString(to, to + 2) === '\n\n' ? to + 2 : to + 1)
    view.dispatch({ changes: { from, to: end }, selection: { anchor: from }, userEvent: 'delete' })
  },
}

export function changeSection(view: EditorView, entry: HTMLFormElement, at: number, step: SectionStep): void {
  const place = sectionAt(view.state.doc, at)
  if (place) void steps[step](view, entry, place)
  if (step !== 'editor_section_edit') view.focus()
}

function rangeOf(doc: Text, { line, end }: Place): { readonly from: number; readonly to: number; readonly text: string } {
  const [from, to] = [doc.line(line + 1).from, doc.line(end + 1).to]
  return { from, to, text: doc.sliceString(from, to) }
}

/** Exchanges a section with its neighbour: the section or paragraph before or after it. */
function moveSection(view: EditorView, place: Place, by: 1 | -1): void {
  const { doc } = view.state
  const own = rangeOf(doc, place)
  const next = neighbourOf(doc, place, by)
  if (!next) return
  const other = doc.sliceString(next.from, next.to)
  const [first, second] = by < 0 ? [next, own] : [own, next]
  const between = doc.sliceString(first.to, second.from)
  const insert = by < 0 ? own.text + between + other : other + between + own.text
  const anchor = by < 0 ? first.from : first.from + other.length + between.length
  view.dispatch({
    changes: { from: first.from, to: second.to, insert },
    selection: { anchor },
    userEvent: 'move',
    scrollIntoView: true,
  })
}

function neighbourOf(
  doc: Text,
  { line, end, depth }: Place,
  by: 1 | -1,
): { readonly from: number; readonly to: number } | undefined {
  const isThere = (number: number): boolean => number >= 1 && number <= doc.lines
  let at = by < 0 ? line : end + 2
  while (isThere(at) && doc.line(at).text.trim() === '') at += by
  if (!isThere(at)) return undefined
  const all = findSections(doc.toString())
  for (const [start, section] of all)
    if (section.depth === depth && (by < 0 ? section.end : start) === at - 1)
      return { from: doc.line(start + 1).from, to: doc.line(section.end + 1).to }
  // Within a section, its own lines end the neighbours.
  if (/^:{3,}/.test(doc.line(at).text)) return undefined
  let far = at
  while (isThere(far + by) && doc.line(far + by).text.trim() !== '' && !/^:{3,}/.test(doc.line(far + by).text)) far += by
  return { from: doc.line(Math.min(at, far)).from, to: doc.line(Math.max(at, far)).to }
}

const pair = /([A-Za-z][\w-]*)(?:[ \t]*=[ \t]*(?:"([^"]*)"|'([^']*)'|([^\s"'{}]+)))?/g

/** Opens a form for the attributes of a section. What the form does not know stays as it is. */
async function editSection(view: EditorView, entry: HTMLFormElement, place: Place): Promise<void> {
  const kind = (await kindsFor(entry)).find((one) => one.kind === place.kind)
  if (!kind) return
  const inner = place.attributes.trim().replace(/^\{|\}$/g, '')
  const values = new Map(
    [...inner.matchAll(pair)].map(([, name = '', double, single, bare]) => [name, double ?? single ?? bare ?? '']),
  )
  const rows = kind.fields.flatMap((field) => rowOf(entry, field, values))
  const save = make('button', { class: 'primary' }, word('editor_section_save'))
  const form = make(
    'form',
    { method: 'dialog' },
    ...(rows.length === 0 ? [make('p', {}, word('editor_section_plain'))] : rows),
    make('p', { class: 'actions' }, save),
  )
  const dialog = openDialog(entry, kind.title, form)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    dialog.close()
    for (const { name } of kind.fields) {
      const value = form.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value.trim() ?? ''
      if (value === '') values.delete(name)
      else values.set(name, value.replace(/"/g, '”'))
    }
    const attributes = [...values].map(([name, value]) => `${name}="${value}"`).join(' ')
    const line = view.state.doc.line(place.line + 1)
    const [colons = ':::'] = /^:{3,}/.exec(line.text) ?? []
    const insert = `${colons} ${place.kind}${attributes === '' ? '' : ` {${attributes}}`}`
    view.dispatch({ changes: { from: line.from, to: line.to, insert }, userEvent: 'input' })
    view.focus()
  })
}

function rowOf(
  entry: HTMLFormElement,
  { name, label, type, choices }: Field,
  values: ReadonlyMap<string, string>,
): readonly HTMLElement[] {
  const id = `section-${name}`
  const value = values.get(name) ?? ''
  if (type === 'image') return pictureRow(entry, { name, label }, value)
  const field =
    type === 'choice' || type === 'number'
      ? make(
          'select',
          { id, name },
          ...['', ...(choices ?? [])].map((one) => make('option', { value: one, selected: one === value ? '' : undefined }, one)),
        )
      : make('input', { id, name, type: 'text', value, autocomplete: 'off' })
  return [make('label', { for: id }, label), field]
}

/** The picture with its name, and buttons that change and remove it. */
function pictureRow(
  entry: HTMLFormElement,
  { name, label }: Pick<Field, 'name' | 'label'>,
  value: string,
): readonly HTMLElement[] {
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

function openDialog(entry: HTMLFormElement, title: string, content: HTMLElement): HTMLDialogElement {
  const close = makeButton({}, [word('editor_cancel')], () => dialog.close())
  const dialog = make('dialog', { 'aria-label': title, class: 'section-dialog' }, make('h2', {}, title), content, close)
  dialog.addEventListener('close', () => dialog.remove())
  entry.after(dialog)
  dialog.showModal()
  return dialog
}
