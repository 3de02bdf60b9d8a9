// Reference fields: while a person types a part of a name, the results appear below the field as buttons, without a round trip.

import { findLinks } from '../ask.ts'
import { make, makeButton } from '../element.ts'
import { word } from '../words.ts'
import { loadMore } from './load-more.ts'
import type { PickedPicture } from './picture-picker.ts'

const restMs = 250

interface Found {
  readonly value: string
  readonly title: string
  readonly note: string
  readonly image?: string
}

/** @param say tells that the picture picker could not be loaded */
export function searchReferences(entry: HTMLFormElement, say: (words: string) => void): void {
  for (const box of entry.querySelectorAll<HTMLElement>('.reference')) start(entry, box, say)
}

function start(entry: HTMLFormElement, box: HTMLElement, say: (words: string) => void): void {
  const field = box.querySelector<HTMLInputElement | HTMLTextAreaElement>('.field input, .field textarea')
  const [chosen, list, search] = [box.querySelector('.chosen'), box.querySelector('.found'), box.querySelector('.small')]
  if (!field || !chosen || !list || !search) return
  const isMany = box.dataset['many'] === 'yes'
  const base = (entry.dataset['upload'] ?? '').replace(/\/admin\/.*$/, '')
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = 0

  /** Chooses an object in place of the last line, which has the search words, unless that line names an object already. */
  const choose = (found: Found): void => {
    const lines = field.value.split('\n').filter((one) => one.trim() !== '')
    const kept = lines[lines.length - 1] === named ? lines : lines.slice(0, -1)
    named = found.value
    field.value = isMany ? [...new Set([...kept, found.value])].join('\n') : found.value
    const item = make('li', {}, ...shown(found))
    if (isMany) chosen.append(item)
    else chosen.replaceChildren(item)
    list.replaceChildren()
    if (field.type === 'hidden') (search as HTMLElement).focus()
    else field.focus()
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
    const items = await findLinks<Found>(entry, { kind: box.dataset['kind'] ?? '', of: box.dataset['of'] ?? '', q: words })
    if (turn !== asked) return
    list.setAttribute('role', 'group')
    const button = (found: Found) => makeButton({ class: 'choice-button' }, shown(found), () => choose(found))
    if (items.length > 0) return list.replaceChildren(...items.map(button))
    list.replaceChildren(make('p', { class: 'quiet', role: 'status' }, word('editor_nothing_found')))
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
  const pick = (): void => {
    const done = (pictures: readonly PickedPicture[]): void => {
      for (const { path, title, image } of isMany ? pictures : pictures.slice(0, 1))
        choose({ value: path, title, note: '', image: image ?? base + path })
    }
    loadMore(entry).then(
      (more) => more.pickPictures(entry, { done, isOne: !isMany }),
      () => say(word('editor_offline')),
    )
  }
  const isPicture = box.dataset['kind'] === 'image'
  if (isPicture) search.textContent = word('editor_picture_choose')
  if (isPicture && !isMany && field instanceof HTMLInputElement) showPicture(field, chosen, search)
  search.addEventListener('click', (event) => {
    event.preventDefault()
    if (isPicture) pick()
    else void show(words())
  })
}

/** A field for one picture shows the picture, and no path. The label and a refusal lead to the button. */
function showPicture(field: HTMLInputElement, chosen: Element, search: Element): void {
  const name = document.querySelector(`label[for="${field.id}"]`)?.textContent.trim() ?? ''
  const remove = makeButton(
    { class: 'small', 'aria-label': word('picture_named', { action: word('picture_remove'), name }) },
    [word('picture_remove')],
    () => {
      field.value = ''
      for (const event of ['input', 'change']) field.dispatchEvent(new Event(event, { bubbles: true }))
    },
  )
  const tell = (): void => {
    remove.hidden = field.value === ''
    const action = word(field.value === '' ? 'editor_picture_choose' : 'picture_change')
    search.textContent = action
    // The label leads to the button, and must not hide what the button does.
    search.setAttribute('aria-label', word('picture_named', { action, name }))
  }
  search.id = field.id
  field.removeAttribute('id')
  field.type = 'hidden'
  field.addEventListener('input', tell)
  search.after(remove)
  tell()
}

const lastLine = (text: string): string => text.slice(text.lastIndexOf('\n') + 1).trim()

function shown({ title, note, image }: Found): readonly Node[] {
  const text = make('span', {}, title)
  if (note !== '' && note !== title) text.append(' ', make('small', {}, note))
  return image === undefined ? [text] : [make('img', { src: image, alt: '' }), text]
}
