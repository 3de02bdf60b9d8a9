// The form of the examples with which a site begins.

/** The kinds of sites that can begin with examples. */
export const siteKinds = ['blog', 'business', 'manual'] as const
export type SiteKind = (typeof siteKinds)[number]

/** An entry of a beginning. Its path is `/slug`, below that of its parent. */
export interface ExampleEntry {
  /** True for a post; a page otherwise. */
  readonly isPost?: true
  readonly slug: string
  readonly title: string
  readonly body: string
  readonly excerpt?: string
  /** The path of the page above. */
  readonly parent?: string
  readonly position?: number
}

/** The beginning of a site in one language. */
export interface Beginning {
  readonly entries: readonly ExampleEntry[]
  /** The path of the page that is shown as home; undefined for the list of posts. */
  readonly home?: string
  /** The paths in the main menu, in their order. */
  readonly menu: readonly string[]
}

export const exampleLanguages = ['en', 'de'] as const
export type ExampleLanguage = (typeof exampleLanguages)[number]

export type Beginnings = Readonly<Record<ExampleLanguage, Beginning>>

/** The path of an example. */
export const examplePath = ({ slug, parent = '' }: Pick<ExampleEntry, 'slug' | 'parent'>): string => `${parent}/${slug}`
