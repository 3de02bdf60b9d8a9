// Entries found by a part of their title, as buttons below a field.

import { findLinks } from '../ask.ts'
import { make, makeButton } from '../element.ts'

interface Found {
  readonly title: string
  /** An entry without a path, such as one in the trash, can't be linked to. */
  readonly path?: string
  /** The path and status of the entry. */
  readonly note: string
}

/**
 * Shows entries while a person types a part of their title into a field.
 * @returns the list of the entries
 */
export function linkChoices(
  entry: HTMLFormElement,
  field: HTMLInputElement,
  choose: (title: string, path: string) => void,
): HTMLUListElement {
  const list = make('ul', { class: 'lines' })
  const choice = ({ title, note, path = '' }: Found): HTMLLIElement => {
    const chosen = makeButton({}, [title], () => {
      list.replaceChildren()
      choose(title, path)
    })
    return make('li', {}, chosen, make('small', {}, note))
  }
  let asked = 0
  field.addEventListener('input', () => {
    const turn = ++asked
    const words = field.value
    void (words.trim() === '' ? Promise.resolve([]) : findLinks<Found>(entry, { q: words })).then((found) => {
      if (turn === asked) list.replaceChildren(...found.filter(({ path }) => path !== undefined).map(choice))
    })
  })
  return list
}
