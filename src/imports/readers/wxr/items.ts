// An item of WXR as parts of the import. `kinds` is the table of the types of items; every other type is an entry.

import type { ImportEntry, ImportLoss, ImportMedia, ImportPart } from '../../stream.ts'
import { uploadIn } from '../../sources/uploads.ts'
import { decodeSlug } from '../decode-slug.ts'
import { plainTitle } from '../plain-title.ts'
import { childrenOf, childText, type XmlElement } from '../xml-elements.ts'
import { commentsOf } from './comments.ts'
import type { MenuCollection } from './menus.ts'
import type { SnippetCollection } from './snippets.ts'
import { numberAddress } from './number-address.ts'
import { footnotesIn, furtherValues, isForMembers, type ItemMeta, metaOf, seoOf } from './meta.ts'
import { mentionIn, termsOf } from './terms.ts'
import { type OffsetCount, timeOf } from './times.ts'

export interface ItemContext {
  readonly menus: MenuCollection
  readonly snippets: SnippetCollection
  readonly offsets: OffsetCount
  /** Finds a file of the import by the path below `uploads`. */
  findUpload(path: string): string | undefined
}

type ItemReader = (item: XmlElement, context: ItemContext) => Iterable<ImportPart>

const kinds: Readonly<Record<string, ItemReader>> = {
  attachment: readAttachment,
  nav_menu_item: readMenuPoint,
  wp_navigation: readNavigation,
  wp_block: readBlock,
}

/** Types of items in which WordPress and its plugins keep parts of a design, or their own records. */
const noEntries =
  /^(?:revision|custom_css|customize_changeset|oembed_cache|user_request|wp_(?:template|template_part|global_styles|font_family|font_face)|elementor_(?:library|font|icons|snippet)|elementor-hf|acf-[\w-]+|wpcf7_contact_form|wpforms|feedback|jetpack_\w+|shop[-_](?:order|coupon)[\w-]*|scheduled-action|amp_validated_url|vc_grid_item|et_pb_layout|popup|redirect_rule)$/

export function readItem(item: XmlElement, context: ItemContext): Iterable<ImportPart> {
  const type = childText(item, 'wp:post_type') || 'post'
  if (Object.hasOwn(kinds, type)) return kinds[type]!(item, context)
  return noEntries.test(type)
    ? [lossOf(item, 'type', type, 'part of a design or record of a plugin')]
    : readEntry(item, type, context)
}

const titleOf = (item: XmlElement): string => plainTitle(childText(item, 'title'))

const lossOf = (item: XmlElement, group: string, name: string, reason: string): ImportLoss => ({
  kind: 'loss',
  group,
  name,
  reason,
  where: titleOf(item) || `item ${childText(item, 'wp:post_id')}`,
})

function* readMenuPoint(item: XmlElement, { menus }: ItemContext): Generator<ImportPart> {
  if (!menus.add(item)) yield lossOf(item, 'menu', 'point of a menu', 'it belongs to no menu, or leads nowhere')
}

function readNavigation(item: XmlElement, { menus }: ItemContext): readonly ImportPart[] {
  menus.addNavigation(item)
  return []
}

function* readBlock(item: XmlElement, { snippets }: ItemContext): Generator<ImportPart> {
  const id = childText(item, 'wp:post_id')
  snippets.add(id, titleOf(item))
  yield {
    kind: 'snippet',
    id,
    text: { format: 'wordpress', source: childText(item, 'content:encoded') },
  }
}

function* readAttachment(item: XmlElement, { findUpload }: ItemContext): Generator<ImportMedia | ImportLoss> {
  const address = childText(item, 'wp:attachment_url') || childText(item, 'guid')
  const id = childText(item, 'wp:post_id')
  const { first } = metaOf(item)
  const upload = first.get('_wp_attached_file') ?? uploadIn(address)
  const filename = decodeSlug(lastPart(address.split(/[?#]/, 1)[0] ?? ''))
  if (address === '' || filename === '') {
    yield lossOf(item, 'file', 'attachment', 'it has no address')
    return
  }
  yield {
    kind: 'media',
    id,
    address,
    path: upload === undefined ? undefined : findUpload(decodeSlug(upload)),
    filename,
    title: titleOf(item) || undefined,
    alt: plainTitle(first.get('_wp_attachment_image_alt') ?? '') || undefined,
    caption: plainTitle(childText(item, 'excerpt:encoded')) || undefined,
    parent: idOf(childText(item, 'wp:post_parent')),
    position: Number(childText(item, 'wp:menu_order')) || undefined,
    addresses: [childText(item, 'link'), ...numberAddress('attachment_id', id)].filter((one) => one !== ''),
    uploadedAt: timeOf(childText(item, 'wp:post_date_gmt'), childText(item, 'wp:post_date')),
  }
}

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

function* readEntry(item: XmlElement, type: string, { offsets }: ItemContext): Generator<ImportPart> {
  const meta = metaOf(item)
  const id = childText(item, 'wp:post_id')
  const status = childText(item, 'wp:status')
  if (status === 'trash') {
    yield lossOf(item, 'status', 'trash', 'it was in the trash')
    return
  }
  const gmt = childText(item, 'wp:post_date_gmt')
  const local = childText(item, 'wp:post_date')
  offsets.note(gmt, local)
  const shown = statusOf(item, meta)
  if (shown.unknown !== undefined) yield lossOf(item, 'status', shown.unknown, 'unknown, so it became a draft')
  yield* smallLosses(item, meta).map(([group, name, reason]) => lossOf(item, group, name, reason))
  const language = mentionIn(item, 'language') ?? meta.first.get('_icl_lang_code')
  const cover = meta.first.get('_thumbnail_id')
  yield {
    kind: 'entry',
    id,
    type,
    status: shown.status,
    heldBecause: shown.heldBecause,
    title: titleOf(item),
    slug: decodeSlug(childText(item, 'wp:post_name')) || undefined,
    addresses: addressesOf(item, { id, type, former: meta.all('_wp_old_slug') }),
    publishedAt: shown.status === 'draft' && gmt.startsWith('0000') ? undefined : timeOf(gmt, local, childText(item, 'pubDate')),
    updatedAt: timeOf(childText(item, 'wp:post_modified_gmt'), childText(item, 'wp:post_modified')),
    author: authorOf(item),
    terms: termsOf(item),
    parent: idOf(childText(item, 'wp:post_parent')),
    position: Number(childText(item, 'wp:menu_order')) || undefined,
    pinned: childText(item, 'wp:is_sticky') === '1',
    excerpt: plainTitle(childText(item, 'excerpt:encoded')) || undefined,
    text: { format: 'wordpress', source: withEnclosures(childText(item, 'content:encoded'), meta) },
    cover: cover === undefined ? undefined : { id: cover },
    seo: seoOf(meta),
    language,
    translations: mentionIn(item, 'post_translations') ?? meta.first.get('trid'),
    footnotes: footnotesIn(meta),
    fields: furtherValues(meta),
    metaKeys: [...meta.first.keys()],
  } satisfies ImportEntry
  yield* commentsOf(item, titleOf(item))
}

const statuses: Readonly<Record<string, ImportEntry['status']>> = {
  publish: 'published',
  future: 'scheduled',
  draft: 'draft',
  pending: 'draft',
  'auto-draft': 'draft',
}

interface ShownStatus {
  readonly status: ImportEntry['status']
  readonly heldBecause?: string
  readonly unknown?: string
}

/** An item with a password, and one for members, are public by their status alone. */
function statusOf(item: XmlElement, meta: ItemMeta): ShownStatus {
  const status = childText(item, 'wp:status')
  if (status === 'private') return { status: 'held', heldBecause: 'private' }
  if (childText(item, 'wp:post_password') !== '') return { status: 'held', heldBecause: 'password' }
  if (isForMembers(meta)) return { status: 'held', heldBecause: 'members' }
  const known = statuses[status || 'draft']
  return known === undefined ? { status: 'draft', unknown: status } : { status: known }
}

const idOf = (text: string): string | undefined => (text === '' || text === '0' ? undefined : text)

/** Plugins that know several authors of a post name them as terms. */
const authorsOf = (item: XmlElement): readonly string[] =>
  childrenOf(item, 'category').flatMap(({ attributes: { domain, nicename } }) =>
    domain === 'author' && nicename !== undefined ? [nicename.replace(/^cap-/, '')] : [],
  )

const authorOf = (item: XmlElement): string | undefined => authorsOf(item)[0] ?? (childText(item, 'dc:creator') || undefined)

/** Keys that changed how WordPress showed an item. */
const looks: Readonly<Record<string, string>> = {
  _wp_page_template: 'a template of the old design',
  _yoast_wpseo_canonical: 'an entry has its own address as its canonical one',
  rank_math_canonical_url: 'an entry has its own address as its canonical one',
  '_yoast_wpseo_opengraph-image': 'the cover is the picture that other sites show',
}

/** Returns group, name and reason of what an entry here has no place for. */
function smallLosses(item: XmlElement, { first }: ItemMeta): readonly (readonly [string, string, string])[] {
  const format = mentionIn(item, 'post_format')
  const further = authorsOf(item).slice(1)
  const set = Object.entries(looks).filter(([key]) => !/^(?:default)?$/.test(first.get(key) ?? ''))
  return [
    ...further.map((name) => ['author', name, 'a further author: an entry here has one'] as const),
    ...(format === undefined ? [] : [['format', format, 'posts here have no formats: it looks as others do'] as const]),
    ...set.map(([key, reason]) => ['meta', key, reason] as const),
  ]
}

function addressesOf(item: XmlElement, { id, type, former }: { id: string; type: string; former: readonly string[] }) {
  const link = childText(item, 'link')
  const slug = childText(item, 'wp:post_name')
  const numbered = [...(type === 'page' ? numberAddress('page_id', id) : []), ...numberAddress('p', id)]
  const old = slug !== '' && link.includes(slug) ? former.map((one) => link.replace(slug, encodeURI(decodeSlug(one)))) : []
  return [...new Set([link, ...old, ...numbered])].filter((one) => one !== '')
}

/** Podcasts have their sound in a meta key: an address, the bytes and the type on three lines. */
function withEnclosures(content: string, meta: ItemMeta): string {
  const sounds = meta
    .all('enclosure')
    .map((value) => value.split('\n', 1)[0]?.trim() ?? '')
    .filter((address) => /^https?:\/\/[^\s"\][]+$/.test(address) && !content.includes(address))
  return [content, ...sounds.map((address) => `[audio src="${address}"]`)].join('\n\n')
}
