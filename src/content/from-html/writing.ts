// The state of one conversion, which its writers share, and the shape of what they write.

import type { TextMarks } from './marks.ts'
import type { HtmlElement, Node } from './tree.ts'

export interface FromHtmlOptions {
  /** The site's origin and base path without a slash at the end. Addresses below it become paths. */
  readonly origin?: string | undefined
  /**
   * `own` keeps only pictures of the site and of the clipboard; those of other sites become links, and are listed. `all` keeps
   * every picture with a web address.
   */
  readonly pictures?: 'own' | 'all'
  /** The labels of footnotes that the text has already. */
  readonly takenNotes?: readonly string[]
}

export interface Conversion {
  readonly options: FromHtmlOptions
  /** The levels by which headings sink, because a text begins with headings of level 2. */
  readonly sunk: number
  /** The ids to which links of the text lead. */
  readonly linkedIds: ReadonlySet<string>
  /** The ids of headings. Other places of a text can't be linked to. */
  readonly headingIds: ReadonlySet<string>
  /** The labels of footnotes, by the links that refer to them. */
  readonly notes: ReadonlyMap<HtmlElement, string>
  /** Writes nodes as blocks (`blocks.ts`). */
  blocks(nodes: readonly Node[], spot: Spot): readonly Block[]
  /** Elements with a block somewhere in them. */
  readonly withBlocks: WeakSet<HtmlElement>
  /** Addresses of pictures of other sites. */
  readonly elsewhere: string[]
  /** The number of pictures without an address that works here. */
  missing: number
  /** The number of sections that are written. */
  sections: number
}

/** A place in the text: the marks around it, and the number of lists and quotations. */
export interface Spot {
  readonly writing: Conversion
  readonly marks: TextMarks
  readonly depth: number
  /** The kind of the section around it. */
  readonly section?: string | undefined
}

/** A block of Markdown, without empty lines around it. */
export interface Block {
  readonly text: string
  /** The marker of a list. Another list right after it needs another marker, or both would be one. */
  readonly marker?: string
  /** True for a list that can't follow a paragraph without an empty line. */
  readonly needsSpace?: boolean
}

/** @param previous the block before, in the same place */
export type BlockWriter = (element: HtmlElement, place: Spot, previous: Block | undefined) => readonly Block[]

/** Lists and quotations in one another beyond this depth are written without their marks. */
export const maxNesting = 10

export const joined = (blocks: readonly Block[]): string => blocks.map(({ text }) => text).join('\n\n')

/** Indents all lines but the first, and leaves empty lines empty. */
export const indented = (text: string, indent: string): string => text.replace(/\n(?=[^\n])/g, `\n${indent}`)
