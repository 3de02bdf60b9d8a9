// A Ghost text as a tree. Its HTML is complete, and each card is an element with a class of its own.

import { attributeOf, isElement, type Node, setChildren } from '../../../content/from-html/tree.ts'
import { commentName, readTree, withoutMarkers } from '../read-tree.ts'
import type { TextState } from '../text-state.ts'
import { convertCard } from './cards.ts'

export function readGhost(source: string, state: TextState): readonly Node[] {
  return convertCards(readTree(withoutMarkers(source), state), state)
}

function convertCards(nodes: readonly Node[], state: TextState): readonly Node[] {
  let isGated = false
  return nodes.flatMap((node): readonly Node[] => {
    const comment = isElement(node, commentName) ? attributeOf(node, 'text') : ''
    if (comment === 'members-only')
      state.lose('paywall', 'members-only', 'The text below this border was for members. It stays, and the border is left out.')
    if (/^kg-gated-block:begin\b.*\bnonMember:false\b/.test(comment)) {
      isGated = true
      state.lose('paywall', 'kg-gated-block', 'A part that only members could see is left out.')
    } else if (comment.startsWith('kg-gated-block:end')) isGated = false
    if (isGated) return []
    if (!isElement(node)) return [node]
    const card = convertCard(node, state)
    if (card) return card
    setChildren(node, convertCards(node.children, state))
    return [node]
  })
}
