// A field for a link: it takes an address, or finds entries by a part of their title, as buttons below it.

import { addressIn, isWholeAddress } from '../../../base/complete-address.ts'
import { findLinks } from '../ask.ts'
import { make, makeButton } from '../element.ts'
import { word } from '../words.ts'

interface Found {
  readonly title: string
  /** An entry without a path, such as one in the trash, can't be linked to. */
  readonly path?: string
  /** The path and status of the entry. */
  readonly note: string
}

/** The target of a link, with the words for a link that has none. */
export interface LinkTarget {
  readonly title: string
  readonly path: string
}

interface LinkField {
  /** The refusal and the entries. */
  readonly below: readonly HTMLElement[]
  /** Returns the target of the typed text. It tells the person at the field if there is none, and returns undefined. */
  target(): Promise<LinkTarget | undefined>
}

/** The most entries below the field. More are looked through for one with just this title. */
const maxShown = 8
const maxAsked = '48'

const isTitle = (title: string, typed: string): boolean => title.trim().toLowerCase() === typed.toLowerCase()

/**
 * Shows entries while a person types a part of their title into a field. The arrow keys go from the field into them and back.
 * @param choose gets the entry that a person chooses
 */
export function linkField(entry: HTMLFormElement, field: HTMLInputElement, choose: (target: LinkTarget) => void): LinkField {
  const list = make('ul', { class: 'lines' })
  const fault = make('p', { class: 'fault', id: `${field.id}-fault`, role: 'alert' })
  fault.hidden = true
  field.setAttribute('aria-describedby', fault.id)
  const tell = (words: string): void => {
    fault.textContent = words
    fault.hidden = words === ''
    if (words === '') field.removeAttribute('aria-invalid')
    else field.setAttribute('aria-invalid', 'true')
  }

  /** The last question, and its answer once that is there. */
  let asked = { words: '', found: Promise.resolve<readonly LinkTarget[]>([]) }
  let isWaiting = false
  /** True if Down was pressed before there were entries: the first one is meant. */
  let isFirstMeant = false
  const findFor = (words: string): Promise<readonly LinkTarget[]> => {
    const ask = async (): Promise<readonly LinkTarget[]> => {
      const all = words === '' ? [] : await findLinks<Found>(entry, { q: words, most: maxAsked })
      if (asked.words === words) list.replaceChildren(...all.filter(hasPath).slice(0, maxShown).map(choice))
      return all.filter(hasPath)
    }
    asked = { words, found: Promise.resolve([]) }
    asked.found = ask()
    return asked.found
  }
  const choice = ({ title, path, note }: Found & LinkTarget): HTMLLIElement => {
    const chosen = makeButton({}, [title], () => take({ title, path }))
    return make('li', {}, chosen, make('small', {}, note))
  }
  const take = (target: LinkTarget): void => {
    asked = { words: '', found: Promise.resolve([]) }
    list.replaceChildren()
    tell('')
    choose(target)
  }

  field.addEventListener('input', () => {
    tell('')
    isFirstMeant = false
    const words = field.value.trim()
    isWaiting = words !== ''
    const found = findFor(words)
    void found.then(() => {
      if (asked.found !== found) return
      isWaiting = false
      if (isFirstMeant && document.activeElement === field) list.querySelector('button')?.focus()
    })
  })
  const walk = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const buttons = [...list.querySelectorAll('button')]
    const at = buttons.findIndex((button) => button === document.activeElement)
    if (by === 0) {
      // Whoever goes on typing among the entries, types into the field.
      if (at >= 0 && (event.key.length === 1 || event.key === 'Backspace') && event.key !== ' ') field.focus()
      return
    }
    event.preventDefault()
    isFirstMeant = by > 0 && isWaiting
    if (at + by < 0) field.focus()
    else buttons[Math.min(at + by, buttons.length - 1)]?.focus()
  }
  field.addEventListener('keydown', walk)
  list.addEventListener('keydown', walk)

  const target = async (): Promise<LinkTarget | undefined> => {
    const typed = field.value.trim()
    const address = addressIn(typed)
    if (address !== undefined && isWholeAddress(typed)) return { title: typed, path: address }
    let found = await (asked.words === typed ? asked.found : findFor(typed))
    // Without a connection, nothing was found.
    if (found.length === 0) found = await findFor(typed)
    const named = found.filter(({ title }) => isTitle(title, typed))
    if (named.length === 1) return named[0]
    if (named.length === 0 && address !== undefined) return { title: typed, path: address }
    if (found.length === 1 || (isFirstMeant && found.length > 0)) return found[0]
    tell(word(found.length === 0 ? 'editor_link_unknown' : 'editor_link_choose'))
    field.focus()
    return undefined
  }
  return { below: [fault, list], target }
}

const hasPath = (found: Found): found is Found & LinkTarget => found.path !== undefined
