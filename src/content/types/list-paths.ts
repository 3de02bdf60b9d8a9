// The paths of the public lists of entries, below the path of a language.

import { basePathOf, type EntryType } from './entry-types.ts'

/** The path of all posts, unless the owner has chosen a page for them. */
export const postsPath = '/posts'

/** The path of all pages. */
export const pagesPath = '/pages'

/** True if the entries of a type have a list. */
export const hasList = ({ feed, builtIn }: EntryType): boolean => feed && !builtIn

/** Returns the path of a type's list: the beginning of its entries' paths, or the type's name if they are at the top. */
export const listPathOf = (type: EntryType): string => basePathOf(type) || `/${type.slug}`
