// The types of entries: two built-in rows, and those that the owner defines. Other code reads a type's behaviour from its row and
// never compares its name. `entry-type-reader.ts` reads the rows from the database.

import type { FieldDefinition } from './field-definition.ts'
import { type ListRules, rulesOf } from './list-rules.ts'

/** The behaviour of a type of entry on the site. */
export interface EntryType {
  /** The name that callers and the database use. */
  readonly slug: string
  /** The name that people use, such as `Product`. */
  readonly name: string
  /** The plural of the type, for sentences. */
  readonly plural: string
  /** A phrase about the type for the schema of `type`. */
  readonly about: string
  /** True if the type belongs to the program and can't be deleted. */
  readonly builtIn: boolean
  /** The pattern of paths of entries without parents: `/{type}/{slug}`. */
  readonly path: string
  /**
   * True if entries have parents. The path is then the parent's path and the slug, and the menu shows the entries at the top.
   * Otherwise the path is that of the type, and the entry has no parent.
   */
  readonly hierarchical: boolean
  /** True if the home page lists its entries, newest first. */
  readonly listed: boolean
  /** True if its pages show a date and an author. */
  readonly dated: boolean
  readonly feed: boolean
  /** The class of the type in schema.org, and the property there that has the title. */
  readonly schemaOrg: { readonly type: string; readonly title: string }
  /** The fields of its entries, in addition to those of all entries. */
  readonly fields: readonly FieldDefinition[]
  /** Fields that were removed less than 30 days ago (UTC milliseconds). Their values are still stored but not shown. */
  readonly dropped: readonly { readonly name: string; readonly at: number }[]
  /** The slugs of the taxonomies whose terms its entries have. */
  readonly taxonomies: readonly string[]
  /** The rules of its public lists. */
  readonly list: ListRules
}

/** The types of a site at one moment. A change of a type makes a new value, so the value identifies its version. */
export interface EntryTypes {
  readonly all: readonly EntryType[]
  readonly slugs: readonly string[]
  /** True inside a batch, where earlier calls may still add types. */
  readonly unsettled?: true
  /** Values that were derived from these types, so that each is derived once (`derivedFrom`). */
  readonly derived: Map<object, unknown>
  /** The row of a type. For a type that another process has just deleted, it is a type without fields. */
  of(slug: string): EntryType
}

/** The part of a built-in type that the program decides. The owner decides the rest. */
type BuiltIn = Omit<EntryType, 'fields' | 'dropped' | 'taxonomies' | 'feed' | 'list'>

const page: BuiltIn = {
  slug: 'page',
  name: 'Page',
  plural: 'pages',
  about: 'stands below its parents',
  builtIn: true,
  path: '/{slug}',
  hierarchical: true,
  listed: false,
  dated: false,
  schemaOrg: { type: 'WebPage', title: 'name' },
}

const post: BuiltIn = {
  slug: 'post',
  name: 'Post',
  plural: 'posts',
  about: 'dated, at the top',
  builtIn: true,
  path: '/{slug}',
  hierarchical: false,
  listed: true,
  dated: true,
  schemaOrg: { type: 'BlogPosting', title: 'headline' },
}

/** The part of a type that the owner decides. */
export type OwnPart = Pick<EntryType, 'slug' | 'name' | 'path' | 'fields' | 'dropped' | 'taxonomies' | 'feed' | 'list'>

const plain = { fields: [], dropped: [], taxonomies: [], list: {} } as const
const builtInRows: readonly EntryType[] = [
  { ...page, ...plain, feed: false },
  { ...post, ...plain, feed: true },
]

/** Makes a type from the owner's part. */
export function typeOf(given: OwnPart): EntryType {
  const own = { ...given, list: rulesOf(given.list, given.fields) }
  const known = builtInRows.find(({ slug }) => slug === own.slug)
  if (known) return { ...known, ...own, path: known.hierarchical ? known.path : own.path }
  return {
    ...own,
    plural: `entries of the type ${own.slug}`,
    about: own.name,
    builtIn: false,
    hierarchical: false,
    listed: false,
    dated: own.feed,
    schemaOrg: own.feed ? { type: 'Article', title: 'headline' } : { type: 'WebPage', title: 'name' },
  }
}

/** All types, those of the program first. */
export function typesOf(own: readonly OwnPart[]): EntryTypes {
  const given = new Map(own.map((part) => [part.slug, typeOf(part)]))
  for (const row of builtInRows) given.set(row.slug, given.get(row.slug) ?? row)
  const all = [...given.values()].sort((a, b) => Number(b.builtIn) - Number(a.builtIn) || (a.slug < b.slug ? -1 : 1))
  const bySlug = new Map(all.map((row) => [row.slug, row]))
  return {
    all,
    slugs: all.map(({ slug }) => slug),
    derived: new Map(),
    of: (slug) => bySlug.get(slug) ?? typeOf({ ...plain, slug, name: slug, path: '/{type}/{slug}', feed: false }),
  }
}

/** The same types inside a batch, where earlier calls may still add others. */
export const unsettled = (types: EntryTypes): EntryTypes => ({ ...types, unsettled: true, derived: new Map() })

/** A value that depends on the types alone. @param key the identity of the value */
export function derivedFrom<T>(types: EntryTypes, key: object, make: () => T): T {
  if (!types.derived.has(key)) types.derived.set(key, make())
  return types.derived.get(key) as T
}

/** The types of a site without custom types. */
export const builtInTypes = typesOf([])

/** The slugs of the built-in types. Schemas that name them follow the types of the site (`followed-schemas.ts`). */
export const entryTypeSlugs: readonly string[] = builtInTypes.slugs

/** The type of an entry that `SVC_Content.put` creates from a file without a type, at a path that belongs to no type. */
export const usualType: string = page.slug

/** The built-in type of entries with a date. */
export const datedType: string = post.slug

/** The slugs of the types for which `does` is true. Only built-in types have parents or are listed at home. */
export function typesThat(does: 'hierarchical' | 'listed'): readonly string[] {
  return builtInRows.filter((row) => row[does]).map(({ slug }) => slug)
}

/** Returns the path before the slug for a type's entries: `/product`, or `''` at the top. */
export const basePathOf = ({ path, slug }: Pick<EntryType, 'path' | 'slug'>): string =>
  path.replaceAll('{type}', slug).slice(0, -'/{slug}'.length)
