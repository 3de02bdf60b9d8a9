// In the browser, on "Connect an assistant": looks for clients that connect, and adds the Copy buttons.

import './copy.ts'
import { ask } from './ask.ts'
import { make } from './element.ts'
import { word } from './words.ts'

const everyMs = 3000
/** The time after which the page stops looking. The link to look again then returns. */
const longestMs = 20 * 60_000

interface Arrival {
  readonly id: string
  readonly name: string
  readonly place: string
}

const panel = document.querySelector<HTMLElement>('[data-arrivals]')
const words = panel?.querySelector<HTMLElement>('[data-arrived]')
const again = panel?.querySelector<HTMLElement>('[data-look-again]')
if (panel && words && again) watch(panel.dataset, words, again)

function watch({ arrivals = '', csrf = '' }: DOMStringMap, status: HTMLElement, link: HTMLElement): void {
  const began = Date.now()
  link.hidden = true
  status.textContent = word('waiting')
  const look = async (): Promise<void> => {
    const found = document.hidden ? [] : (await ask<{ arrived: readonly Arrival[] }>(arrivals, csrf))?.arrived
    if (found === undefined || Date.now() - began > longestMs) {
      link.hidden = false
      status.textContent = word('not_looking')
    } else if (found.length === 0) setTimeout(() => void look(), everyMs)
    else show(found, status)
  }
  setTimeout(() => void look(), everyMs)
}

function show(found: readonly Arrival[], status: HTMLElement): void {
  status.replaceChildren(
    ...found.map(({ name, place }) => make('p', { class: 'notice done' }, word('connected', { name, place }))),
  )
}
