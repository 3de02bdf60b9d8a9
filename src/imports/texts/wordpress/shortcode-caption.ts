// `[caption]`: a picture with its words. The old form has them in an attribute, the present one behind the picture.

import { descendants, type HtmlElement, isBlank, isElement, makeElement, type Node } from '../../../content/from-html/tree.ts'
import { figureOf } from '../pictures.ts'
import type { ShortcodeRule } from './shortcode.ts'

export const captionShortcode: ShortcodeRule = ({ values, content }, { read }) => {
  if (content === undefined) return undefined
  const nodes = flat(read(content))
  const place = nodes.findIndex(hasPicture)
  const picture = nodes[place]
  if (picture === undefined) return [makeElement('div', {}, [...nodes])]
  const written = values.get('caption') ?? ''
  const rest = nodes.filter((node, index) => index !== place && !isElement(node, 'br'))
  const caption = rest.every(isBlank) && written !== '' ? read(written) : rest
  const id = /^attachment_(\d{1,15})$/.exec(values.get('id') ?? '')?.[1]
  return [figureOf(id === undefined ? picture : named(picture, id), caption)]
}

/** Paragraphs around the picture are opened, so that its words lie beside it. */
const flat = (nodes: readonly Node[]): readonly Node[] =>
  nodes.flatMap((node) => (isElement(node, 'p', 'div', 'span') ? flat(node.children) : [node]))

const hasPicture = (node: Node): boolean =>
  isElement(node) && (node.name === 'img' || [...descendants(node)].some(({ name }) => name === 'img'))

/** Names the file of a picture that names none itself. */
function named(picture: Node, id: string): Node {
  const image = isElement(picture, 'img') ? picture : isElement(picture) ? [...descendants(picture)].find(isImage) : undefined
  if (image && !/\bwp-image-\d/.test(image.attributes['class'] ?? ''))
    (image.attributes as Record<string, string>)['data-id'] = id
  return picture
}

const isImage = ({ name }: HtmlElement): boolean => name === 'img'
