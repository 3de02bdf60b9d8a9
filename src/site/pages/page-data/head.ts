// The head of a page without title and style sheet: description, canonical address, Open Graph, JSON-LD. Themes print it unescaped.

import { hrefAttribute, attribute, html, type Html, type HtmlValue, jsonLd } from '../../../doors/shared/html.ts'
import type { Alternate } from '../alternates.ts'
import type { ThemeMarkup } from '../../../themes/contract.ts'

export interface Card {
  readonly url: string
  readonly width: number
  readonly height: number
}

export interface HeadParts {
  readonly title: string
  readonly siteTitle: string
  readonly description: string | undefined
  /** A page without a canonical address asks search engines not to index it. */
  readonly canonical: string | undefined
  readonly kind: 'article' | 'website'
  /** The page in all its languages, if it has several. */
  readonly alternates?: readonly Alternate[] | undefined
  /** Feeds, icon and manifest. */
  readonly links?: readonly Html[] | undefined
  /** The image for cards in social networks. */
  readonly card?: Card | undefined
  /** The times at which the article was published and last changed. */
  readonly times?: { readonly published: string | null; readonly updated: string } | undefined
  /** The page as schema.org describes it. */
  readonly structured?: Readonly<Record<string, unknown>> | undefined
}

export function headOf(parts: HeadParts): ThemeMarkup {
  const lines = [...metaTags(parts), ...(parts.links ?? []), parts.structured && jsonLd(parts.structured)]
  const shown = lines.filter((line): line is Html => Boolean(line))
  return { markup: shown.map(String).join('\n') }
}

function metaTags({
  siteTitle,
  title,
  description,
  canonical,
  kind,
  alternates = [],
  card,
  times,
}: HeadParts): readonly HtmlValue[] {
  const about = description && html`<meta name="description" ${attribute('content', description)} />`
  if (canonical === undefined) return [about, html`<meta name="robots" content="noindex" />`]
  return [
    about,
    html`<link rel="canonical" ${hrefAttribute(canonical)} />`,
    ...alternates.flatMap(alternateLinks),
    socialTag('og:url', canonical),
    socialTag('og:type', kind),
    socialTag('og:site_name', siteTitle),
    socialTag('og:title', title),
    description && socialTag('og:description', description),
    ...cardTags(card),
    times?.published && socialTag('article:published_time', times.published),
    times && socialTag('article:modified_time', times.updated),
  ]
}

/** @see https://developers.google.com/search/docs/specialty/international/localized-versions */
function alternateLinks({ language, url, isDefault }: Alternate): readonly HtmlValue[] {
  const link = (tag: string) => html`<link rel="alternate" ${attribute('hreflang', tag)} ${hrefAttribute(url)} />`
  return [link(language), isDefault && link('x-default')]
}

/** @see https://ogp.me/#structured */
function cardTags(card: Card | undefined): readonly HtmlValue[] {
  const kind = html`<meta name="twitter:card" ${attribute('content', card ? 'summary_large_image' : 'summary')} />`
  if (!card) return [kind]
  const size = [socialTag('og:image:width', String(card.width)), socialTag('og:image:height', String(card.height))]
  return [socialTag('og:image', card.url), ...size, kind]
}

function socialTag(property: string, content: string): Html {
  return html`<meta ${attribute('property', property)} ${attribute('content', content)} />`
}
