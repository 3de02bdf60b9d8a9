// Pictures of old systems: the ids that their elements name, galleries, and files that are shown by their ids.

import { makeSection } from '../../content/from-html/sections.ts'
import {
  attributeOf,
  classesOf,
  descendants,
  elementsIn,
  type HtmlElement,
  isBlank,
  isElement,
  makeElement,
  makeText,
  type Node,
  textIn,
} from '../../content/from-html/tree.ts'
import type { TextFile } from '../text.ts'

/** The id of the file that a picture names by its class or by `data-id`. */
export function imageOf(element: HtmlElement): string | undefined {
  for (const name of classesOf(element)) {
    const id = /^wp-image-(\d{1,15})$/.exec(name)?.[1]
    if (id !== undefined) return id
  }
  return /^\d{1,15}$/.exec(attributeOf(element, 'data-id'))?.[0]
}

/** A picture with its caption. */
export function figureOf(picture: Node, caption: readonly Node[]): HtmlElement {
  const words = caption.every(isBlank) ? [] : [makeElement('figcaption', {}, [...caption])]
  return makeElement('figure', {}, [picture, ...words])
}

/** A file of this site as a picture. */
export const fileFigure = ({ path, alt, caption }: TextFile): HtmlElement =>
  figureOf(makeElement('img', { src: path, alt }), caption === '' ? [] : [makeText(caption)])

/** A gallery of figures. A single picture is a figure. */
export function galleryOf(figures: readonly HtmlElement[], columns: number | undefined): readonly Node[] {
  if (figures.length < 2) return figures
  const isUsual = columns === undefined || !(columns >= 1 && columns <= 4) || columns === 3
  return [makeSection('gallery', { columns: isUsual ? undefined : String(columns) }, figures)]
}

/** The pictures below an element as figures, each with the caption beside it. */
export function figuresIn(nodes: readonly Node[]): readonly HtmlElement[] {
  return nodes.flatMap((node): readonly HtmlElement[] => {
    if (!isElement(node)) return []
    const pictures = node.name === 'img' ? [node] : [...descendants(node)].filter(({ name }) => name === 'img')
    if (pictures.length === 0) return []
    const isOne = pictures.length === 1 && ['figure', 'li', 'dl', 'img', 'a'].includes(node.name)
    return isOne && pictures[0] ? [figureOf(pictures[0], captionIn(node))] : figuresIn(node.children)
  })
}

const captionIn = (node: HtmlElement): readonly Node[] =>
  [...descendants(node)]
    .filter(({ name, attributes }) => name === 'figcaption' || /caption/.test(attributes['class'] ?? ''))
    .slice(0, 1)
    .flatMap((caption) => caption.children)

/** The caption of a gallery as a whole. */
export const captionsOf = (element: HtmlElement): readonly Node[] =>
  elementsIn(element)
    .filter(({ name }) => name === 'figcaption')
    .filter((caption) => textIn(caption).trim() !== '')
    .map((caption) => makeElement('p', {}, caption.children))
