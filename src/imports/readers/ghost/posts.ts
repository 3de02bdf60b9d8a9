// The posts and pages of a Ghost export.

import type { ImportEntry, ImportLoss, ImportPart, ImportTime } from '../../stream.ts'
import { plainTitle } from '../plain-title.ts'
import type { Permalinks } from './permalinks.ts'
import { cell, type GhostRow, type GhostTables } from './tables.ts'

/** The other tables by the posts to which their rows belong. */
interface Joined {
  readonly meta: ReadonlyMap<string, GhostRow>
  readonly tags: ReadonlyMap<string, readonly GhostRow[]>
  readonly authors: ReadonlyMap<string, readonly GhostRow[]>
  readonly permalinks: Permalinks
}

export function* readPosts(tables: GhostTables, permalinks: Permalinks): Generator<ImportPart> {
  const { posts, posts_meta: meta, posts_tags: postTags, posts_authors: postAuthors, tags, users } = tables.rows
  const joined: Joined = {
    meta: new Map(meta.map((row) => [cell(row, 'post_id'), row])),
    tags: joinRows(postTags, 'tag_id', tags),
    authors: joinRows(postAuthors, 'author_id', users),
    permalinks,
  }
  const userById = new Map(users.map((row) => [cell(row, 'id'), row]))
  for (const post of posts) yield* readPost(post, joined, userById)
}

/** Returns the rows of a table that belong to each post, in their order. */
function joinRows(links: readonly GhostRow[], key: string, rows: readonly GhostRow[]): ReadonlyMap<string, readonly GhostRow[]> {
  const byId = new Map(rows.map((row) => [cell(row, 'id'), row]))
  const joined = new Map<string, GhostRow[]>()
  for (const link of links.toSorted((one, other) => Number(one['sort_order'] ?? 0) - Number(other['sort_order'] ?? 0))) {
    const row = byId.get(cell(link, key))
    const post = cell(link, 'post_id')
    if (row) joined.set(post, [...(joined.get(post) ?? []), row])
  }
  return joined
}

/** Tags that only the theme sees. */
export const isInternal = (tag: GhostRow): boolean => cell(tag, 'visibility') === 'internal' || cell(tag, 'name').startsWith('#')

function* readPost(post: GhostRow, joined: Joined, users: ReadonlyMap<string, GhostRow>): Generator<ImportPart> {
  const id = cell(post, 'id')
  const title = plainTitle(cell(post, 'title'))
  const loss = (group: string, name: string, reason: string): ImportLoss => ({ kind: 'loss', group, name, reason, where: title })
  for (const name of ['codeinjection_head', 'codeinjection_foot'])
    if (cell(post, name) !== '') yield loss('code', name, 'code for a page is not taken over')
  for (const further of joined.authors.get(id)?.slice(1) ?? [])
    yield loss('author', cell(further, 'slug'), 'a further author: an entry here has one')
  for (const name of ['canonical_url', 'custom_template'])
    if (cell(post, name) !== '') yield loss('meta', name, 'an entry here has no such setting')
  for (const name of ['og', 'twitter'])
    if (['image', 'title', 'description'].some((part) => cell(joined.meta.get(id), `${name}_${part}`) !== ''))
      yield loss('meta', `${name}_*`, 'title, description and cover are those that other sites show')
  const allTags = joined.tags.get(id) ?? []
  for (const tag of allTags.filter(isInternal)) yield loss('tag', cell(tag, 'name'), 'a label for the theme of Ghost')
  const tags = allTags.filter((tag) => !isInternal(tag))
  const author = joined.authors.get(id)?.[0] ?? users.get(cell(post, 'author_id'))
  const publishedAt = toTime(post['published_at'])
  const meta = joined.meta.get(id)
  const cover = cell(post, 'feature_image')
  const isPage = cell(post, 'type') === 'page' || post['page'] === true || post['page'] === 1
  const slug = cell(post, 'slug')
  const address = isPage
    ? `/${slug}/`
    : joined.permalinks({
        id,
        slug,
        publishedAt: publishedAt?.utc,
        tags: tags.map((tag) => cell(tag, 'slug')),
        author: cell(author, 'slug'),
      })
  const html = cell(post, 'html')
  if (html === '' && title !== '') yield loss('text', 'empty text', 'Ghost exported no HTML of it')
  yield {
    kind: 'entry',
    id,
    type: isPage ? 'page' : 'post',
    ...statusOf(post),
    title: title || slug,
    slug: slug || undefined,
    addresses: [address],
    publishedAt,
    updatedAt: toTime(post['updated_at']),
    author: cell(author, 'slug') || undefined,
    terms: tags.map((tag) => ({ taxonomy: 'tag', slug: cell(tag, 'slug'), name: plainTitle(cell(tag, 'name')) })),
    pinned: post['featured'] === true || post['featured'] === 1,
    excerpt: plainTitle(cell(post, 'custom_excerpt')) || undefined,
    text: { format: 'ghost', source: html },
    cover:
      cover === ''
        ? undefined
        : {
            address: cover,
            alt: cell(meta, 'feature_image_alt') || undefined,
            caption: plainTitle(cell(meta, 'feature_image_caption')) || undefined,
          },
    seo: seoOf(meta),
    language: cell(post, 'locale') || undefined,
  } satisfies ImportEntry
}

const statuses: Readonly<Record<string, ImportEntry['status']>> = {
  published: 'published',
  draft: 'draft',
  scheduled: 'scheduled',
}

/** Only what everybody could read becomes public. */
function statusOf(post: GhostRow): Pick<ImportEntry, 'status' | 'heldBecause'> {
  const visibility = cell(post, 'visibility') || 'public'
  const status = cell(post, 'status')
  if (status === 'sent' || post['email_only'] === true) return { status: 'held', heldBecause: 'sent by mail only' }
  if (visibility !== 'public') return { status: 'held', heldBecause: 'members' }
  return { status: statuses[status] ?? 'draft' }
}

/** Times are in ISO 8601, and in milliseconds before Ghost 1.0. */
function toTime(value: GhostRow[string] | undefined): (ImportTime & { readonly utc: number }) | undefined {
  const utc = typeof value === 'number' ? value : Date.parse(String(value ?? ''))
  return utc > 0 ? { utc } : undefined
}

function seoOf(meta: GhostRow | undefined): ImportEntry['seo'] {
  const title = cell(meta, 'meta_title')
  const description = cell(meta, 'meta_description')
  return title === '' && description === ''
    ? undefined
    : { ...(title !== '' && { title }), ...(description !== '' && { description }) }
}
