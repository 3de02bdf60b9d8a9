// Blocks of pictures, files and pages of other sites.

import { attributeOf, makeElement, makeText, type Node, textIn } from '../../../content/from-html/tree.ts'
import { captionsOf, figuresIn, galleryOf } from '../pictures.ts'
import { findElement, hasClass, without } from '../tree-parts.ts'
import type { BlockRule } from './block-rule.ts'
import { valueOf } from './block-tree.ts'
import { addressNodes } from './shortcode-embed.ts'
import { columnsOf } from './shortcode-gallery.ts'

/** A picture, which names its file even if its class does not. */
export const imageBlock: BlockRule = (block, context) => {
  const nodes = context.nodesOf(block)
  const image = findElement(nodes, ({ name }) => name === 'img')
  const id = valueOf(block, 'id')
  if (!image || id === '' || attributeOf(image, 'class').includes('wp-image-')) return nodes
  return replaced(nodes, image, makeElement('img', { ...image.attributes, 'data-id': id }))
}

const replaced = (nodes: readonly Node[], old: Node, by: Node): readonly Node[] =>
  nodes.map((node) =>
    node === old
      ? by
      : node.kind === 'text'
        ? node
        : makeElement(node.name, node.attributes, [...replaced(node.children, old, by)]),
  )

export const galleryBlock: BlockRule = (block, context) => {
  const nodes = context.nodesOf(block)
  const figures = figuresIn(nodes)
  if (figures.length === 0) return nodes
  const captions = nodes.flatMap((node) => (node.kind === 'element' ? captionsOf(node) : []))
  return [...galleryOf(figures, columnsOf(valueOf(block, 'columns'))), ...(figures.length > 1 ? captions : [])]
}

/** A page of another site: its address stands in the block, and as text in its HTML. */
export const embedBlock: BlockRule = (block, context) => {
  const nodes = context.nodesOf(block)
  const wrapper = findElement(nodes, (one) => hasClass(one, 'wp-block-embed__wrapper'))
  const address = valueOf(block, 'url') || (wrapper ? textIn(wrapper).trim() : '')
  if (!/^https?:\/\/\S{1,2000}$/.test(address)) return nodes
  const captions = nodes.flatMap((node) => (node.kind === 'element' ? captionsOf(node) : []))
  return [...addressNodes(address), ...captions]
}

/** A file: its link stays, and the button that leads to the same file is left out. */
export const fileBlock: BlockRule = (block, context) =>
  without(context.nodesOf(block), (one) => hasClass(one, 'wp-block-file__button'))

/** A profile on another site, which has no HTML. */
export const socialLinkBlock: BlockRule = (block) => {
  const [address, name] = [valueOf(block, 'url'), valueOf(block, 'label') || valueOf(block, 'service')]
  return address === '' ? [] : [makeElement('li', {}, [makeElement('a', { href: address }, [makeText(name || address)])])]
}

/** A list of such profiles. */
export const listBlock: BlockRule = (block, context) => {
  const items = block.inner.flatMap((inner) => context.convert(inner))
  return items.length === 0 ? [] : [makeElement('ul', {}, [...items])]
}
