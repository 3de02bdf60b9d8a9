// Sections by hand: a dialog with the kinds, a form for the attributes of one, and moving, copying and removing it.

import type { Text } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { findSections, type SectionLines } from '../../../content/sections/section-lines.ts'
import { ask, csrfOf } from '../ask.ts'
import { make, makeButton } from '../element.ts'
import { word } from '../words.ts'
import { insertBlock } from './insert-text.ts'
import { picturesText } from './picture-text.ts'
import { pickPictures } from './picture-picker.ts'
import { readValues, writeValues } from './section-attributes.ts'
import { askForFields, openDialog, type SectionField } from './section-form.ts'
import { sectionItems, type SectionStep } from './section-steps.ts'

/** A kind of section, as the server tells it in the language of the page. */
interface Kind {
  readonly kind: string
  readonly title: string
  readonly fields: readonly SectionField[]
  readonly within?: readonly string[]
  readonly example: string
}

let kinds: readonly Kind[] = []

async function kindsFor(entry: HTMLFormElement): Promise<readonly Kind[]> {
  if (kinds.length === 0)
    kinds = (await ask<{ readonly items: readonly Kind[] }>(entry.dataset['sections'] ?? '', csrfOf(entry)))?.items ?? []
  return kinds
}

/**
 * Puts an example of a section at the caret.
 * @param kind of the section; undefined shows the kinds to choose from
 */
export async function chooseSection(view: EditorView, entry: HTMLFormElement, kind?: string): Promise<void> {
  const all = await kindsFor(entry)
  const known = all.find((one) => one.kind === kind)
  if (known) return beginSection(view, entry, known)
  const choices = all
    .filter(({ within }) => within === undefined)
    .map((one) => {
      const chosen = makeButton(
        { class: `choice-button section-choice is-${one.kind}` },
        [make('span', { class: 'drawn', 'aria-hidden': 'true' }), one.title],
        () => {
          dialog.close()
          setTimeout(() => beginSection(view, entry, one))
        },
      )
      return make('li', {}, chosen)
    })
  const cancel = makeButton({}, [word('editor_cancel')], () => dialog.close())
  const content = make('div', {}, make('ul', { class: 'section-choices' }, ...choices), cancel)
  const dialog = openDialog(entry, word('editor_section'), content)
}

/** Kinds that consist of pictures begin with the picker. */
const ofPictures: ReadonlySet<string> = new Set(['gallery', 'logos'])

/** The messages of kinds whose text is one line of words: the form of a new section asks for it too. */
const lineLabels: Readonly<Record<string, string>> = { button: 'sections.attribute_button' }

/** A section that can't do without a field asks for it first. */
function beginSection(view: EditorView, entry: HTMLFormElement, { kind, title, fields, example }: Kind): void {
  const label = lineLabels[kind]
  const line = label === undefined ? [] : [{ name: 'line', label: word(label), type: 'text', required: true } as const]
  const needed = [...line, ...fields.filter(({ required }) => required)]
  const put = (all: ReadonlyMap<string, string>): void => {
    const words = line.length > 0 ? (all.get('line') ?? '') : ''
    const values = new Map([...all].filter(([name]) => name !== 'line' || line.length === 0))
    const body = words === '' ? withoutPlaces(example) : `::: ${kind}\n${words.replace(/[\\`*_[\]<]/g, '\\$&')}\n:::`
    const text = body.replace(`::: ${kind}`, () => `::: ${kind}${writeValues(values)}`)
    putBehind(view, text, firstWords(text))
  }
  if (ofPictures.has(kind))
    pickPictures(entry, {
      done: (pictures) => putBehind(view, `::: ${kind}\n${picturesText(pictures)}\n:::`),
    })
  else if (needed.length > 0) askForFields(entry, { title, fields: needed, values: new Map(), done: put })
  else put(new Map())
}

/** Puts a new section behind the one that the caret is in: at the caret, it would divide that. */
function putBehind(view: EditorView, text: string, chosen?: { readonly from: number; readonly to: number }): void {
  const { doc, selection } = view.state
  const line = doc.lineAt(selection.main.head).number - 1
  for (const [start, { end, depth }] of findSections(doc.toString()))
    if (depth === 0 && start <= line && line <= end) view.dispatch({ selection: { anchor: doc.line(end + 1).to } })
  insertBlock(view, text, chosen)
}

/** The pictures of an example are not in the library, and its links lead to pages of another site. */
const withoutPlaces = (example: string): string =>
  example
    .replace(/ ?\b(?:image|href|button|address|form)="[^"]*"/g, '')
    .replace(/ ?\{ ?\}/g, '')
    .replace(/\{ /g, '{')
    .replace(/!\[[^\]]*\]\([^)]*\)\n?/g, '')

/** The words of a new section that a person writes anew: they are selected. */
function firstWords(text: string): { readonly from: number; readonly to: number } {
  let at = 0
  for (const line of text.split('\n')) {
    const [mark = ''] = /^(?:#+ |\d+\. |\| )?/.exec(line) ?? []
    const words = line.slice(mark.length).split(' |')[0] ?? ''
    if (!line.startsWith(':::') && words.trim() !== '') return { from: at + mark.length, to: at + mark.length + words.length }
    at += line.length + 1
  }
  return { from: text.length, to: text.length }
}

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
  editor_section_add: addItem,
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
    // Not `delete`: undo joins a quick deletion with the change before it, and a button is a step of its own.
    view.dispatch({ changes: { from, to: end }, selection: { anchor: from }, userEvent: 'input' })
  },
}

export function changeSection(view: EditorView, entry: HTMLFormElement, at: number, step: SectionStep): void {
  const place = sectionAt(view.state.doc, at)
  if (place) void steps[step](view, entry, place)
  if (step !== 'editor_section_edit') view.focus()
}

/** Adds a section at the end of the sections within one, such as a card. Its words are selected, to be written anew. */
async function addItem(view: EditorView, entry: HTMLFormElement, { kind, end }: Place): Promise<void> {
  const item = (await kindsFor(entry)).find((one) => one.kind === sectionItems[kind])
  if (!item) return
  const text = withoutPlaces(item.example)
  const at = view.state.doc.line(end + 1).from
  const { from, to } = firstWords(text)
  view.dispatch({
    changes: { from: at, insert: `${text}\n` },
    selection: { anchor: at + from, head: at + to },
    userEvent: 'input',
    scrollIntoView: true,
  })
  view.focus()
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

/** Opens a form for the fields of a section. What the form does not know stays as it is. */
async function editSection(view: EditorView, entry: HTMLFormElement, place: Place): Promise<void> {
  const kind = (await kindsFor(entry)).find((one) => one.kind === place.kind)
  if (!kind) return
  askForFields(entry, {
    title: kind.title,
    fields: kind.fields,
    values: readValues(place.attributes),
    done(values) {
      const line = view.state.doc.line(place.line + 1)
      const [colons = ':::'] = /^:{3,}/.exec(line.text) ?? []
      const insert = `${colons} ${place.kind}${writeValues(values)}`
      view.dispatch({ changes: { from: line.from, to: line.to, insert }, userEvent: 'input' })
      view.focus()
    },
  })
}
