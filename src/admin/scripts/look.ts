// In the browser, on the page of a theme: the site beside the settings, which changes with them before they are saved. Without
// script, the button for a preview shows the saved settings.

import { make } from './element.ts'
import { word } from './words.ts'

const restMs = 500

const frame = document.querySelector<HTMLIFrameElement>('iframe[data-look]')
const form = frame?.closest('.with-look')?.querySelector('form')

if (frame && form) {
  const said = make('p', { class: 'help', role: 'status' })
  form.querySelector('.actions')?.append(said)
  let isSaved = true
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = 0
  const refresh = async (): Promise<void> => {
    const turn = ++asked
    const body = new URLSearchParams()
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value)
    try {
      const answer = await fetch(frame.dataset['look'] ?? '', { method: 'POST', body })
      const { url, message } = (await answer.json()) as { readonly url?: string; readonly message?: string }
      if (turn !== asked) return
      said.textContent = message ?? word('look_unsaved')
      if (url !== undefined) frame.src = url
    } catch {
      // Without a connection the frame shows the last state.
    }
  }
  form.addEventListener('input', ({ target }) => {
    if (target instanceof Element) chooseInstead(form, target.getAttribute('name') ?? '')
    isSaved = false
    said.textContent = word('look_unsaved')
    clearTimeout(timer)
    timer = setTimeout(() => void refresh(), restMs)
  })
  form.addEventListener('submit', () => (isSaved = true))
  addEventListener('beforeunload', (event) => {
    if (!isSaved) event.preventDefault()
  })
}

/** Whoever changes the own colour means it, and no longer the palette. A font of the device in the same way stands for no pair. */
function chooseInstead(form: HTMLFormElement, name: string): void {
  for (const choice of form.querySelectorAll<HTMLInputElement>('[data-instead]'))
    if (choice.dataset['instead']?.split(' ').includes(name)) choice.checked = true
}
