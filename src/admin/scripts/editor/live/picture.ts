// Pictures in place, each with a button for its description and caption. Only those of the site's own media are loaded; any other
// is a box with its name, since the text may be a stranger's and this is the origin of the admin.

import { syntaxTree } from '@codemirror/language'
import type { SyntaxNode } from '@lezer/common'
import { type EditorView, WidgetType } from '@codemirror/view'
import { make, makeButton } from '../../element.ts'
import { word } from '../../words.ts'
import type { Drawing, LiveOptions } from './drawing.ts'
import { isOwnMedia, type PlacedPicture, type WrittenPicture } from './written-picture.ts'

/** Opens the form for a picture. */
export type ChangePicture = (picture: PlacedPicture) => void

/** @returns undefined for a picture without an address of its own */
export function pictureOf(node: SyntaxNode, textOf: (part: SyntaxNode) => string): WrittenPicture | undefined {
  const url = node.getChild('URL')
  const title = node.getChild('LinkTitle')
  const [, close] = node.getChildren('LinkMark')
  if (!url || !close) return undefined
  const whole = textOf(node)
  return {
    src: textOf(url).replace(/^<|>$/g, ''),
    alt: whole.slice(2, close.from - node.from).replace(/\\([[\]\\])/g, '$1'),
    caption: title
      ? textOf(title)
          .slice(1, -1)
          .replace(/\\(["'\\])/g, '$1')
      : '',
  }
}

class PictureBox extends WidgetType {
  readonly picture: WrittenPicture
  readonly isAlone: boolean
  readonly options: LiveOptions

  constructor(picture: WrittenPicture, isAlone: boolean, options: LiveOptions) {
    super()
    this.picture = picture
    this.isAlone = isAlone
    this.options = options
  }

  override eq({ picture, isAlone }: PictureBox): boolean {
    const { src, alt, caption } = this.picture
    return picture.src === src && picture.alt === alt && picture.caption === caption && isAlone === this.isAlone
  }

  override toDOM(view: EditorView): HTMLElement {
    const kind = this.isAlone ? 'live-figure' : 'live-picture'
    const box = make('span', { class: kind }, this.shown(view))
    const change = (): void => {
      const placed = placedAt(view, view.posAtDOM(box))
      if (placed) this.options.changePicture(placed)
    }
    box.addEventListener('mousedown', (event) => event.preventDefault())
    box.firstElementChild?.addEventListener('click', change)
    if (this.isAlone) box.append(this.bar(change))
    return box
  }

  private shown(view: EditorView): HTMLElement {
    const { src, alt } = this.picture
    if (!isOwnMedia(src))
      return make('span', { class: 'live-elsewhere' }, word('editor_picture_box', { name: alt || src, place: placeOf(src) }))
    const image = make('img', { alt, loading: 'lazy', decoding: 'async' })
    image.addEventListener('load', () => view.requestMeasure())
    image.src = new URL(this.options.base + src, location.origin).href
    return image
  }

  /** The line below a picture: its caption, and the button for the form. */
  private bar(change: () => void): HTMLElement {
    const { alt, caption } = this.picture
    const missing = alt === '' ? [make('span', { class: 'live-missing' }, word('editor_placed_undescribed'))] : []
    const said = caption === '' ? [] : [make('span', { class: 'live-caption' }, caption)]
    const action = word('editor_placed_words')
    const label = alt === '' ? undefined : word('picture_named', { action, name: alt })
    const button = makeButton({ class: 'small', 'aria-label': label }, [action], change)
    return make('span', { class: 'live-picture-bar' }, ...said, ...missing, button)
  }

  override get estimatedHeight(): number {
    return this.isAlone && isOwnMedia(this.picture.src) ? 280 : -1
  }
}

/** The picture that begins at a place of the text. */
function placedAt({ state }: EditorView, place: number): PlacedPicture | undefined {
  for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(place, 1); node; node = node.parent) {
    if (node.from !== place || state.sliceDoc(place, place + 2) !== '![') continue
    const { from, to } = node
    const picture = pictureOf(node, (part) => state.sliceDoc(part.from, part.to))
    if (picture) return { ...picture, from, to, isAlone: state.doc.lineAt(from).text.trim() === state.sliceDoc(from, to) }
  }
  return undefined
}

/** The host of an address; the address itself if it has none. */
function placeOf(src: string): string {
  try {
    return new URL(src).host
  } catch {
    return src
  }
}

/**
 * A picture alone in its line is closed: its words are changed in a form. The text of a picture shows only while the caret was put
 * into it, such as by a link to a mistake.
 */
export function drawPicture(node: SyntaxNode, drawing: Drawing): void {
  const picture = pictureOf(node, (part) => drawing.text(part))
  if (!picture) return
  const line = drawing.state.doc.lineAt(node.from)
  const isAlone = line.text.trim() === drawing.text(node)
  const box = new PictureBox(picture, isAlone, drawing.options)
  if (drawing.ends(node)) {
    if (isAlone) drawing.add(node.to, box)
  } else if (isAlone) drawing.close(node, box)
  else drawing.replace(node, box)
}
