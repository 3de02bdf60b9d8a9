// Fields whose values are not saved: which of them the browser holds back, and the note at each of them.

import { word } from '../words.ts'

/** A field whose value is not saved. */
export interface Unsaved {
  readonly name: string
  readonly message: string
  /** False for a value that only has to wait. */
  readonly isFault: boolean
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * True for a field in which a part of a value would be another value, or are words of a search. It is saved when the person leaves
 * it.
 */
export const isHalfTyped = (field: EventTarget | null): boolean =>
  field === document.activeElement &&
  field instanceof HTMLElement &&
  (field.getAttribute('name') === 'slug' || field.closest('.reference') !== null)

/**
 * Lists the fields that are not sent: the half-typed one, and those of which the browser has no value, such as a date without a
 * time.
 */
export function listUnread(entry: HTMLFormElement, half: EventTarget | null): readonly Unsaved[] {
  return [...entry.querySelectorAll<Control>('[name]')].flatMap((field): readonly Unsaved[] => {
    const { name, validity, validationMessage } = field
    if (validity?.badInput) return [{ name, message: validationMessage, isFault: true }]
    return field === half ? [{ name, message: word('editor_saved_when_left'), isFault: false }] : []
  })
}

/** Puts a note at each of these fields, in place of the notes before. @returns the labels of the fields */
export function showUnsaved(entry: HTMLFormElement, unsaved: readonly Unsaved[]): readonly string[] {
  for (const note of entry.querySelectorAll('.field > [id^="e-"]')) removeNote(entry, note)
  return unsaved.map((one) => {
    // The boxes of terms have their note at the field for further ones.
    const name = one.name === 'terms' ? 'more_terms' : one.name
    const field = entry.querySelector<Control>(`[name="${CSS.escape(name)}"]`)
    if (field) addNote(field, one)
    return field?.labels?.[0]?.textContent?.trim() || name
  })
}

function addNote(field: Control, { message, isFault }: Unsaved): void {
  const note = document.createElement('p')
  note.id = `e-${field.name}`
  note.className = isFault ? 'fault' : 'help'
  note.textContent = message
  field.closest('.field')?.append(note)
  field.setAttribute('aria-describedby', [field.getAttribute('aria-describedby') ?? '', note.id].join(' ').trim())
  if (!isFault) return
  field.setAttribute('aria-invalid', 'true')
  const panel = field.closest('details')
  if (panel) panel.open = true
}

function removeNote(entry: HTMLFormElement, note: Element): void {
  const field = entry.querySelector<Control>(`[name="${CSS.escape(note.id.slice('e-'.length))}"]`)
  const ids = (field?.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id !== note.id)
  if (ids.length > 0) field?.setAttribute('aria-describedby', ids.join(' '))
  else field?.removeAttribute('aria-describedby')
  field?.removeAttribute('aria-invalid')
  note.remove()
}
