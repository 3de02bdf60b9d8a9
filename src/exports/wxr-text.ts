// The elements of WXR 1.2, the export format of WordPress: RSS with elements of its own.

import { xmlCharacters, xmlText } from '../content/markdown/escape-xml.ts'
import { formatDate, wallTimeIn } from '../settings/time-zone.ts'

/** Returns a CDATA section. The sequence that would end it is divided, as WordPress does. */
export const cdata = (text: string): string => `<![CDATA[${xmlCharacters(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`

/** The elements of a time, such as `2026-11-21 08:30:00`: by the clock of the site, and in UTC. Zeros are no time. */
function datesOf(name: string, ms: number | null, zone: string): readonly string[] {
  const shown = (text: string | undefined) => cdata(text?.replace('T', ' ') ?? '0000-00-00 00:00:00')
  const [local, utc] = ms === null ? [] : [wallTimeIn(ms, zone), formatDate(ms).slice(0, 19)]
  return [`<wp:${name}>${shown(local)}</wp:${name}>`, `<wp:${name}_gmt>${shown(utc)}</wp:${name}_gmt>`]
}

export const rssDate = (ms: number): string => new Date(ms).toUTCString().replace('GMT', '+0000')

export const namespaces =
  'xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" ' +
  'xmlns:wfw="http://wellformedweb.org/CommentAPI/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/"'

/** Returns a menu, which has no place for a term above it. */
export const menuElement = (id: number, { slug, name }: Pick<WxrTerm, 'slug' | 'name'>): string =>
  `\t<wp:term><wp:term_id>${id}</wp:term_id><wp:term_taxonomy>${cdata('nav_menu')}</wp:term_taxonomy>` +
  `<wp:term_slug>${cdata(slug)}</wp:term_slug><wp:term_name>${cdata(name)}</wp:term_name></wp:term>\n`

/** Returns a term as `wp:category`, `wp:tag` or `wp:term`. */
export function termElement(id: number, { taxonomy, slug, name, text, parent }: WxrTerm): string {
  const described = (element: string) => (text === '' ? '' : `<wp:${element}>${cdata(text)}</wp:${element}>`)
  const forms: Readonly<Record<string, () => string>> = {
    category: () =>
      `<wp:category><wp:term_id>${id}</wp:term_id><wp:category_nicename>${cdata(slug)}</wp:category_nicename>` +
      `<wp:category_parent>${cdata(parent)}</wp:category_parent><wp:cat_name>${cdata(name)}</wp:cat_name>` +
      `${described('category_description')}</wp:category>`,
    tag: () =>
      `<wp:tag><wp:term_id>${id}</wp:term_id><wp:tag_slug>${cdata(slug)}</wp:tag_slug><wp:tag_name>${cdata(name)}</wp:tag_name>` +
      `${described('tag_description')}</wp:tag>`,
  }
  const other = () =>
    `<wp:term><wp:term_id>${id}</wp:term_id><wp:term_taxonomy>${cdata(taxonomy)}</wp:term_taxonomy>` +
    `<wp:term_slug>${cdata(slug)}</wp:term_slug><wp:term_parent>${cdata(parent)}</wp:term_parent>` +
    `<wp:term_name>${cdata(name)}</wp:term_name>${described('term_description')}</wp:term>`
  return `\t${(Object.hasOwn(forms, taxonomy) ? forms[taxonomy]! : other)()}\n`
}

export interface WxrTerm {
  readonly taxonomy: string
  readonly slug: string
  readonly name: string
  readonly text: string
  /** The slug of the term above it; empty for none. */
  readonly parent: string
}

/** The site of an export: its address, and the time zone of its clock. */
export interface WxrPlace {
  readonly base: string
  readonly zone: string
}

export interface WxrItem {
  readonly id: number
  readonly title: string
  readonly link: string
  readonly creator: string
  readonly content: string
  readonly excerpt: string
  readonly at: number | null
  readonly modified: number
  readonly slug: string
  readonly status: string
  readonly parent: number
  readonly order: number
  readonly type: string
  readonly terms: readonly { readonly domain: string; readonly slug: string; readonly name: string }[]
  readonly meta: Readonly<Record<string, string>>
  /** The address of the file of an attachment. */
  readonly attachment?: string
  /** True if visitors may comment. */
  readonly takesComments?: boolean
  readonly comments?: readonly WxrComment[]
}

export interface WxrComment {
  readonly id: number
  /** The number of the comment that it answers; 0 for none. */
  readonly parent: number
  readonly name: string
  readonly email: string
  readonly website: string
  readonly at: number
  readonly content: string
  readonly approved: boolean
}

/** Returns an item, its elements in the order of WordPress. */
export function itemElement({ base, zone }: WxrPlace, item: WxrItem): string {
  const guid = `${base}/?p=${item.id}`
  const lines = [
    `<title>${cdata(item.title)}</title>`,
    `<link>${xmlText(item.link)}</link>`,
    `<pubDate>${item.at === null ? 'Wed, 30 Nov -0001 00:00:00 +0000' : rssDate(item.at)}</pubDate>`,
    `<dc:creator>${cdata(item.creator)}</dc:creator>`,
    `<guid isPermaLink="false">${xmlText(guid)}</guid>`,
    '<description></description>',
    `<content:encoded>${cdata(item.content)}</content:encoded>`,
    `<excerpt:encoded>${cdata(item.excerpt)}</excerpt:encoded>`,
    `<wp:post_id>${item.id}</wp:post_id>`,
    ...datesOf('post_date', item.at, zone),
    ...datesOf('post_modified', item.modified, zone),
    `<wp:comment_status>${cdata(item.takesComments ? 'open' : 'closed')}</wp:comment_status>`,
    `<wp:ping_status>${cdata('closed')}</wp:ping_status>`,
    `<wp:post_name>${cdata(item.slug)}</wp:post_name>`,
    `<wp:status>${cdata(item.status)}</wp:status>`,
    `<wp:post_parent>${item.parent}</wp:post_parent>`,
    `<wp:menu_order>${item.order}</wp:menu_order>`,
    `<wp:post_type>${cdata(item.type)}</wp:post_type>`,
    `<wp:post_password>${cdata('')}</wp:post_password>`,
    '<wp:is_sticky>0</wp:is_sticky>',
    ...(item.attachment === undefined ? [] : [`<wp:attachment_url>${cdata(item.attachment)}</wp:attachment_url>`]),
    ...item.terms.map(
      ({ domain, slug, name }) => `<category domain="${xmlText(domain)}" nicename="${xmlText(slug)}">${cdata(name)}</category>`,
    ),
    ...Object.entries(item.meta).map(
      ([key, value]) =>
        `<wp:postmeta><wp:meta_key>${cdata(key)}</wp:meta_key><wp:meta_value>${cdata(value)}</wp:meta_value></wp:postmeta>`,
    ),
    ...(item.comments ?? []).map((comment) => commentElement(comment, zone)),
  ]
  return `\t<item>\n${lines.map((line) => `\t\t${line}\n`).join('')}\t</item>\n`
}

function commentElement(comment: WxrComment, zone: string): string {
  const { id, parent, name, email, website, at, content, approved } = comment
  const parts = [
    `<wp:comment_id>${id}</wp:comment_id>`,
    `<wp:comment_author>${cdata(name)}</wp:comment_author>`,
    `<wp:comment_author_email>${cdata(email)}</wp:comment_author_email>`,
    `<wp:comment_author_url>${xmlText(website)}</wp:comment_author_url>`,
    `<wp:comment_author_IP>${cdata('')}</wp:comment_author_IP>`,
    ...datesOf('comment_date', at, zone),
    `<wp:comment_content>${cdata(content)}</wp:comment_content>`,
    `<wp:comment_approved>${cdata(approved ? '1' : '0')}</wp:comment_approved>`,
    `<wp:comment_type>${cdata('comment')}</wp:comment_type>`,
    `<wp:comment_parent>${parent}</wp:comment_parent>`,
    '<wp:comment_user_id>0</wp:comment_user_id>',
  ]
  return `<wp:comment>\n${parts.map((part) => `\t\t\t${part}\n`).join('')}\t\t</wp:comment>`
}
