// Blocks that become sections: columns, buttons, covers, and a text beside a picture.

import { makeSection } from '../../../content/from-html/sections.ts'
import { attributeOf, isBlank, isElement, madeElements, type Node, textIn } from '../../../content/from-html/tree.ts'
import { findElement, findElements, hasClass, without } from '../tree-parts.ts'
import type { BlockRule } from './block-rule.ts'
import { valueOf } from './block-tree.ts'

export const columnsBlock: BlockRule = (block, context) => {
  const columns = block.inner
    .map((inner) => context.convert(inner))
    .filter((nodes) => !nodes.every(isBlank) || nodes.some(isMade))
  if (columns.length < 2) return columns.flat()
  const count = Math.min(columns.length, 4)
  const parts = columns.map((nodes) => makeSection('column', {}, nodes))
  return [makeSection('columns', { columns: count === 2 ? undefined : String(count) }, parts)]
}

const isMade = (node: Node): boolean => isElement(node) && (node.name.startsWith(':') || node.children.some(isMade))

export const buttonBlock: BlockRule = (block, context) => {
  const nodes = context.nodesOf(block)
  const link = findElement(nodes, ({ name }) => name === 'a')
  const href = link ? attributeOf(link, 'href') : ''
  if (!link || href === '' || isBlank(link)) return nodes
  return [makeSection('button', { href }, link.children)]
}

const isButton = (node: Node): boolean => isElement(node, madeElements.section) && attributeOf(node, ':kind') === 'button'

/** A large picture with words over it. */
export const coverBlock: BlockRule = (block, context) => {
  const nodes = context.nodesOf(block)
  const isBackground = (node: Node): boolean => hasClass(node, 'wp-block-cover__image-background')
  const background = findElement(nodes, isBackground)
  const styled = findElement(nodes, (one) => /background-image\s*:/.test(attributeOf(one, 'style')))
  const image =
    (background && attributeOf(background, 'src')) ||
    (styled && /url\(["']?([^"')]{1,2000})/.exec(attributeOf(styled, 'style'))?.[1]) ||
    valueOf(block, 'url')
  const alt = background ? attributeOf(background, 'alt') : valueOf(block, 'alt')
  const buttons = findElements(nodes, isButton)
  const [button] = buttons.length === 1 ? buttons : []
  const children = without(nodes, (one) => isBackground(one) || one === button)
  if (children.every(isBlank) && !image) return button ? [button] : []
  return [
    makeSection(
      'hero',
      {
        image,
        alt,
        'data-id': valueOf(block, 'id'),
        ...(button && { button: textIn(button), href: attributeOf(button, 'href') }),
      },
      children,
    ),
  ]
}

export const mediaTextBlock: BlockRule = (block, context) => {
  const nodes = context.nodesOf(block)
  const media = findElement(nodes, (one) => hasClass(one, 'wp-block-media-text__media'))
  const picture = media && findElement([media], ({ name }) => name === 'img')
  if (!media || !picture) return nodes
  const children = without(nodes, (one) => one === media)
  const values = {
    image: attributeOf(picture, 'src'),
    alt: attributeOf(picture, 'alt'),
    'data-id': valueOf(block, 'mediaId'),
    side: valueOf(block, 'mediaPosition') === 'right' ? undefined : 'start',
  }
  return [makeSection('text', values, children)]
}
