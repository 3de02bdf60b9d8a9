// Pictures in place. Only those of the site's own media are loaded; any other is a box with its name, since the text may be a
// stranger's and this is the origin of the admin.

import type { SyntaxNode } from '@lezer/common'
import { type EditorView, WidgetType } from '@codemirror/view'
import { make } from '../../element.ts'
import { word } from '../../words.ts'
import type { Drawing } from './drawing.ts'

/** A picture as the text names it. */
export interface WrittenPicture {
  readonly src: string
  readonly alt: string
  readonly caption: string
}

const ownMedia = /^\/media\/[\w./%~-]+$/

/** True for the address of a file in the site's media library. */
export const isOwnMedia = (src: string): boolean => ownMedia.test(src) && !src.includes('..') && !src.includes('//')

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
    caption: title ? textOf(title).slice(1, -1) : '',
  }
}

class PictureBox extends WidgetType {
  readonly picture: WrittenPicture
  readonly base: string
  readonly isAlone: boolean

  constructor(picture: WrittenPicture, base: string, isAlone: boolean) {
    super()
    this.picture = picture
    this.base = base
    this.isAlone = isAlone
  }

  override eq({ picture, isAlone }: PictureBox): boolean {
    const { src, alt, caption } = this.picture
    return picture.src === src && picture.alt === alt && picture.caption === caption && isAlone === this.isAlone
  }

  override toDOM(view: EditorView): HTMLElement {
    const { src, alt, caption } = this.picture
    const kind = this.isAlone ? 'live-figure' : 'live-picture'
    if (!isOwnMedia(src))
      return make(
        'span',
        { class: `${kind} live-elsewhere` },
        word('editor_picture_box', { name: alt || src, place: placeOf(src) }),
      )
    const image = make('img', { alt, loading: 'lazy', decoding: 'async' })
    image.addEventListener('load', () => view.requestMeasure())
    image.src = new URL(this.base + src, location.origin).href
    const box = make('span', { class: kind }, image)
    // A click opens the text of the picture.
    box.addEventListener('mousedown', (event) => {
      const at = view.posAtDOM(box)
      if (view.state.sliceDoc(at, at + 2) !== '![') return
      event.preventDefault()
      view.dispatch({ selection: { anchor: at + 2 } })
      view.focus()
    })
    if (caption !== '' && this.isAlone) box.append(make('span', { class: 'live-caption' }, caption))
    return box
  }

  override get estimatedHeight(): number {
    return this.isAlone && isOwnMedia(this.picture.src) ? 240 : -1
  }

  override ignoreEvent(): boolean {
    return false
  }
}

/** The host of an address; the address itself if it has none. */
function placeOf(src: string): string {
  try {
    return new URL(src).host
  } catch {
    return src
  }
}

/** While the caret is in a picture, its text shows with the picture below it. */
export function drawPicture(node: SyntaxNode, drawing: Drawing): void {
  const picture = pictureOf(node, (part) => drawing.text(part))
  if (!picture) return
  const line = drawing.state.doc.lineAt(node.from)
  const isAlone = line.text.trim() === drawing.text(node)
  const box = new PictureBox(picture, drawing.base, isAlone)
  if (!drawing.enters(node)) drawing.replace(node, box)
  else if (isAlone) drawing.add(node.to, box)
}
