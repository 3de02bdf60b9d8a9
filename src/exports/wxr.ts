// The site as WXR, which WordPress imports. Texts are HTML there, and ids are numbers.

import { PackedMap } from '../base/packed-map.ts'
import { urlOf } from '../content/entries/entry.ts'
import { commentMarkup } from '../content/comments/comment-html.ts'
import { takesComments } from '../content/comments/comment-rules.ts'
import { xmlText } from '../content/markdown/escape-xml.ts'
import type { Renderer } from '../content/markdown/render.ts'
import { toSeo } from '../content/types/field-values.ts'
import { termIdsOf } from '../store/change/entry-terms.ts'
import { eachItem, itemsOf, type StoredMenuItem } from '../store/change/menu-references.ts'
import type { Db } from '../store/core/database.ts'
import { jsonTexts } from '../store/core/json-rows.ts'
import type { MediaRow, TermRow } from '../store/core/schema.ts'
import { type EntryExportParts, type NamedEntry, readNamedEntries } from './entry-files.ts'
import type { SettingValues } from '../settings/definitions.ts'
import { publicProfiles } from '../identity/profile.ts'
import { readMedia } from './media-files.ts'
import { keptComments } from './comment-files.ts'
import { parentsFirst } from './parents-first.ts'
import { cdata, itemElement, menuElement, namespaces, rssDate, termElement, type WxrComment, type WxrItem } from './wxr-text.ts'

export interface WxrParts extends EntryExportParts {
  readonly renderer: Pick<Renderer, 'render'>
  readonly origin: string
  readonly settings: SettingValues
  /** True for admins: protected files, and the comments with the addresses of those who wrote them. */
  readonly forAdmin: boolean
}

const creator = 'postern'
const domains: Readonly<Record<string, string>> = { category: 'category', tag: 'post_tag' }
const statuses: Readonly<Record<string, string>> = { published: 'publish', scheduled: 'future', private: 'private' }

/** Yields the file piece by piece. */
export async function* wxrText(parts: WxrParts): AsyncGenerator<string> {
  const { db, origin, settings } = parts
  const place = { base: origin, zone: settings.time_zone }
  const numberOf = createNumbers()
  const terms = await db.selectFrom('term').selectAll().orderBy('ref').execute()
  const authors = await listAuthors(parts)
  yield head(parts, authors)
  const termById = new Map(terms.map((row) => [row.id, row]))
  for (const row of [...parentsFirst(terms)].sort(byElement))
    yield termElement(numberOf(row.id), { ...row, parent: termById.get(row.parent_id ?? '')?.slug ?? '' })
  const menus = await db.selectFrom('menu').selectAll().orderBy('slug').execute()
  for (const { id, slug, name } of menus) yield menuElement(numberOf(id), { slug, name })
  const commented = parts.forAdmin ? await entriesWithComments(db) : new Set<string>()
  for await (const row of readMedia({ ...parts, withProtected: parts.forAdmin }))
    yield itemElement(place, attachmentOf(parts, row, numberOf(row.id)))
  for await (const entry of readNamedEntries(parts)) {
    const item = await itemOf(parts, entry, numberOf, termById)
    const comments = commented.has(entry.row.id) ? await commentsOf(db, entry.row.id, numberOf) : []
    yield itemElement(place, { ...item, comments })
  }
  const objectOf = await menuObjects(db, menus.map(itemsOf), termById)
  for (const { slug, name, ...menu } of menus)
    for (const item of menuItems(itemsOf(menu), 0, { numberOf, objectOf, menu: { slug, name } })) yield itemElement(place, item)
  yield '</channel>\n</rss>\n'
}

/** Numbers ids in the order in which they are asked for. */
function createNumbers(): (id: string) => number {
  const numbers = new PackedMap<number>()
  return (id) => {
    const known = numbers.get(id)
    if (known !== undefined) return known
    numbers.set(id, numbers.size + 1)
    return numbers.size
  }
}

interface Author {
  readonly login: string
  readonly name: string
}

/** The public profiles; `creator` stands for everybody else. */
async function listAuthors({ db }: WxrParts): Promise<readonly Author[]> {
  const rows = await publicProfiles(db).orderBy('slug').execute()
  const shown = rows.flatMap(({ slug, name }) => (slug === null ? [] : [{ login: slug, name }]))
  return [...shown, { login: creator, name: creator }]
}

function head({ origin, settings, now }: WxrParts, authors: readonly Author[]): string {
  const { site_title: title, site_tagline: tagline, language } = settings
  const lines = [
    `<title>${xmlText(title)}</title>`,
    `<link>${xmlText(origin)}</link>`,
    `<description>${xmlText(tagline)}</description>`,
    `<pubDate>${rssDate(now)}</pubDate>`,
    `<language>${xmlText(language)}</language>`,
    '<wp:wxr_version>1.2</wp:wxr_version>',
    `<wp:base_site_url>${xmlText(origin)}</wp:base_site_url>`,
    `<wp:base_blog_url>${xmlText(origin)}</wp:base_blog_url>`,
    ...authors.map(
      ({ login, name }, at) =>
        `<wp:author><wp:author_id>${at + 1}</wp:author_id><wp:author_login>${cdata(login)}</wp:author_login>` +
        `<wp:author_email>${cdata('')}</wp:author_email><wp:author_display_name>${cdata(name)}</wp:author_display_name>` +
        `<wp:author_first_name>${cdata('')}</wp:author_first_name><wp:author_last_name>${cdata('')}</wp:author_last_name></wp:author>`,
    ),
  ]
  return `<?xml version="1.0" encoding="UTF-8" ?>\n<rss version="2.0" ${namespaces}>\n<channel>\n${lines.map((line) => `\t${line}\n`).join('')}`
}

function attachmentOf({ origin }: WxrParts, row: MediaRow, id: number): WxrItem {
  const url = urlOf(origin, row.path)
  return {
    id,
    title: row.filename,
    link: url,
    creator,
    content: '',
    excerpt: row.caption ?? '',
    at: row.created_at,
    modified: row.updated_at,
    slug: row.filename.replace(/\.[^.]*$/, ''),
    status: 'inherit',
    parent: 0,
    order: 0,
    type: 'attachment',
    terms: [],
    meta: { _wp_attached_file: row.path.slice('/media/'.length), ...(row.alt !== null && { _wp_attachment_image_alt: row.alt }) },
    attachment: url,
  }
}

async function itemOf(
  parts: WxrParts,
  { row, names }: NamedEntry,
  numberOf: (id: string) => number,
  termById: ReadonlyMap<string, TermRow>,
): Promise<WxrItem> {
  const { origin, renderer } = parts
  const { html } = await renderer.render(row.body, { origin, ...(row.locale !== null && { language: row.locale }) })
  const { title, description, canonical, noindex } = toSeo(row.seo)
  const terms = termIdsOf(row.terms).flatMap((id) => termById.get(id) ?? [])
  const meta = {
    ...(row.cover !== null && names.media(row.cover) !== undefined && { _thumbnail_id: String(numberOf(row.cover)) }),
    ...(title !== null && { _yoast_wpseo_title: title }),
    ...(description !== null && { _yoast_wpseo_metadesc: description }),
    ...(canonical !== null && { _yoast_wpseo_canonical: canonical }),
    ...(noindex && { '_yoast_wpseo_meta-robots-noindex': '1' }),
  }
  return {
    id: numberOf(row.id),
    title: row.title,
    link: urlOf(origin, row.path ?? ''),
    creator: (row.author_id === null ? undefined : names.author(row.author_id)) ?? creator,
    content: html,
    excerpt: row.excerpt ?? '',
    at: row.published_at,
    modified: row.updated_at,
    slug: row.slug,
    // WordPress would publish a text whose password it does not get.
    status: row.password_hash !== null && row.status !== 'draft' ? 'private' : (statuses[row.status] ?? 'draft'),
    parent: row.parent_id === null ? 0 : numberOf(row.parent_id),
    order: row.position,
    type: row.type,
    takesComments: takesComments(parts.settings, row),
    terms: terms.map(({ taxonomy, slug, name }) => ({ domain: domains[taxonomy] ?? taxonomy, slug, name })),
    meta,
  }
}

const entriesWithComments = async (db: Db): Promise<ReadonlySet<string>> =>
  new Set((await keptComments(db).select('entry_id').distinct().execute()).map(({ entry_id: id }) => id))

/** The comments of an entry, each after the one that it answers. */
async function commentsOf(db: Db, entry: string, numberOf: (id: string) => number): Promise<readonly WxrComment[]> {
  const rows = await keptComments(db)
    .selectAll()
    .where('entry_id', '=', entry)
    .orderBy((eb) => eb('parent_id', 'is not', null))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const known = new Set(rows.map(({ id }) => id))
  return rows.map((row) => ({
    id: numberOf(row.id),
    parent: row.parent_id !== null && known.has(row.parent_id) ? numberOf(row.parent_id) : 0,
    name: row.name,
    email: row.email ?? '',
    website: row.website ?? '',
    at: row.created_at,
    content: commentMarkup(row.body),
    approved: row.state === 'approved',
  }))
}

/** Categories come before tags, and both before terms of other taxonomies. */
const byElement = (one: TermRow, other: TermRow): number => elementOrder(one) - elementOrder(other)

const elementOrder = ({ taxonomy }: TermRow): number => (taxonomy === 'category' ? 0 : taxonomy === 'tag' ? 1 : 2)

/** The type or the taxonomy of the target of an item. WordPress takes no item without it. */
type ObjectOf = (item: StoredMenuItem) => string | undefined

async function menuObjects(
  db: Db,
  menus: readonly (readonly StoredMenuItem[])[],
  termById: ReadonlyMap<string, TermRow>,
): Promise<ObjectOf> {
  const ids = menus.flatMap((items) => [...eachItem(items)].flatMap(({ entry }) => entry ?? []))
  const rows = await db
    .selectFrom('entry')
    .select(['id', 'type'])
    .where('id', 'in', jsonTexts(db, ids))
    .where('status', '!=', 'trash')
    .execute()
  const types = new Map(rows.map(({ id, type }) => [id, type]))
  return ({ entry, term }) => {
    if (entry !== undefined) return types.get(entry)
    if (term === undefined) return 'custom'
    const { taxonomy } = termById.get(term) ?? {}
    return taxonomy === undefined ? undefined : (domains[taxonomy] ?? taxonomy)
  }
}

interface MenuParts {
  readonly numberOf: (id: string) => number
  readonly objectOf: ObjectOf
  readonly menu: { readonly slug: string; readonly name: string }
}

/** Yields the items of a menu as WordPress keeps them: each an item of its own, with the number of the one above it. */
function* menuItems(items: readonly StoredMenuItem[], above: number, parts: MenuParts): Iterable<WxrItem> {
  const { numberOf, objectOf, menu } = parts
  for (const [order, item] of items.entries()) {
    const object = objectOf(item)
    // The items below one without a target are left out, too, as in the menu of the site.
    if (object === undefined) continue
    const { id, label, entry, term, url, new_tab: newTab, items: below = [] } = item
    const number = numberOf(`${menu.slug}/${id}`)
    const target = entry ?? term
    const meta = {
      _menu_item_type: entry !== undefined ? 'post_type' : term !== undefined ? 'taxonomy' : 'custom',
      _menu_item_menu_item_parent: String(above),
      _menu_item_object_id: String(target === undefined ? number : numberOf(target)),
      _menu_item_object: object,
      _menu_item_target: newTab ? '_blank' : '',
      _menu_item_classes: 'a:1:{i:0;s:0:"";}',
      _menu_item_xfn: '',
      _menu_item_url: url ?? '',
    }
    const blank = { link: '', creator, content: '', excerpt: '', at: 0, modified: 0, slug: String(number), parent: 0 }
    const terms = [{ domain: 'nav_menu', ...menu }]
    yield { ...blank, id: number, title: label ?? '', status: 'publish', order: order + 1, type: 'nav_menu_item', terms, meta }
    yield* menuItems(below, number, parts)
  }
}
