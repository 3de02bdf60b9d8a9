// The text of an imported entry: in the words of its old system, and as the Markdown that it becomes.

/** A text in the words of an old system. */
export type ImportText =
  | { readonly format: 'html' | 'wordpress' | 'ghost'; readonly source: string }
  | {
      readonly format: 'markdown'
      readonly dialect: 'plain' | 'jekyll' | 'hugo' | 'zola' | 'eleventy' | 'astro' | 'obsidian'
      readonly source: string
    }

/** The things of the old site to which a text refers. */
export interface TextReferences {
  /** Addresses of links and pictures, as they stand in the text. */
  readonly addresses: readonly string[]
  /** Ids of files, such as those of a gallery. */
  readonly files: readonly string[]
  /** Ids of entries whose text stands in this one, such as reusable blocks. */
  readonly entries: readonly string[]
}

/** A file of this site, for a text that shows it. */
export interface TextFile {
  /** The path on this site, such as `/media/bread.jpg`. */
  readonly path: string
  readonly alt: string
  readonly caption: string
}

/** The answers that `convertText` takes, to what `referencesIn` finds. A reference without an answer stays as it is written. */
export interface TextAnswers {
  /** The title of the entry. A text that begins with it says it once. */
  readonly title: string
  /** Paths on this site by addresses of the text. */
  readonly addresses: ReadonlyMap<string, string>
  readonly files: ReadonlyMap<string, TextFile>
  /** The files that were uploaded to this entry, in order, for galleries without a list. */
  readonly ownFiles: readonly TextFile[]
  /** Texts of other entries by their ids. */
  readonly entries: ReadonlyMap<string, ImportText>
  /** The notes of a text that its old system keeps beside it, by their ids. */
  readonly footnotes: ReadonlyMap<string, string>
}

/** A text of this site. */
export interface ConvertedText {
  readonly markdown: string
  /** The words before the border of the summary, if the old system marks one. */
  readonly excerpt?: string | undefined
  /** Parts that did not become Markdown of ours, such as an unknown shortcode, each with what became of it. */
  readonly losses: readonly { readonly group: string; readonly name: string; readonly reason: string }[]
  /** Parts that the old system puts into texts, carried over or not. */
  readonly constructs: readonly TextConstruct[]
}

/** A kind of block, shortcode, card or tag, with the number of times that a text has it. */
export interface TextConstruct {
  readonly group: string
  readonly name: string
  readonly count: number
}
