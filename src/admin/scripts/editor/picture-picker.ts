// The picture picker: the pictures of the library, the newest first, with a search; files can be added by a button, by dropping
// them, or with the camera of a phone. Each chosen picture is described and framed right there.

import { csrfOf, findLinks } from '../ask.ts'
import { make, makeButton } from '../element.ts'
import { word } from '../words.ts'
import { type PicturePart, picturePart } from './picture-part.ts'
import { sendPicture } from './send-picture.ts'

/** A picture of the library that a person chose. */
export interface PickedPicture {
  readonly path: string
  /** The name of the file. */
  readonly title: string
  /** The address of a small picture. */
  readonly image?: string
  /** The description, as the person left it. */
  readonly alt: string
}

/** A picture of the library. */
export interface FoundPicture {
  readonly value: string
  readonly title: string
  readonly image?: string
  readonly alt?: string
  /** The point that stays visible, as two shares. */
  readonly focus?: { readonly x: number; readonly y: number } | null
}

/** A picture that is chosen in the open picker, with its controls. */
interface Choice {
  readonly found: FoundPicture
  readonly alt: HTMLInputElement
  readonly part: PicturePart
}

const restMs = 250
const maxShown = '24'

/** The ways in which a picker ends. One that is cancelled calls nothing. */
export interface PickerEnds {
  done(pictures: readonly PickedPicture[]): void
  /** Takes files of the device at once. Without it, the picker uploads them and waits for their descriptions. */
  take?(files: readonly File[]): void
  /** True for a field with one picture. Its description is stored with the picture. */
  readonly isOne?: boolean
}

/** Opens the picker. @param entry the form or field with the addresses of the server */
export function pickPictures(entry: HTMLElement, { done, take, isOne = false }: PickerEnds): void {
  const chosen = new Map<string, Choice>()
  const search = make('input', { id: 'picture-words', type: 'search', autocomplete: 'off' })
  const label = make('label', { for: 'picture-words' }, word('editor_picture_search'))
  const list = make('ul', { class: 'pictures' })
  const alts = make('div', { class: 'picture-alts' })
  const said = make('p', { class: 'help', role: 'status' })
  const use = makeButton({ class: 'primary' }, [word('editor_picture_use')], () => {
    use.disabled = true
    void savedPictures([...chosen.values()], isOne, baseOf(entry)).then((saved) => {
      if (typeof saved === 'string') {
        use.disabled = false
        said.textContent = saved
        return
      }
      dialog.close()
      setTimeout(() => done(saved))
    })
  })
  use.disabled = true
  const toggle = (found: FoundPicture, button: HTMLElement): void => {
    if (chosen.delete(found.value)) button.setAttribute('aria-pressed', 'false')
    else {
      if (isOne) for (const { value } of [...chosen.values()].map((one) => one.found)) press(value, false)
      if (isOne) chosen.clear()
      const alt = make('input', { id: `alt-${++made}`, type: 'text', maxlength: '1000', value: found.alt ?? '' })
      chosen.set(found.value, { found, alt, part: picturePart(entry, found, `shape-${made}`) })
      button.setAttribute('aria-pressed', 'true')
    }
    use.disabled = chosen.size === 0
    const rows = [...chosen.values()].flatMap((one) => [
      make('label', { for: one.alt.id }, word('editor_describe', { name: one.found.title })),
      one.alt,
      one.part.element,
    ])
    alts.replaceChildren(...rows)
  }
  const press = (value: string, isPressed: boolean): void => {
    const buttons = [...list.querySelectorAll<HTMLElement>('.picture-choice')]
    buttons.find((one) => one.dataset['value'] === value)?.setAttribute('aria-pressed', String(isPressed))
  }
  const shown = (found: FoundPicture): HTMLLIElement => {
    const picture = make('img', { src: found.image ?? '', alt: '', loading: 'lazy' })
    const attributes = {
      class: 'picture-choice',
      'aria-pressed': String(chosen.has(found.value)),
      title: found.title,
      'data-value': found.value,
    }
    const button = makeButton(attributes, [picture, make('span', {}, found.title)], () => toggle(found, button))
    return make('li', {}, button)
  }
  let asked = 0
  let made = 0
  const show = async (): Promise<void> => {
    const turn = ++asked
    const items = await findLinks<FoundPicture>(entry, { kind: 'image', q: search.value, most: maxShown })
    if (turn !== asked) return
    said.textContent = items.length === 0 ? word('editor_nothing_found') : ''
    // An empty library leaves one thing to do.
    if (items.length === 0 && search.value === '' && hasJustActed()) ways[1]?.click()
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
    make('p', { class: 'actions picker-end' }, use, cancel),
  )
  dialog.addEventListener('dragover', (event) => event.preventDefault())
  dialog.addEventListener('drop', (event) => {
    event.preventDefault()
    void add([...(event.dataTransfer?.files ?? [])])
  })
  // The fields of the picker are not those of the entry, whose page saves what changes.
  for (const name of ['input', 'change', 'submit']) dialog.addEventListener(name, (event) => event.stopPropagation())
  dialog.addEventListener('close', () => dialog.remove())
  // Enter in a field of the picker must not send the form around it.
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
  })
  ;(entry.closest('form') ?? entry).after(dialog)
  dialog.showModal()
  void show()
}

/** The base path of the site. */
const baseOf = (place: HTMLElement): string => (place.dataset['upload'] ?? '').replace(/\/admin\/.*$/, '')

/**
 * Saves the parts of the chosen pictures, one after the other.
 * @returns the pictures, or the sentence that says why one was not saved
 */
async function savedPictures(
  choices: readonly Choice[],
  isOne: boolean,
  base: string,
): Promise<readonly PickedPicture[] | string> {
  const pictures: PickedPicture[] = []
  for (const { found, alt, part } of choices) {
    const described = alt.value.trim()
    // A text has its own description of a picture, which also describes a file that has none.
    const isNew = described !== (found.alt ?? '') && (isOne || !found.alt)
    const { path, message = word('editor_no_connection') } = await part.save(isNew ? described : undefined)
    if (path === undefined) return message
    // A crop is another file than the one that was chosen.
    const isSame = path === found.value
    const title = isSame ? found.title : path.slice(path.lastIndexOf('/') + 1)
    const image = isSame ? found.image : base + path
    pictures.push({ path, title, alt: described, ...(image !== undefined && { image }) })
  }
  return pictures
}

/** True if a person has just acted, so that a chooser of files may open. Older browsers can't tell, and refuse it themselves. */
const hasJustActed = (): boolean => (navigator as { userActivation?: UserActivation }).userActivation?.isActive ?? false

/** The button for the camera, on devices that are held in a hand. */
const cameraOf = (
  chooser: (name: string, attributes: Readonly<Record<string, string>>) => readonly HTMLElement[],
): readonly HTMLElement[] =>
  matchMedia('(pointer: coarse)').matches ? chooser('editor_picture_camera', { capture: 'environment' }) : []
