// One block of a WordPress text, and the shape of its rule.

import type { Node } from '../../../content/from-html/tree.ts'
import type { ImportText } from '../../text.ts'
import type { WordPressBlock } from './block-tree.ts'
import type { WordPressContext } from './shortcode.ts'

export interface BlockContext extends WordPressContext {
  /** Converts the HTML of a block, with the blocks in it. */
  nodesOf(block: WordPressBlock): readonly Node[]
  /** Converts a block by its rule. */
  convert(block: WordPressBlock): readonly Node[]
  /** Reads another text in its place. */
  readText(text: ImportText): readonly Node[]
}

export type BlockRule = (block: WordPressBlock, context: BlockContext) => readonly Node[]
