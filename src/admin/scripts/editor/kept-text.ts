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

/** Copies that were offered, and that nobody has used or dropped when the form was changed or sent. They are offered again. */
const asideKey = (entry: HTMLFormElement): string => `${keyOf(entry)} aside`

const mostAside = 3

function listAside(entry: HTMLFormElement): readonly Kept[] {
  try {
    const found = JSON.parse(localStorage.getItem(asideKey(entry)) ?? '[]') as readonly Kept[]
    return Array.isArray(found) ? found.filter((one) => Array.isArray(one?.fields)) : []
  } catch {
    return []
  }
}

function storeAside(entry: HTMLFormElement, all: readonly Kept[]): void {
  try {
    if (all.length === 0) localStorage.removeItem(asideKey(entry))
    else localStorage.setItem(asideKey(entry), JSON.stringify(all.slice(-mostAside)))
  } catch {
    // As above.
  }
}

/** The copy that this page offers, until somebody answers or it is put aside. */
let offered: Kept | undefined

/** Stores the current values of the form. A browser without storage, or with full storage, stores nothing. */
export function keep(entry: HTMLFormElement): void {
  if (offered) storeAside(entry, [...listAside(entry), offered])
  offered = undefined
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

/** Offers each copy on this device that differs from the text of the server. */
export function offerKept(entry: HTMLFormElement, setBody: (body: string) => void): void {
  const current = spelled(filledIn(entry))
  const isOther = (kept: Kept): boolean => spelled(kept.fields) !== current
  const aside = listAside(entry).filter(isOther)
  storeAside(entry, aside)
  for (const kept of aside) offer(entry, kept, setBody, () => storeAside(entry, without(listAside(entry), kept)))
  const last = find(entry)
  if (!last || hasComeBack(entry)) return
  if (!isOther(last)) return forget(entry)
  offered = last
  offer(entry, last, setBody, () => {
    if (offered) forget(entry)
    else storeAside(entry, without(listAside(entry), last))
    offered = undefined
  })
}

const without = (all: readonly Kept[], kept: Kept): readonly Kept[] =>
  all.filter(({ fields }) => spelled(fields) !== spelled(kept.fields))

/** Shows a copy above the form. @param answered called once somebody has used or dropped it */
function offer(entry: HTMLFormElement, kept: Kept, setBody: (body: string) => void, answered: () => void): void {
  const time = new Date(kept.at).toLocaleString(document.documentElement.lang)
  const use = makeButton({}, [word('editor_use')], () => {
    answered()
    box.remove()
    fillIn(entry, kept.fields, setBody)
    entry.dispatchEvent(new Event('input', { bubbles: true }))
  })
  const drop = makeButton({}, [word('editor_drop')], () => {
    answered()
    box.remove()
  })
  const words = make('p', {}, word('editor_kept', { time }))
  const box = make('div', { class: 'notice warn kept-text', role: 'status' }, words, use, drop)
  entry.before(box)
}

function fillIn(entry: HTMLFormElement, fields: Pairs, setBody: (body: string) => void): void {
  const valuesOf = (name: string): readonly string[] => fields.filter(([one]) => one === name).map(([, value]) => value)
  for (const field of entry.querySelectorAll<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>('[name]')) {
    const values = valuesOf(field.name)
    // The entry may have been published since.
    if (ofPage.has(field.name) || (field.name === 'published_at' && values[0] === '')) continue
    if (field instanceof HTMLInputElement && field.type === 'checkbox') field.checked = values.includes(field.value)
    else if (values[0] !== undefined) field.value = values[0]
  }
  setBody(valuesOf('body')[0] ?? '')
}
