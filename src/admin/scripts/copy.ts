// In the browser: adds a Copy button next to each text that a page marks with `data-copy`. Without script there is no button, and
// one click selects the whole text. The button shows the success, and screen readers announce it.

import { make, makeButton } from './element.ts'
import { word } from './words.ts'

/** The time for which the button shows the result. */
const shownMs = 2500

const announcer = make('p', { class: 'unseen', role: 'status' })
;(document.querySelector('main') ?? document.body).append(announcer)

for (const text of document.querySelectorAll<HTMLElement>('[data-copy]')) text.after(copyButton(text))

/** A button for a text. The value of `data-copy` names the text for people who hear the button without its surroundings. */
function copyButton(text: HTMLElement): HTMLButtonElement {
  const name = text.dataset['copy'] ?? ''
  const say = (did: 'copy' | 'copied'): void => {
    button.textContent = word(did)
    button.setAttribute('aria-label', word(`${did}_named`, { name }))
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const reset = (): void => {
    say('copy')
    announcer.textContent = ''
  }
  const button = makeButton({ class: 'copy' }, [], () => {
    void copyText(text).then((copied) => {
      clearTimeout(timer)
      timer = setTimeout(reset, shownMs)
      say(copied ? 'copied' : 'copy')
      announcer.textContent = word(copied ? 'copied' : 'text_selected')
    })
  })
  reset()
  return button
}

/** Copies the text of an element. If the browser does not allow that, the text stays selected so that the person can copy it. */
async function copyText(element: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(element.textContent ?? '')
    return true
  } catch {
    // Pages that came over http from another machine have no clipboard API. Older browsers can still copy a selection there.
    getSelection()?.selectAllChildren(element)
    return document.execCommand('copy')
  }
}
