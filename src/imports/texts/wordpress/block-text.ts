// Blocks of text whose HTML alone does not say it: verses, code with its language, notes, and texts of other entries.

import { attributeOf, elementsIn, isElement, makeElement } from '../../../content/from-html/tree.ts'
import { findElement } from '../tree-parts.ts'
import type { BlockRule } from './block-rule.ts'
import { valueOf } from './block-tree.ts'
import { breakLines } from './paragraphs.ts'

/** Lines of a poem: their ends stay, and they are no code. */
export const verseBlock: BlockRule = (block, context) =>
  context.nodesOf(block).map((node) => {
    if (!isElement(node, 'pre')) return node
    const verse = makeElement('p', {}, node.children)
    breakLines(verse)
    return verse
  })

/** Code of plugins that name the language in the block. */
export const codeBlockRule: BlockRule = (block, context) => {
  const nodes = context.nodesOf(block)
  const language = valueOf(block, 'language') || valueOf(block, 'lang')
  const pre = findElement(nodes, ({ name }) => name === 'pre')
  const source = valueOf(block, 'code') || valueOf(block, 'content')
  if (!pre && source === '') return nodes
  const children = source !== '' ? [{ kind: 'text', text: source } as const] : (pre?.children ?? [])
  const known = pre && [pre, ...elementsIn(pre)].some((one) => /\blang(?:uage)?-/.test(attributeOf(one, 'class')))
  return known || !pre ? nodes : [makeElement('pre', { ...pre.attributes, 'data-lang': language }, [...children])]
}

/** A text of HTML without blocks, among blocks. */
export const classicBlock: BlockRule = (block, context) => context.read(block.html)

/** A reusable block, whose text is an entry of its own. */
export const reusableBlock: BlockRule = (block, context) => {
  const id = valueOf(block, 'ref')
  const nodes = id === '' ? undefined : context.state.inline(id, (text) => context.readText(text))
  if (nodes === undefined)
    context.state.lose(
      'block',
      'wp:block',
      'The text of a reusable block is not in the import, or contains itself: it is left out.',
    )
  return nodes ?? []
}
