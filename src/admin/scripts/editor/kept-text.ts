// A copy of the form on this device. It is updated with each change until the server has everything, and offered when the page is
// opened again.

import { make, makeButton } from '../element.ts'
import { word } from '../words.ts'
import { passwordFields } from './send-form.ts'

const keyOf = ({ dataset, action }: HTMLFormElement): string =>
  `postern-text ${dataset['entry'] || new URL(action, location.href).search} ${dataset['autosave'] ?? ''}`

type Pairs = readonly (readonly [name: string, value: string])[]

interface Kept {
  readonly fields: Pairs
  readonly at: number
}

/** The fields of the page itself, which nobody fills in, and those of the password, which no device keeps. */
const ofPage: ReadonlySet<string> = new Set(['csrf', 'revision', 'shown', 'settles', 'do', ...passwordFields])

const filledIn = (entry: HTMLFormElement): Pairs =>
  [...new FormData(entry)].flatMap(([name, value]) => (typeof value === 'string' && !ofPage.has(name) ? [[name, value]] : []))

/** Stores the current values of the form. A browser without storage, or with full storage, stores nothing. */
export function keep(entry: HTMLFormElement): void {
  try {
    const kept: Kept = { fields: filledIn(entry), at: Date.now() }
    localStorage.setItem(keyOf(entry), JSON.stringify(kept))
  } catch {
    // The copy is optional; without it the form works as before.
  }
}

/** The name of an item in the storage of this tab. Its value is the key of the form that this tab sent last. */
const sentKey = 'postern-sent'

/** Stores the current values of the form while it is being sent. The next page of this tab says if they were saved. */
export function keepSent(entry: HTMLFormElement): void {
  keep(entry)
  try {
    sessionStorage.setItem(sentKey, keyOf(entry))
  } catch {
    // As above.
  }
}

const sent = (): string | null => {
  try {
    return sessionStorage.getItem(sentKey)
  } catch {
    return null
  }
}

/** Deletes the copy of the form, because the server has it. */
export function forget(entry: HTMLFormElement): void {
  try {
    localStorage.removeItem(keyOf(entry))
  } catch {
    // As above.
  }
}

/** Returns true if the form was sent and came back unsaved, because it was refused or only previewed. */
export function hasComeBack(entry: HTMLFormElement): boolean {
  const kept = find(entry)
  return kept !== undefined && sent() === keyOf(entry) && spelled(kept.fields) === spelled(filledIn(entry))
}

function find(entry: HTMLFormElement): Kept | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(entry)) ?? 'null') as Kept | null
    return Array.isArray(kept?.fields) ? kept : undefined
  } catch {
    return undefined
  }
}

/**
 * Deletes the copy of a form that the previous page has saved. The confirmation is removed from the address, so a reload does not
 * repeat it.
 */
export function forgetDone(): void {
  const address = new URL(location.href)
  if (!address.searchParams.has('done')) return
  try {
    localStorage.removeItem(sent() ?? '')
    sessionStorage.removeItem(sentKey)
  } catch {
    // As above.
  }
  address.searchParams.delete('done')
  history.replaceState(null, '', address)
}

const spelled = (fields: Pairs): string =>
  JSON.stringify(fields.filter(([name]) => name !== 'key').map(([name, value]) => [name, value.replace(/\r\n?/g, '\n').trim()]))

/** Offers the copy on this device if the server has a different text. */
export function offerKept(entry: HTMLFormElement, setBody: (body: string) => void): void {
  const kept = find(entry)
  if (!kept || hasComeBack(entry)) return
  if (spelled(kept.fields) === spelled(filledIn(entry))) return forget(entry)
  const time = new Date(kept.at).toLocaleString(document.documentElement.lang)
  const use = makeButton({}, [word('editor_use')], () => {
    fillIn(entry, kept.fields, setBody)
    entry.dispatchEvent(new Event('input', { bubbles: true }))
    box.remove()
  })
  const drop = makeButton({}, [word('editor_drop')], () => {
    forget(entry)
    box.remove()
  })
  const words = make('p', {}, word('editor_kept', { time }))
  const box = make('div', { class: 'notice warn', id: 'kept', role: 'status' }, words, use, drop)
  entry.before(box)
}

function fillIn(entry: HTMLFormElement, fields: Pairs, setBody: (body: string) => void): void {
  const valuesOf = (name: string): readonly string[] => fields.filter(([one]) => one === name).map(([, value]) => value)
  for (const field of entry.querySelectorAll<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>('[name]')) {
    const values = valuesOf(field.name)
    if (ofPage.has(field.name)) continue
    if (field instanceof HTMLInputElement && field.type === 'checkbox') field.checked = values.includes(field.value)
    else if (values[0] !== undefined) field.value = values[0]
  }
  setBody(valuesOf('body')[0] ?? '')
}
