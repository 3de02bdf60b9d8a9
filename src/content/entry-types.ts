// The types of entries, one row per type. Other code asks a row what a type does; it never compares a type with a name.

/** What a type of entry does on the site. */
export interface EntryType {
  /** What callers and the database call it. */
  readonly slug: string
  /** The plural of the type, for sentences. */
  readonly plural: string
  /** A phrase about the type for the schema of `type`. */
  readonly about: string
  /**
   * Whether entries have parents. The path is then the parent's path and the slug, and the menu shows the entries at the top. Otherwise the
   * path is `/slug`, and the entry has no parent.
   */
  readonly hierarchical: boolean
  /** Whether the home page lists its entries, newest first. */
  readonly listed: boolean
  /** Whether its pages show a date and an author. */
  readonly dated: boolean
  /** The class of the type in schema.org, and the property there that has the title. */
  readonly schemaOrg: { readonly type: string; readonly title: string }
}

export const entryTypes = {
  page: {
    slug: 'page',
    plural: 'pages',
    about: 'stands below its parents',
    hierarchical: true,
    listed: false,
    dated: false,
    schemaOrg: { type: 'WebPage', title: 'name' },
  },
  post: {
    slug: 'post',
    plural: 'posts',
    about: 'dated, at the top',
    hierarchical: false,
    listed: true,
    dated: true,
    schemaOrg: { type: 'BlogPosting', title: 'headline' },
  },
} as const satisfies Readonly<Record<string, EntryType>>

export type EntryTypeSlug = keyof typeof entryTypes

const rows: readonly EntryType[] = Object.values(entryTypes)

/** The slugs of all types, in the order of the table. */
export const entryTypeSlugs = Object.keys(entryTypes) as EntryTypeSlug[]

/** The type of an entry that `SVC_Content.put` creates from a file without a type. */
export const usualType: EntryTypeSlug = entryTypes.page.slug

/** The row of a type. @throws Error for an unknown slug, which the database can't contain */
export function entryTypeOf(slug: string): EntryType {
  const type = rows.find((row) => row.slug === slug)
  if (type) return type
  throw new Error(`There is no type of entry with the slug ${JSON.stringify(slug)}.`)
}

/** The slugs of the types for which `does` is true. */
export function typesThat(does: 'hierarchical' | 'listed'): readonly string[] {
  return rows.filter((row) => row[does]).map(({ slug }) => slug)
}
