// The state that the rules of one rendering share: the language, and the unsupported constructs that they found.

import type { TextWords } from './markdown-words.ts'
import type { Typography } from './quotation-marks.ts'

/** A part of a text that has no meaning here, or probably not the intended one. */
export interface Notice {
  /** The number of the line, from 1. */
  readonly line: number
  /** One sentence, without the number of the line. */
  readonly message: string
}

/** The definition of a footnote. */
export interface Footnote {
  readonly label: string
  readonly line: number
  /** The number from 1, in the order of first use; 0 while nothing refers to the note. */
  number: number
  uses: number
}

/** The formulas of a text. */
export interface FoundFormulas {
  /** A text that is made anew for each rendering. Marks with it stand in the place of formulas. */
  readonly key: string
  /** In the order of their marks, with their signs: `$x$`. */
  readonly found: { readonly source: string; readonly line: number }[]
  /** The number of formulas that were read. Those beyond the limit are text. */
  read: number
}

/** The environment that markdown-it passes to its rules. */
export interface RenderState {
  readonly words: TextWords
  readonly typography: Typography
  /** The site's own origin and base path, if known: addresses below it are its own. */
  readonly origin: string | undefined
  readonly notices: Notice[]
  readonly footnotes: Map<string, Footnote>
  /** The used footnotes in the order of their numbers. */
  readonly usedFootnotes: Footnote[]
  /** Undefined where formulas are text. */
  readonly formulas: FoundFormulas | undefined
}

/** The most notices in an answer. */
const maxNotices = 20

export function notice(state: Pick<RenderState, 'notices'>, line: number, message: string): void {
  if (state.notices.length < maxNotices) state.notices.push({ line, message })
}

/** A part of the writer's text in a sentence: one line, short, without control characters. */
export const shown = (text: string): string =>
  text
    .slice(0, 60)
    .replace(/[^\P{C}]/gu, ' ')
    .toWellFormed()
    .trim()
