// The fields whose values are not saved: the ones that the browser holds back, and the note at each of them.

import { make } from '../element.ts'
import { word } from '../words.ts'

/** A field whose value is not saved. */
export interface Unsaved {
  readonly name: string
  readonly message: string
  /** False for a valid value that waits for a button. */
  readonly isFault: boolean
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * Returns true for a field in which a part of a value would be another value, or which contains search words. It is saved when the
 * person leaves it.
 */
export const isHalfTyped = (field: EventTarget | null): boolean =>
  field === document.activeElement &&
  field instanceof HTMLElement &&
  (['slug', 'more_terms'].includes(field.getAttribute('name') ?? '') || field.closest('.reference') !== null)

/**
 * Lists the fields that are not sent: the half-typed one, and the ones without a valid value in the browser, such as a date without
 * a time.
 */
export function listUnread(entry: HTMLFormElement, half: EventTarget | null): readonly Unsaved[] {
  return [...entry.querySelectorAll<Control>('[name]')].flatMap((field): readonly Unsaved[] => {
    const { name, validity, validationMessage } = field
    if (validity?.badInput) return [{ name, message: validationMessage, isFault: true }]
    return field === half ? [{ name, message: word('editor_saved_when_left'), isFault: false }] : []
  })
}

/** Puts a note at each of these fields, and removes the earlier notes. @returns the labels of the fields */
export function showUnsaved(entry: HTMLFormElement, unsaved: readonly Unsaved[]): readonly string[] {
  for (const note of entry.querySelectorAll('.field > [id^="e-"]')) removeNote(entry, note)
  return unsaved.map((one) => {
    // The note about the checkboxes of terms is at the field for further terms.
    const name = one.name === 'terms' ? 'more_terms' : one.name
    const field = entry.querySelector<Control>(`[name="${CSS.escape(name)}"]`)
    if (field) addNote(field, one)
    return field?.labels?.[0]?.textContent?.trim() || name
  })
}

function addNote(field: Control, { message, isFault }: Unsaved): void {
  const note = make('p', { id: `e-${field.name}`, class: isFault ? 'fault' : 'help' }, message)
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
