// In the browser: a field for one picture shows the picture and its name, and opens the picker. The list of the field stays in the
// form with the choice, so the form works as it does without script.

import { make, makeButton } from './element.ts'
import { word } from './words.ts'
import { type PickedPicture, pickPictures } from './editor/picture-picker.ts'

for (const field of document.querySelectorAll<HTMLElement>('.picture-field')) start(field)

function start(field: HTMLElement): void {
  const [list, shown] = [field.querySelector('select'), field.querySelector('.picture-shown')]
  const label = field.querySelector('label')
  if (!list || !shown || !label) return
  const name = make('span', { class: 'picture-name' })
  const named = (key: string): string => word('picture_named', { action: word(key), name: label.textContent.trim() })
  const change = makeButton({}, [], () => pickPictures(field, { isOne: true, done: ([picture]) => picture && choose(picture) }))
  const remove = makeButton({ 'aria-label': named('picture_remove') }, [word('picture_remove')], () => {
    set('')
    change.focus()
  })
  // The label and a refusal lead to the button in place of the list.
  change.id = list.id
  list.removeAttribute('id')
  list.hidden = true
  const tell = (): void => {
    name.textContent = list.selectedOptions[0]?.textContent ?? ''
    remove.hidden = list.value === ''
    const action = list.value === '' ? 'editor_picture_choose' : 'picture_change'
    change.textContent = word(action)
    change.setAttribute('aria-label', named(action))
    for (const picture of shown.querySelectorAll('img')) picture.hidden = list.value === ''
  }
  const set = (value: string): void => {
    list.value = value
    tell()
    for (const event of ['input', 'change']) list.dispatchEvent(new Event(event, { bubbles: true }))
  }
  const choose = ({ path, title, image }: PickedPicture): void => {
    if (![...list.options].some(({ value }) => value === path)) list.append(make('option', { value: path }, title))
    shown.querySelector('img')?.remove()
    if (image !== undefined) shown.prepend(make('img', { src: image, alt: '' }))
    set(path)
    change.focus()
  }
  shown.append(name, change, remove)
  tell()
}
