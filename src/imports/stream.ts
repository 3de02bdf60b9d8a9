// The neutral stream of an import. The reader of each format yields these parts, and everything behind it exists once. Parts may
// refer to one another by the ids of the old site in any order.

import type { ImportText } from './text.ts'

/** A part of the site that is imported. */
export type ImportPart =
  | ImportSite
  | ImportAuthor
  | ImportTerm
  | ImportEntry
  | ImportSnippet
  | ImportMedia
  | ImportMenu
  | ImportRedirect
  | ImportComment
  | ImportMember
  | ImportLoss

/** Facts about the old site. A reader yields it first, and again for each further file of several. */
export interface ImportSite {
  readonly kind: 'site'
  /** Identifies the old site in further imports, such as its address without scheme and slash, or the name of a folder. */
  readonly key: string
  /** The address without a slash at the end, such as `https://old.example/blog`. */
  readonly url?: string | undefined
  readonly title?: string | undefined
  readonly tagline?: string | undefined
  /** A language tag, such as `en-US`. */
  readonly language?: string | undefined
  /** An IANA zone, such as `Europe/Berlin`, where the file names one. */
  readonly timeZone?: string | undefined
  /** The commonest distance of local times from UTC, in minutes, where the file has both. Known only after all entries. */
  readonly offsetMinutes?: number | undefined
}

/** A person who wrote entries. An import makes a profile of it, never an account that can sign in. */
export interface ImportAuthor {
  readonly kind: 'author'
  /** The name by which entries refer to the author, such as the login. */
  readonly id: string
  readonly name: string
  readonly bio?: string | undefined
  readonly website?: string | undefined
  readonly picture?: string | undefined
  /** Finds the account of the same person. It is never shown. */
  readonly email?: string | undefined
  /** Addresses of the author's page on the old site. */
  readonly addresses: readonly string[]
}

/** A term, or the mention of one by an entry. A term that no part describes is made from its first mention. */
export interface ImportTerm {
  readonly kind: 'term'
  /** The id on the old site, to which `?cat=` and menus refer. */
  readonly id?: string | undefined
  /** `category`, `tag`, or the name of another taxonomy of the old site. */
  readonly taxonomy: string
  readonly slug: string
  readonly name: string
  readonly description?: string | undefined
  /** The slug of the term above. */
  readonly parent?: string | undefined
  readonly addresses: readonly string[]
}

export type ImportTermRef = Pick<ImportTerm, 'taxonomy' | 'slug' | 'name'>

/** A point of time as a file tells it: exact, or of the clock on the wall in the zone of the old site. */
export type ImportTime = { readonly utc: number } | { readonly local: string }

/** A page, a post, or an item of another type of the old site. */
export interface ImportEntry {
  readonly kind: 'entry'
  readonly id: string
  /** `post`, `page`, or the name of another type of the old site. */
  readonly type: string
  /** `held` is private, password-protected or for members: it becomes a draft, and the report gives the reason. */
  readonly status: 'published' | 'draft' | 'scheduled' | 'held'
  /** The reason of `held`, such as `private`, `password` or `members`. */
  readonly heldBecause?: string | undefined
  readonly title: string
  /** The last part of the path, as the old site has it. */
  readonly slug?: string | undefined
  /** The path on this site where the format decides it, as a tree of files does; else the type and the slug decide. */
  readonly path?: string | undefined
  /**
   * Every address at which the old site had it, the present one first: absolute, or from the old site's address on, such as
   * `/?p=12`.
   */
  readonly addresses: readonly string[]
  readonly publishedAt?: ImportTime | undefined
  readonly updatedAt?: ImportTime | undefined
  /** UTC milliseconds at which the entry is taken off. */
  readonly unpublishAt?: ImportTime | undefined
  readonly author?: string | undefined
  readonly terms: readonly ImportTermRef[]
  /** The id of the entry above. */
  readonly parent?: string | undefined
  readonly position?: number | undefined
  readonly pinned?: boolean | undefined
  readonly excerpt?: string | undefined
  readonly text: ImportText
  /** The path of its file in the import. References of the text may be relative to it. */
  readonly file?: string | undefined
  readonly cover?: ImportPicture | undefined
  readonly seo?: { readonly title?: string; readonly description?: string; readonly noindex?: boolean } | undefined
  readonly language?: string | undefined
  /** Equal in entries that say the same in several languages. */
  readonly translations?: string | undefined
  /** Notes that the old system keeps beside the text, by their ids. */
  readonly footnotes?: Readonly<Record<string, string>> | undefined
  /** Further values of the entry by the names of the old site. Fields of its type take them, or else they are losses. */
  readonly fields?: Readonly<Record<string, ImportValue>> | undefined
  /** The names of all values that the old site keeps beside the text, used here or not. */
  readonly metaKeys?: readonly string[] | undefined
}

/** A value beside a text. An object is its JSON. */
export type ImportValue = string | number | boolean | readonly (string | number | boolean)[]

/** A text that stands in several entries, such as a reusable block. It is no entry of its own. */
export interface ImportSnippet {
  readonly kind: 'snippet'
  readonly id: string
  readonly text: ImportText
}

/** A picture that an entry shows: a file of the old site by id or address. */
export interface ImportPicture {
  readonly id?: string | undefined
  readonly address?: string | undefined
  readonly alt?: string | undefined
  readonly caption?: string | undefined
}

/** A file of the old site. */
export interface ImportMedia {
  readonly kind: 'media'
  readonly id: string
  /** The address on the old site: absolute, or from its address on. */
  readonly address: string
  /** The path in the imported files, if the bytes are there. */
  readonly path?: string | undefined
  readonly filename: string
  readonly title?: string | undefined
  readonly alt?: string | undefined
  readonly caption?: string | undefined
  /** The id of the entry to which it was uploaded. A gallery without a list shows these. */
  readonly parent?: string | undefined
  readonly position?: number | undefined
  /** Addresses of the page that the old site had for it, with a query too. */
  readonly addresses: readonly string[]
  readonly uploadedAt?: ImportTime | undefined
}

export interface ImportMenuItem {
  readonly title: string
  readonly target:
    | { readonly entry: string }
    | { readonly term: Pick<ImportTerm, 'taxonomy' | 'id' | 'slug'> }
    | { readonly address: string }
  readonly newTab?: boolean | undefined
  readonly children: readonly ImportMenuItem[]
}

export interface ImportMenu {
  readonly kind: 'menu'
  readonly id: string
  readonly name: string
  /** `main` or `footer`, where the file tells. */
  readonly location?: string | undefined
  readonly items: readonly ImportMenuItem[]
}

/** A rule of the old site. Patterns are in the words of its format; the import translates those it can. */
export interface ImportRedirect {
  readonly kind: 'redirect'
  readonly source: string
  readonly target: string
  readonly status: number
  readonly isPattern: boolean
}

export interface ImportComment {
  readonly kind: 'comment'
  readonly id: string
  readonly entry: string
  readonly parent?: string | undefined
  readonly name: string
  readonly email?: string | undefined
  readonly website?: string | undefined
  readonly postedAt: ImportTime
  /** HTML of the old site. It is cleaned before it is stored. */
  readonly html: string
  readonly approved: boolean
}

export interface ImportMember {
  readonly kind: 'member'
  readonly id: string
  readonly email: string
  readonly name?: string | undefined
  readonly joinedAt?: ImportTime | undefined
  readonly subscribed: boolean
}

/** The group of a file that was cut off. A report begins with it, since all that is behind the cut is missing. */
export const incomplete = 'incomplete'

/** Something that is not carried over. The report counts losses of the same group and name, and gives examples. */
export interface ImportLoss {
  readonly kind: 'loss'
  /** A group of the report, such as `type`, `status`, `meta`, `setting`, `comment` or `file`. */
  readonly group: string
  /** The thing in the words of the old site, such as `[rev_slider]`. */
  readonly name: string
  /** The reason, and what became of it. */
  readonly reason: string
  /** The entry, file or line where it was found. */
  readonly where?: string | undefined
}
