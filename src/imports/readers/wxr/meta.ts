// The meta keys of WordPress and its plugins: one table of those that an import uses.

import { childText, type XmlElement } from '../xml-elements.ts'

/** The first value of each key. Some keys are repeated, of which `all` has each value. */
export interface ItemMeta {
  readonly first: ReadonlyMap<string, string>
  all(key: string): readonly string[]
}

export function metaOf(item: XmlElement): ItemMeta {
  const rows = item.children
    .filter(({ name }) => name === 'wp:postmeta')
    .map((row) => [childText(row, 'wp:meta_key'), childText(row, 'wp:meta_value')] as const)
  return {
    first: new Map([...rows].reverse()),
    all: (wanted) => rows.filter(([key]) => key === wanted).map(([, value]) => value),
  }
}

type SeoName = 'title' | 'description'

/** The keys of SEO plugins and of WordPress.com. The first that has a value wins. */
const seoKeys: Readonly<Record<SeoName, readonly string[]>> = {
  title: [
    '_yoast_wpseo_title',
    'rank_math_title',
    '_aioseo_title',
    '_genesis_title',
    '_seopress_titles_title',
    'jetpack_seo_html_title',
  ],
  description: [
    '_yoast_wpseo_metadesc',
    'rank_math_description',
    '_aioseo_description',
    '_genesis_description',
    '_seopress_titles_desc',
    'advanced_seo_description',
  ],
}
const noindexKeys: readonly (readonly [key: string, value: RegExp])[] = [
  ['_yoast_wpseo_meta-robots-noindex', /^1$/],
  ['rank_math_robots', /noindex/],
  ['_genesis_noindex', /^1$/],
  ['_seopress_robots_index', /^yes$/],
  ['jetpack_seo_noindex', /^1$/],
]

/** Returns what search engines are told. Variables of a plugin, such as `%%title%%`, and data of PHP say nothing of their own. */
export function seoOf({ first }: ItemMeta) {
  const value = (name: SeoName) =>
    seoKeys[name].map((key) => first.get(key) ?? '').find((text) => text !== '' && !/%%?\w+%%?|#\w+_\w+|^[OCa]:\d+:/.test(text))
  const title = value('title')
  const description = value('description')
  const noindex = noindexKeys.some(([key, form]) => form.test(first.get(key) ?? ''))
  return title === undefined && description === undefined && !noindex
    ? undefined
    : { ...(title !== undefined && { title }), ...(description !== undefined && { description }), ...(noindex && { noindex }) }
}

/** True if only members or subscribers of the old site could read an item (Jetpack). */
export const isForMembers = ({ first }: ItemMeta): boolean => /subscribers/.test(first.get('_jetpack_newsletter_access') ?? '')

/** Keys that are used elsewhere, or that mean nothing outside WordPress. */
const silent =
  /^_(?:edit_|wp_|oembed|pingme|encloseme|menu_item|thumbnail_id|yoast|aioseo|genesis|seopress|elementor_(?:version|css|edit_mode|template_type|page_assets|controls_usage|pro_version)|icl_|wpml_|publicize|elasticsearch|headstart|starter_|hs_old|jetpack|wpas|rest_api|last_editor|g_feedback|vc_post_settings|dp_original)|^(?:rank_math|footnotes$|enclosure$|advanced_seo_description$|trid$|jabber_published$|jetpack_seo_|firehose_sent$|reader_suggested_tags$|switch_like_status$|email_notification$|wpcom_|geo_public$|hide_on_screen$|sharing_disabled$)/

/** Fields of a plugin have a twin with an underscore that names the definition. */
const isTwin = (key: string, meta: ItemMeta): boolean => key.startsWith('_') && meta.first.has(key.slice(1))

/** Returns the other values of an item by their keys. */
export function furtherValues(meta: ItemMeta): Readonly<Record<string, string>> | undefined {
  const rows = [...meta.first].filter(([key, value]) => key !== '' && value !== '' && !silent.test(key) && !isTwin(key, meta))
  return rows.length === 0 ? undefined : Object.fromEntries(rows)
}

/** Returns the notes of blocks, by their ids. */
export function footnotesIn({ first }: ItemMeta): Readonly<Record<string, string>> | undefined {
  try {
    const notes: unknown = JSON.parse(first.get('footnotes') ?? '')
    if (!Array.isArray(notes)) return undefined
    return Object.fromEntries(
      notes.flatMap((note: { id?: unknown; content?: unknown } | null) =>
        typeof note?.id === 'string' && typeof note.content === 'string' ? [[note.id, note.content]] : [],
      ),
    )
  } catch {
    return undefined
  }
}
