// A text that was HTML: its tree becomes Markdown, and what stands before the border becomes its excerpt.

import { fromTree } from '../../content/from-html/from-html.ts'
import { attributeOf, elementsIn, isBlank, isElement, makeElement, type Node, textIn } from '../../content/from-html/tree.ts'
import type { ConvertedText } from '../text.ts'
import { excerptOf } from './excerpt.ts'
import { commentName } from './read-tree.ts'
import { rewriteTree } from './rewrite-tree.ts'
import type { TextState } from './text-state.ts'

/** Writes the Markdown of a text. @param isOnlyAsked true if only the references of the text are wanted */
export function writeTree(nodes: readonly Node[], state: TextState, isOnlyAsked: boolean): ConvertedText {
  const root = makeElement('body', {}, withoutTitle(nodes, state.answers.title))
  rewriteTree(root, state)
  if (isOnlyAsked) return { markdown: '', losses: [], constructs: [] }
  const excerpt = excerptOf(root, (node) => isElement(node, commentName) && /^more(?:\s|$)/.test(attributeOf(node, 'text')))
  const { markdown } = fromTree(root, { pictures: 'all' })
  return { markdown, ...(excerpt !== undefined && { excerpt }), ...state.told() }
}

/** Leaves out a heading that says the title of the entry, which its page shows anyway. */
function withoutTitle(nodes: readonly Node[], title: string): Node[] {
  const first = nodes.find((node) => !isBlank(node))
  const isTitle =
    isElement(first, 'h1') && sameWords(textIn(first), title) && elementsIn(first).every(({ name }) => name !== 'img')
  return nodes.filter((node) => node !== first || !isTitle)
}

/** True if two titles say the same. */
export const sameWords = (one: string, other: string): boolean => wordsOf(one) !== '' && wordsOf(one) === wordsOf(other)

const wordsOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
