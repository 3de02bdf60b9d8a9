// The feeds of other systems: the addresses at which they have them, and the feed of this site to which each leads.

import { publicProfiles } from '../../identity/profile.ts'
import type { Db } from '../../store/core/database.ts'
import { publishedOnly } from '../entries/entry.ts'
import { languageAt, languageBelow, languagePath, mayBeLanguage, readLanguages } from '../languages/languages.ts'
import { findTerm, pathOfTerm } from '../terms/terms.ts'
import { typesIn } from '../types/entry-type-reader.ts'
import { hasList, listPathOf, pagesPath, postsPath } from '../types/list-paths.ts'
import { findOldPath } from './old-targets.ts'

type FeedFile = 'feed.xml' | 'atom.xml' | 'feed.json'

/** The ends of addresses of feeds, after that of a site, a list or a page, and the feed of the same format here. */
const feedEnds: Readonly<Record<string, FeedFile>> = {
  // WordPress. Medium, Substack and Drupal have the first of them, too.
  feed: 'feed.xml',
  'feed/rss': 'feed.xml',
  'feed/rss2': 'feed.xml',
  'feed/rdf': 'feed.xml',
  'feed/atom': 'atom.xml',
  'comments/feed': 'feed.xml',
  'comments/feed/rss2': 'feed.xml',
  'comments/feed/atom': 'atom.xml',
  'wp-feed.php': 'feed.xml',
  'wp-rss.php': 'feed.xml',
  'wp-rss2.php': 'feed.xml',
  'wp-rdf.php': 'feed.xml',
  'wp-commentsrss2.php': 'feed.xml',
  'wp-atom.php': 'atom.xml',
  // Ghost, Tumblr.
  rss: 'feed.xml',
  // Hugo, Movable Type.
  'index.xml': 'feed.xml',
  'index.rdf': 'feed.xml',
  // Zola, Astro, Gatsby, Nikola, Drupal.
  'rss.xml': 'feed.xml',
  // Hexo.
  'rss2.xml': 'feed.xml',
  // Eleventy.
  'feed/feed.xml': 'feed.xml',
  'feed/feed.json': 'feed.json',
  // Jekyll, Middleman, and the feeds of lists that have another path here.
  'feed.xml': 'feed.xml',
  'atom.xml': 'atom.xml',
  'feed.json': 'feed.json',
  // Others.
  atom: 'atom.xml',
  'feed.atom': 'atom.xml',
  'feed.rss': 'feed.xml',
  'index.atom': 'atom.xml',
  // Pelican.
  'feeds/all.rss.xml': 'feed.xml',
  'feeds/all.atom.xml': 'atom.xml',
  // Blogger.
  'feeds/posts/default': 'atom.xml',
}

/** The ends with which WordPress has the comments of an entry. */
const commentsEnd = /^feed(?:\/(?:rss2?|rdf|atom))?$/

/** Folders of posts, whose index is a list on most systems. */
export const sectionNames = /^(?:_?posts?|blog|articles?|news|journal|notes)$/i

/** The path of the posts of a year, a month or a day, such as `/2019/05`. Their feed is that of all posts here. */
const period = /\/(?:19|20)\d\d(?:\/\d\d?){0,2}$/

interface OldFeed {
  /** The path of the list or page; empty for the whole site. */
  readonly of: string
  readonly file: FeedFile
  readonly mayBeComments: boolean
}

/** Reads a path as that of a feed, by its longest end; undefined if it is none. */
function toOldFeed(path: string): OldFeed | undefined {
  const parts = path.split('/').slice(1)
  for (const count of [3, 2, 1]) {
    const end = parts.slice(-count).join('/')
    if (parts.length < count || !Object.hasOwn(feedEnds, end)) continue
    const of = parts.slice(0, -count)
    return {
      of: of.length === 0 ? '' : `/${of.join('/')}`,
      file: feedEnds[end] ?? 'feed.xml',
      mayBeComments: commentsEnd.test(end),
    }
  }
  return undefined
}

/** Returns the feed of this site for a path at which other systems have one; for the comments of an entry, the entry. */
export async function findOldFeed(db: Db, path: string, now: number): Promise<string | undefined> {
  const feed = toOldFeed(path)
  const to = feed && (await feedHere(db, feed, now))
  return to === path ? undefined : to
}

async function feedHere(db: Db, { of, file, mayBeComments }: OldFeed, now: number): Promise<string | undefined> {
  if (of === '' || (await isList(db, of))) return `${of}/${file}`
  const moved = await findOldPath(db, of, now)
  if (moved !== undefined && (await isList(db, moved))) return `${moved}/${file}`
  const entry = moved ?? (await findEntryPath(db, of, now))
  if (entry !== undefined && mayBeComments) return entry
  // The page of a section or a period is no list here, so its posts are those of the site.
  const isSection = entry !== undefined || sectionNames.test(of.split('/').at(-1) ?? '') || period.test(of)
  return isSection ? `${await languagePrefixOf(db, of)}/${file}` : undefined
}

/** True if a path is that of a list with a feed: all posts or pages, the entries of a type, a term, an author, or a language. */
async function isList(db: Db, path: string): Promise<boolean> {
  const below = path.slice((await languagePrefixOf(db, path)).length)
  if (below === '' || below === postsPath || below === pagesPath) return true
  const [, top = '', slug, more] = below.split('/')
  if (top === 'author' && slug !== undefined && more === undefined)
    return below === path && (await publicProfiles(db).where('slug', '=', slug).executeTakeFirst()) !== undefined
  if ((await typesIn(db)).all.some((type) => hasList(type) && listPathOf(type) === below)) return true
  const term = slug === undefined || more !== undefined ? undefined : await findTerm(db, below)
  return term !== undefined && pathOfTerm(term) === below
}

/** The path of the language to which a path belongs; empty for the main one. */
async function languagePrefixOf(db: Db, path: string): Promise<string> {
  const [, top = ''] = path.split('/')
  if (!mayBeLanguage(top)) return ''
  const languages = await readLanguages(db)
  const language = languageAt(languages, path) ?? languageBelow(languages, path)
  return language === undefined ? '' : languagePath(language)
}

/** The present path of the public entry that is or was at a path. */
async function findEntryPath(db: Db, path: string, now: number): Promise<string | undefined> {
  const entries = db
    .selectFrom('entry')
    .select('entry.path')
    .where((eb) => publishedOnly(eb, now))
  const row =
    (await entries.where('entry.path', '=', path).executeTakeFirst()) ??
    (await entries
      .innerJoin('former_path', 'former_path.entry_id', 'entry.id')
      .where('former_path.path', '=', path)
      .executeTakeFirst())
  return row?.path ?? undefined
}

const queryForm = /^(?:comments-)?(?:rss2?|rdf|(atom))$/

/** The feed that WordPress has for the query of its home page, such as `/?feed=rss2`; undefined for another query. */
export function feedOfQuery(query: URLSearchParams): FeedFile | undefined {
  const found = queryForm.exec(query.get('feed') ?? '')
  return found ? (found[1] === undefined ? 'feed.xml' : 'atom.xml') : undefined
}
