// The picture picker: the pictures of the library, the newest first, with a search; files can be added by a button, by dropping
// them, or with the camera of a phone. Each chosen picture is described right there.

import { csrfOf, findLinks } from '../ask.ts'
import { make, makeButton } from '../element.ts'
import { word } from '../words.ts'
import { sendPicture } from './send-picture.ts'

/** A picture of the library that a person chose. */
export interface PickedPicture {
  readonly path: string
  /** The description, as the person left it. */
  readonly alt: string
}

interface Found {
  readonly value: string
  readonly title: string
  readonly image?: string
  readonly alt?: string
}

const restMs = 250
const maxShown = '24'

/** The ways in which a picker ends. One that is cancelled calls nothing. */
export interface PickerEnds {
  done(pictures: readonly PickedPicture[]): void
  /** Takes files of the device at once. Without it, the picker uploads them and waits for their descriptions. */
  take?(files: readonly File[]): void
}

/** Opens the picker. */
export function pickPictures(entry: HTMLFormElement, { done, take }: PickerEnds): void {
  const chosen = new Map<string, { readonly found: Found; readonly alt: HTMLInputElement }>()
  const search = make('input', { id: 'picture-words', type: 'search', autocomplete: 'off' })
  const label = make('label', { for: 'picture-words' }, word('editor_picture_search'))
  const list = make('ul', { class: 'pictures' })
  const alts = make('div', { class: 'picture-alts' })
  const said = make('p', { class: 'help', role: 'status' })
  const use = makeButton({ class: 'primary' }, [word('editor_picture_use')], () => {
    dialog.close()
    const pictures = [...chosen.values()].map(({ found, alt }) => ({ path: found.value, alt: alt.value.trim() }))
    setTimeout(() => done(pictures))
  })
  use.disabled = true
  const toggle = (found: Found, button: HTMLElement): void => {
    if (chosen.delete(found.value)) button.setAttribute('aria-pressed', 'false')
    else {
      const alt = make('input', { id: `alt-${chosen.size}`, type: 'text', maxlength: '1000', value: found.alt ?? '' })
      chosen.set(found.value, { found, alt })
      button.setAttribute('aria-pressed', 'true')
    }
    use.disabled = chosen.size === 0
    const rows = [...chosen.values()].flatMap((one) => [
      make('label', { for: one.alt.id }, word('editor_describe', { name: one.found.title })),
      one.alt,
    ])
    alts.replaceChildren(...rows)
  }
  const shown = (found: Found): HTMLLIElement => {
    const picture = make('img', { src: found.image ?? '', alt: '', loading: 'lazy' })
    const attributes = { class: 'picture-choice', 'aria-pressed': String(chosen.has(found.value)), title: found.title }
    const button = makeButton(attributes, [picture, make('span', {}, found.title)], () => toggle(found, button))
    return make('li', {}, button)
  }
  let asked = 0
  const show = async (): Promise<void> => {
    const turn = ++asked
    const items = await findLinks<Found>(entry, { kind: 'image', q: search.value, most: maxShown })
    if (turn !== asked) return
    said.textContent = items.length === 0 ? word('editor_nothing_found') : ''
    // An empty library leaves one thing to do.
    if (items.length === 0 && search.value === '' && navigator.userActivation.isActive) ways[1]?.click()
    list.replaceChildren(...items.map(shown))
  }
  const add = async (given: readonly File[]): Promise<void> => {
    const files = given.filter(({ type }) => type.startsWith('image/'))
    if (take && files.length > 0) {
      dialog.close()
      return take(files)
    }
    for (const file of files) {
      said.textContent = word('editor_uploading', { name: file.name })
      const { path, alt, message } = await sendPicture(entry.dataset['upload'] ?? '', csrfOf(entry), file, (part) => {
        said.textContent = word('editor_uploading_part', { name: file.name, percent: Math.round(part * 100) })
      })
      if (path === undefined) {
        said.textContent = word('editor_image_failed', { name: file.name, reason: message ?? word('editor_no_connection') })
        return
      }
      said.textContent = word('editor_image_stored', { name: file.name })
      const item = shown({ value: path, title: file.name, image: URL.createObjectURL(file), ...(alt != null && { alt }) })
      list.prepend(item)
      item.querySelector('button')?.click()
    }
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  search.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void show(), restMs)
  })
  const chooser = (name: string, attributes: Readonly<Record<string, string>>): readonly HTMLElement[] => {
    const field = make('input', { type: 'file', accept: 'image/*', hidden: '', ...attributes })
    field.addEventListener('change', () => {
      void add([...(field.files ?? [])])
      field.value = ''
    })
    return [makeButton({}, [word(name)], () => field.click()), field]
  }
  const cancel = makeButton({}, [word('editor_cancel')], () => dialog.close())
  const ways = [...chooser('editor_picture_upload', { multiple: '' }), ...cameraOf(chooser)]
  const dialog = make(
    'dialog',
    { class: 'picker', 'aria-label': word('editor_picture_choose') },
    make('h2', {}, word('editor_picture_choose')),
    make('p', { class: 'actions' }, ...ways),
    label,
    search,
    said,
    list,
    alts,
    make('p', { class: 'actions' }, use, cancel),
  )
  dialog.addEventListener('dragover', (event) => event.preventDefault())
  dialog.addEventListener('drop', (event) => {
    event.preventDefault()
    void add([...(event.dataTransfer?.files ?? [])])
  })
  // The fields of the picker are not those of the entry, whose page saves what changes.
  for (const name of ['input', 'change', 'submit']) dialog.addEventListener(name, (event) => event.stopPropagation())
  dialog.addEventListener('close', () => dialog.remove())
  entry.after(dialog)
  dialog.showModal()
  void show()
}

/** The button for the camera, on devices that are held in a hand. */
const cameraOf = (
  chooser: (name: string, attributes: Readonly<Record<string, string>>) => readonly HTMLElement[],
): readonly HTMLElement[] =>
  matchMedia('(pointer: coarse)').matches ? chooser('editor_picture_camera', { capture: 'environment' }) : []
