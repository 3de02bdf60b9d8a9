// The text on the device: kept with each change until the server has it, and offered when the page is opened again.

import { word } from '../words.ts'

const keyOf = ({ dataset, action }: HTMLFormElement): string =>
  `postern-text ${dataset['entry'] || new URL(action, location.href).search} ${dataset['autosave'] ?? ''}`

interface Kept {
  readonly title: string
  readonly body: string
  readonly at: number
}

const valueOf = (entry: HTMLFormElement, name: string): string =>
  entry.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[name="${name}"]`)?.value ?? ''

/** Keeps what the form says now. A browser without storage, or a full one, keeps nothing. */
export function keep(entry: HTMLFormElement): void {
  try {
    const kept: Kept = { title: valueOf(entry, 'title'), body: valueOf(entry, 'body'), at: Date.now() }
    localStorage.setItem(keyOf(entry), JSON.stringify(kept))
  } catch {
    // Storage is an addition to the server's; without it the form works as before.
  }
}

/** The server has it. */
export function forget(entry: HTMLFormElement): void {
  try {
    localStorage.removeItem(keyOf(entry))
  } catch {
    // As above.
  }
}

function find(entry: HTMLFormElement): Kept | undefined {
  try {
    return (JSON.parse(localStorage.getItem(keyOf(entry)) ?? 'null') as Kept | null) ?? undefined
  } catch {
    return undefined
  }
}

/** Shows what this device has and the server has not, and lets the person choose. */
export function offerKept(entry: HTMLFormElement, setBody: (body: string) => void): void {
  const kept = find(entry)
  if (!kept) return
  if (kept.body === valueOf(entry, 'body') && kept.title.trim() === valueOf(entry, 'title').trim()) return forget(entry)
  const box = document.createElement('div')
  const words = document.createElement('p')
  const use = document.createElement('button')
  const drop = document.createElement('button')
  box.className = 'notice warn'
  box.id = 'kept'
  box.setAttribute('role', 'status')
  words.textContent = word('editor_kept', { time: new Date(kept.at).toLocaleString(document.documentElement.lang) })
  use.type = drop.type = 'button'
  use.textContent = word('editor_use')
  drop.textContent = word('editor_drop')
  use.addEventListener('click', () => {
    const title = entry.querySelector<HTMLInputElement>('[name="title"]')
    if (title) title.value = kept.title
    setBody(kept.body)
    entry.dispatchEvent(new Event('input', { bubbles: true }))
    box.remove()
  })
  drop.addEventListener('click', () => {
    forget(entry)
    box.remove()
  })
  box.append(words, use, drop)
  entry.before(box)
}
