// One shortcode of a WordPress text, and what its rule may ask.

import type { Node } from '../../../content/from-html/tree.ts'
import type { TextState } from '../text-state.ts'

export interface Shortcode {
  readonly name: string
  readonly values: ReadonlyMap<string, string>
  /** The source between its beginning and its end; undefined if it has no end. */
  readonly content: string | undefined
}

export interface WordPressContext {
  readonly state: TextState
  /** Reads HTML with shortcodes, as the text around it is read. */
  read(source: string): readonly Node[]
}

/** @returns what the shortcode becomes; undefined if it stays as text */
export type ShortcodeRule = (shortcode: Shortcode, context: WordPressContext) => readonly Node[] | undefined
