// The lists of public entries that have a path: all posts, all pages, a type with a feed, a term, an author, and a year or month.
// An entry at the same path wins. Lists contain published entries only (attack 89).

import { urlOf } from '../../content/entries/entry.ts'
import { datedType, usualType } from '../../content/types/entry-types.ts'
import { hasList, listPathOf, pagesPath, postsPath } from '../../content/types/list-paths.ts'
import { languageOf, languagesOf, languagePath } from '../../content/languages/languages.ts'
import { publicProfiles } from '../../identity/profile.ts'
import { toTime } from '../../content/types/field-values.ts'
import { findTerm, listArchive } from '../../content/terms/terms.ts'
import type { ThemeAuthor, ThemePage, ThemeTerm } from '../../themes/contract.ts'
import { siteWord } from '../../themes/site-words.ts'
import type { Frame } from '../pages/frame.ts'
import { authorsOf } from '../pages/page-data/author.ts'
import { listOfType, listOrdered } from './ordered-entries.ts'
import { type ListedPart, type ListedPost, listedById, listedOnly, listNewest } from './public-entries.ts'

export interface PublicList {
  /** The path below the base path. */
  readonly path: string
  readonly title: string
  readonly description: string | null
  /** The further language of the list, or null for the root. */
  readonly branch: string | null
  /** The subject of an archive. */
  readonly of: Pick<ThemePage, 'term' | 'author' | 'period'> | null
  /** Returns entries in the order of the list. If there are further ones, the result has one more than `limit`. */
  rows(part: ListedPart): Promise<readonly ListedPost[]>
  /** Returns the newest entries for a feed, if `rows` may have another order. */
  newest?(part: ListedPart): Promise<readonly ListedPost[]>
}

type Finder = (frame: Frame, path: string, branch: string | null) => PublicList | undefined | Promise<PublicList | undefined>

/** Finds the list at a path without a page number. The list's own path differs if the list has moved. */
export async function findList(frame: Frame, path: string): Promise<PublicList | undefined> {
  const { further } = languagesOf(frame.site.settings.values)
  const branch = further.find((language) => path.startsWith(`${languagePath(language)}/`)) ?? null
  const below = branch === null ? path : path.slice(languagePath(branch).length)
  for (const find of finders) {
    const list = await find(frame, below, branch)
    if (list) return { ...list, path: path.slice(0, path.length - below.length) + list.path }
  }
  return undefined
}

/** The entries of a type by its rules, and for feeds the newest. */
const rowsOfType = ({ site }: Frame, type: string, branch: string | null): Pick<PublicList, 'rows' | 'newest'> => ({
  rows: ({ which, limit, offset }) =>
    listOrdered(site, { ...listOfType(site.types.current.of(type), branch), which }, limit, offset),
  newest: (part) => listNewest(site, { types: [type], branch }, part),
})

/** All posts. @param path below the base path */
export function allPosts(frame: Frame, path: string, branch: string | null): PublicList {
  const { values } = frame.site.settings
  const languages = languagesOf(values)
  return {
    path,
    title: siteWord(branch ?? languages.main, 'all_posts'),
    description: values.site_tagline || null,
    branch,
    of: null,
    ...rowsOfType(frame, datedType, branch),
  }
}

/** All pages. The default menu links to this list if it has no room for all of them. */
function allPages(frame: Frame, path: string, branch: string | null): PublicList {
  const { main } = languagesOf(frame.site.settings.values)
  return {
    path,
    title: siteWord(branch ?? main, 'all_pages'),
    description: null,
    branch,
    of: null,
    ...rowsOfType(frame, usualType, branch),
  }
}

const finders: readonly Finder[] = [
  (frame, path, branch) => (path === postsPath ? allPosts(frame, path, branch) : undefined),
  (frame, path, branch) => (path === pagesPath ? allPages(frame, path, branch) : undefined),
  typeList,
  periodList,
  authorList,
  termList,
]

/** The list of a type with a feed. The type's name finds the list too, whose `path` then differs from the requested one. */
function typeList(frame: Frame, path: string, branch: string | null): PublicList | undefined {
  const types = frame.site.types.current.all.filter(hasList)
  const type = types.find((one) => path === listPathOf(one)) ?? types.find(({ slug }) => path === `/${slug}`)
  if (!type) return undefined
  return {
    path: listPathOf(type),
    title: type.name,
    description: null,
    branch,
    of: null,
    ...rowsOfType(frame, type.slug, branch),
  }
}

const periodPath = /^\/([12]\d{3})(?:\/(0[1-9]|1[0-2]))?$/

/** A year or a month in the time zone of the site. A period without entries has no page. */
async function periodList(frame: Frame, path: string, branch: string | null): Promise<PublicList | undefined> {
  const [found, year = '', month] = periodPath.exec(path) ?? []
  if (found === undefined) return undefined
  const { settings } = frame.site
  const { time_zone: timeZone } = settings.values
  const startOf = (text: string): number => toTime(text, { field: 'path', timeZone })
  const [from, until] = month
    ? [
        `${year}-${month}-01`,
        month === '12' ? `${Number(year) + 1}-01-01` : `${year}-${String(Number(month) + 1).padStart(2, '0')}-01`,
      ]
    : [`${year}-01-01`, `${Number(year) + 1}-01-01`]
  const range = { from: startOf(from), until: startOf(until) }
  const rows = (part: ListedPart) => listNewest(frame.site, { branch, types: datedTypes(frame), period: range }, part)
  if ((await rows({ which: 'titled', limit: 0, offset: 0 })).length === 0) return undefined
  const language = languageOf(languagesOf(settings.values), branch)
  const shown = new Intl.DateTimeFormat(language || 'en', { year: 'numeric', ...(month && { month: 'long' as const }), timeZone })
  const text = shown.format(range.from)
  const period = { text, from: new Date(range.from).toISOString() }
  return { path, title: text, description: null, branch, of: { term: null, author: null, period }, rows }
}

/** The entries of an author whose profile is public. */
async function authorList(frame: Frame, path: string, branch: string | null): Promise<PublicList | undefined> {
  const slug = /^\/author\/([^/]+)$/.exec(path)?.[1]
  if (slug === undefined || branch !== null) return undefined
  const account = await publicProfiles(frame.site.store.read).select('id').where('slug', '=', slug).executeTakeFirst()
  const author: ThemeAuthor | undefined = account && (await authorsOf(frame, [account.id])).get(account.id)
  if (!account || !author) return undefined
  return {
    path,
    title: author.name,
    description: author.bio,
    branch,
    of: { term: null, author, period: null },
    rows: (part) => listNewest(frame.site, { author: account.id, types: datedTypes(frame) }, part),
  }
}

/** The entries of a term and of the terms below it. */
async function termList(frame: Frame, path: string, branch: string | null): Promise<PublicList | undefined> {
  if (branch !== null || !/^\/[^/]+\/[^/]+$/.test(path)) return undefined
  const { site, origin } = frame
  const row = await findTerm(site.store.read, path.slice(1))
  if (!row || `/${row.ref}` !== path) return undefined
  const text = row.text.trim() === '' ? null : await site.excerpts.given(row.text, site.settings.values.language)
  const term: ThemeTerm = { taxonomy: row.taxonomy, slug: row.slug, title: row.name, url: urlOf(origin, path), text }
  return {
    path,
    title: row.name,
    description: text,
    branch,
    of: { term, author: null, period: null },
    async rows({ which, ...part }) {
      const only: Parameters<typeof listArchive>[2]['only'] = (eb) => listedOnly(which)(eb, site.clock.now())
      return listedById(site, which, await listArchive(site.store.read, row.id, { ...part, only }))
    },
  }
}

const datedTypes = ({ site }: Frame): readonly string[] =>
  site.types.current.all.filter(({ dated }) => dated).map(({ slug }) => slug)
