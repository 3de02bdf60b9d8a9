// The part of a chosen picture: the point that stays visible, and a shape. A shape makes a new picture, and the original stays.

import { csrfOf } from '../ask.ts'
import { make, makeButton } from '../element.ts'
import { word } from '../words.ts'
import type { FoundPicture } from './picture-picker.ts'

/** The answer of the server. */
export interface SavedPart {
  readonly path?: string
  readonly message?: string
}

/** The controls for the part of one picture. */
export interface PicturePart {
  readonly element: HTMLElement
  /**
   * Saves what the person changed.
   * @param alt the description to store, if it is to be stored with the picture
   * @returns the path of the picture to use, or the sentence that says why it was not saved
   */
  save(alt: string | undefined): Promise<SavedPart>
}

/** The shapes, with their words. */
const shapes: readonly (readonly [string, string])[] = [
  ['', 'picture_shape_original'],
  ['square', 'picture_shape_square'],
  ['3:2', 'picture_shape_3_2'],
  ['16:9', 'picture_shape_16_9'],
  ['4:5', 'picture_shape_4_5'],
]
/** The step of an arrow key, in percent. */
const step = 5

const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-step, 0],
  ArrowRight: [step, 0],
  ArrowUp: [0, -step],
  ArrowDown: [0, step],
}

const percent = (share: number): number => Math.round(Math.min(Math.max(share, 0), 1) * 100)

/** @param place the element with the addresses of the server and the token */
export function picturePart(place: HTMLElement, { value, image, focus }: FoundPicture, id: string): PicturePart {
  let point: readonly [number, number] = [percent(focus?.x ?? 0.5), percent(focus?.y ?? 0.5)]
  let isMoved = false
  const mark = make('span', { class: 'mark' })
  const picture = make('img', { src: image ?? '', alt: '' })
  const said = make('p', { class: 'help', role: 'status' })
  const show = (): void => {
    mark.style.insetInlineStart = `${point[0]}%`
    mark.style.insetBlockStart = `${point[1]}%`
    const words = word('picture_point', { x: point[0], y: point[1] })
    target.setAttribute('aria-label', word('picture_named', { action: word('picture_part'), name: words }))
    if (isMoved) said.textContent = words
  }
  const move = (x: number, y: number): void => {
    point = [percent(x), percent(y)]
    isMoved = true
    show()
  }
  const target = makeButton({ class: 'picture-point' }, [picture, mark], () => undefined)
  target.addEventListener('click', ({ clientX, clientY, detail }) => {
    // Enter and the space bar click at no point.
    if (detail === 0) return
    const box = picture.getBoundingClientRect()
    move((clientX - box.left) / box.width, (clientY - box.top) / box.height)
  })
  target.addEventListener('keydown', (event) => {
    const by = moves[event.key]
    if (!by) return
    event.preventDefault()
    move((point[0] + by[0]) / 100, (point[1] + by[1]) / 100)
  })
  const shape = make('select', { id }, ...shapes.map(([value, name]) => make('option', { value }, word(name))))
  shape.addEventListener('change', () => {
    picture.style.aspectRatio = shape.value === '' ? '' : ratioOf(shape.value)
  })
  show()
  const element = make(
    'details',
    {},
    make('summary', {}, word('picture_part')),
    make('p', { class: 'help' }, word('picture_part_help')),
    target,
    said,
    make('label', { for: id }, word('picture_shape')),
    shape,
  )
  const save = async (alt: string | undefined): Promise<SavedPart> => {
    if (!isMoved && shape.value === '' && alt === undefined) return { path: value }
    const body = new URLSearchParams({ csrf: csrfOf(place), id: value, shape: shape.value })
    if (isMoved) for (const [at, name] of ['x', 'y'].entries()) body.set(name, String((point[at] ?? 50) / 100))
    if (alt !== undefined) body.set('alt', alt)
    return send(place.dataset['frame'] ?? '', body)
  }
  return { element: value.endsWith('.svg') ? make('div') : element, save }
}

const ratioOf = (shape: string): string => (shape === 'square' ? '1' : shape.replace(':', ' / '))

async function send(address: string, body: URLSearchParams): Promise<SavedPart> {
  const failed = { message: word('editor_no_connection') }
  const answer = await fetch(address, { method: 'POST', body }).catch(() => undefined)
  return answer ? ((await answer.json().catch(() => failed)) as SavedPart) : failed
}
