// Reference fields: while a person types a part of a name, the results appear below the field as buttons, without a round trip.

import { ask, csrfOf } from '../ask.ts'
import { word } from '../words.ts'

const restMs = 250

interface Found {
  readonly value: string
  readonly title: string
  readonly note: string
  readonly image?: string
}

export function searchReferences(entry: HTMLFormElement): void {
  for (const box of entry.querySelectorAll<HTMLElement>('.reference')) start(entry, box)
}

function start(entry: HTMLFormElement, box: HTMLElement): void {
  const field = box.querySelector<HTMLInputElement | HTMLTextAreaElement>('.field input, .field textarea')
  const [chosen, list, search] = [box.querySelector('.chosen'), box.querySelector('.found'), box.querySelector('.small')]
  if (!field || !chosen || !list || !search) return
  const isMany = box.dataset['many'] === 'yes'
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = 0

  /** Chooses an object in place of the last line, which has the search words, unless that line names an object already. */
  const choose = (found: Found): void => {
    const lines = field.value.split('\n').filter((one) => one.trim() !== '')
    const kept = lines[lines.length - 1] === named ? lines : lines.slice(0, -1)
    named = found.value
    field.value = isMany ? [...new Set([...kept, found.value])].join('\n') : found.value
    const item = document.createElement('li')
    item.append(...shown(found))
    if (isMany) chosen.append(item)
    else chosen.replaceChildren(item)
    list.replaceChildren()
    field.focus()
    // The editor saves the choice; the search does not start again.
    isChoosing = true
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.dispatchEvent(new Event('change', { bubbles: true }))
    isChoosing = false
  }
  let isChoosing = false
  let named = lastLine(field.value)

  const show = async (words: string): Promise<void> => {
    const turn = ++asked
    const items = await find(entry, box, words)
    if (turn !== asked) return
    list.setAttribute('role', 'group')
    if (items.length > 0) return list.replaceChildren(...items.map((found) => button(found, () => choose(found))))
    const nothing = document.createElement('p')
    nothing.className = 'quiet'
    nothing.setAttribute('role', 'status')
    nothing.textContent = word('editor_nothing_found')
    list.replaceChildren(nothing)
  }
  const words = (): string => {
    const last = lastLine(field.value)
    return last === named ? '' : last
  }
  field.addEventListener('input', () => {
    clearTimeout(timer)
    if (isChoosing) return
    if (field.value.trim() === '') chosen.replaceChildren()
    if (words() === '') return list.replaceChildren()
    timer = setTimeout(() => void show(words()), restMs)
  })
  search.addEventListener('click', (event) => {
    event.preventDefault()
    void show(words())
  })
}

const lastLine = (text: string): string => text.slice(text.lastIndexOf('\n') + 1).trim()

function button(found: Found, run: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = 'choice-button'
  made.append(...shown(found))
  made.addEventListener('click', run)
  return made
}

function shown({ title, note, image }: Found): readonly Node[] {
  const text = document.createElement('span')
  text.textContent = title
  if (note !== '' && note !== title) {
    const small = document.createElement('small')
    small.textContent = note
    text.append(' ', small)
  }
  if (image === undefined) return [text]
  const picture = document.createElement('img')
  picture.src = image
  picture.alt = ''
  return [picture, text]
}

async function find(entry: HTMLFormElement, { dataset }: HTMLElement, words: string): Promise<readonly Found[]> {
  const query = new URLSearchParams({ kind: dataset['kind'] ?? '', of: dataset['of'] ?? '', q: words })
  // Without a connection there are no results, but a path can still be typed.
  const address = `${entry.dataset['links'] ?? ''}?${query.toString()}`
  return (await ask<{ readonly items: readonly Found[] }>(address, csrfOf(entry)))?.items ?? []
}
