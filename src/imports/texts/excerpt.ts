// The words before the border that a writer put between the summary of a text and the rest.

import { blockNames } from '../../content/from-html/pieces.ts'
import { type HtmlElement, isElement, type Node } from '../../content/from-html/tree.ts'
import { maxExcerptChars } from '../../content/entries/entry-text.ts'
import { cutText } from '../../base/cut-text.ts'

/** Parts without words of a summary. */
const passedOver: ReadonlySet<string> = new Set(['pre', 'table', 'figure', 'figcaption', 'iframe', 'audio', 'video', ':section'])

/** The words before the border; undefined for a text without a border, or without words before it. */
export function excerptOf(root: HtmlElement, isBorder: (node: Node) => boolean): string | undefined {
  const parts: string[] = []
  const walk = (node: Node): boolean => {
    if (isBorder(node)) return true
    if (node.kind === 'text') parts.push(node.text)
    else if (node.name === 'sup' && node.children.some((child) => isElement(child, 'a'))) return false
    else if (passedOver.has(node.name)) return node.children.some((child) => isBorderIn(child, isBorder))
    else {
      if (blockNames.has(node.name) || node.name === 'br') parts.push(' ')
      if (node.children.some(walk)) return true
      if (blockNames.has(node.name)) parts.push(' ')
    }
    return false
  }
  return walk(root) ? shortened(parts.join('')) : undefined
}

const isBorderIn = (node: Node, isBorder: (node: Node) => boolean): boolean =>
  isBorder(node) || (node.kind === 'element' && node.children.some((child) => isBorderIn(child, isBorder)))

/** Words as an excerpt takes them; undefined if there are none. */
export function shortened(words: string): string | undefined {
  const plain = words.replace(/\s+/g, ' ').trim()
  return plain === '' ? undefined : cutText(plain, maxExcerptChars - 1)
}
