// The page of one entry. From values to a string: whether the reader may see it was decided before.
import { addressAttribute, attribute, html, jsonLd, raw, type Html, type HtmlValue } from '../doors/html.ts'
import { page, type Link, type SiteIdentity } from './layout.ts'
import { words } from './words.ts'

/** A moment, for machines and as its reader's calendar has it. */
export interface ShownTime {
  /** ISO 8601. */
  readonly iso: string
  readonly label: string
}

/** A picture above the text. */
export interface Cover {
  readonly src: string
  readonly alt: string
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly caption?: string | undefined
}

/** An entry as its page shows it. */
export interface EntryView {
  /** Pages show neither date nor author. */
  readonly type: string
  readonly title: string
  /** The renderer's, and nobody else's. */
  readonly html: string
  readonly canonical: string
  readonly description?: string | undefined
  readonly published?: ShownTime | undefined
  /** Only where it differs from `published` for a reader. */
  readonly updated?: ShownTime | undefined
  readonly author?: string | undefined
  readonly cover?: Cover | undefined
  readonly terms?: readonly Link[] | undefined
  readonly noindex?: boolean | undefined
}

/** What the entry's page is made of. */
export interface EntryPage {
  readonly site: SiteIdentity
  readonly entry: EntryView
  readonly menu?: readonly Link[] | undefined
  readonly previous?: Link | undefined
  readonly next?: Link | undefined
  readonly head?: HtmlValue
  readonly footer?: HtmlValue
}

/** The document of an entry. */
export function entryPage({ site, entry, menu, previous, next, head, footer }: EntryPage): string {
  return page({
    site,
    menu,
    footer,
    kind: 'entry',
    title: entry.title,
    description: entry.description,
    canonical: entry.noindex ? undefined : entry.canonical,
    head: [head, jsonLd(structuredData(site, entry))],
    body: html`<article>
        <header>
          <h1>${entry.title}</h1>
          ${byline(entry)}
        </header>
        ${entry.cover && coverFigure(entry.cover)}
        <div class="text">${raw(entry.html)}</div>
        ${termList(entry.terms ?? [])}
      </article>
      ${neighbours(previous, next)}`,
  })
}

/** A time as HTML has it. */
export function timeTag(time: ShownTime): Html {
  return html`<time ${attribute('datetime', time.iso)}>${time.label}</time>`
}

function byline({ type, published, updated, author }: EntryView): Html | undefined {
  if (type === 'page') return undefined
  const said: HtmlValue[] = []
  if (published !== undefined) said.push(timeTag(published))
  if (author) said.push(author)
  if (updated !== undefined) said.push(html`${words.updated} ${timeTag(updated)}`)
  return said.length === 0 ? undefined : html`<p class="byline">${said.map((part) => html`<span>${part}</span> `)}</p>`
}

function coverFigure({ src, alt, width, height, caption }: Cover): Html {
  const size = html`${attribute('width', width)} ${attribute('height', height)}`
  return html`<figure class="cover">
    <img ${addressAttribute('src', src)} ${attribute('alt', alt)} ${size} />${
      caption && html`<figcaption>${caption}</figcaption>`
    }
  </figure>`
}

function termList(terms: readonly Link[]): Html | undefined {
  if (terms.length === 0) return undefined
  const items = terms.map(({ label, href }) => html`<li><a ${addressAttribute('href', href)} rel="tag">${label}</a></li>`)
  return html`<ul class="terms" aria-label="${words.filedUnder}">
    ${items}
  </ul>`
}

function neighbours(previous: Link | undefined, next: Link | undefined): Html | undefined {
  if (previous === undefined && next === undefined) return undefined
  return html`<nav class="neighbours" aria-label="${words.neighbours}">
    ${neighbour('prev', words.previous, previous)}${neighbour('next', words.next, next)}
  </nav>`
}

function neighbour(rel: 'prev' | 'next', said: string, link: Link | undefined): Html | undefined {
  return (
    link && html`<a class="${rel}" rel="${rel}" ${addressAttribute('href', link.href)}><small>${said}</small> ${link.label}</a>`
  )
}

/** schema.org's words for the entry. */
function structuredData(site: SiteIdentity, entry: EntryView): Readonly<Record<string, unknown>> {
  const isPage = entry.type === 'page'
  return {
    '@context': 'https://schema.org',
    '@type': isPage ? 'WebPage' : 'BlogPosting',
    [isPage ? 'name' : 'headline']: entry.title,
    url: entry.canonical,
    description: entry.description,
    inLanguage: site.language,
    datePublished: entry.published?.iso,
    dateModified: entry.updated?.iso,
    author: entry.author ? { '@type': 'Person', name: entry.author } : undefined,
    isPartOf: { '@type': 'WebSite', name: site.name, url: `${site.url}/` },
  }
}
