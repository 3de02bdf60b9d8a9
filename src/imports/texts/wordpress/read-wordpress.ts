// A WordPress text as a tree: of blocks, or of HTML whose lines are paragraphs. Both may have shortcodes.

import { attributeOf, descendants, type HtmlElement, makeElement, makeText, type Node } from '../../../content/from-html/tree.ts'
import type { ImportText } from '../../text.ts'
import { readTree, withoutMarkers } from '../read-tree.ts'
import type { TextState } from '../text-state.ts'
import type { BlockContext } from './block-rule.ts'
import { hasBlocks, readBlocks, type WordPressBlock } from './block-tree.ts'
import { convertBlock } from './blocks.ts'
import { breakLines } from './paragraphs.ts'
import { putShortcodes } from './shortcodes.ts'

/** Reads a text with its notes. */
export function readWordPress(source: string, state: TextState): readonly Node[] {
  const nodes = readBody(source, state)
  return [...nodes, ...notesOf(nodes, state)]
}

function readBody(source: string, state: TextState): readonly Node[] {
  const plain = withoutMarkers(source).replace(/\r\n?/g, '\n')
  const context = contextOf(state)
  return hasBlocks(plain) ? context.nodesOf(readBlocks(plain)) : context.read(plain)
}

function contextOf(state: TextState): BlockContext {
  const context: BlockContext = {
    state,
    read: (source) => {
      const made: (readonly Node[])[] = []
      return readTree(putShortcodes(source, made, context), state, made, breakLines)
    },
    nodesOf: (block: WordPressBlock) => {
      const made: (readonly Node[])[] = block.inner.map((inner) => context.convert(inner))
      return readTree(putShortcodes(block.html, made, context), state, made)
    },
    convert: (block) => convertBlock(block, context),
    readText: (text: ImportText) =>
      text.format === 'wordpress' ? readBody(text.source, state) : readTree(withoutMarkers(text.source), state),
  }
  return context
}

/** The notes to which a text refers, in the form that the converter of HTML knows. */
function notesOf(nodes: readonly Node[], state: TextState): readonly Node[] {
  const ids = new Set<string>()
  for (const element of descendants(makeElement('body', {}, [...nodes]))) {
    const id = attributeOf(element, 'data-fn')
    if (id !== '') ids.add(id)
  }
  const items = [...ids].flatMap((id): readonly HtmlElement[] => {
    const words = state.answers.footnotes.get(id)
    if (words === undefined)
      state.lose('footnote', 'footnotes', 'The text of a footnote is not in the import: only its number stays.')
    if (words === undefined) return []
    const back = makeElement('a', { href: `#${id}-link` }, [makeText('↩')])
    return [makeElement('li', { id }, [...readTree(withoutMarkers(words), state), back])]
  })
  return items.length === 0 ? [] : [makeElement('ol', {}, items)]
}
