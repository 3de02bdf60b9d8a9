// The HTML page of one entry, as a string. The caller has checked that the visitor may see the entry.
import type { EntryType } from '../content/entry-types.ts'
import { attribute, html, jsonLd, raw, type Html, type HtmlValue } from '../doors/html.ts'
import type { Alternate } from './alternates.ts'
import { page, type Link, type SiteIdentity } from './layout.ts'

/** A time, for machines and for people. */
export interface ShownTime {
  /** ISO 8601. */
  readonly iso: string
  readonly label: string
}

/** The parts of an entry that its page shows. */
export interface EntryView {
  readonly type: EntryType
  readonly title: string
  /** The renderer's output: it goes into the page as it is. */
  readonly html: string
  readonly canonical: string
  readonly description?: string | undefined
  readonly published?: ShownTime | undefined
  readonly author?: string | undefined
  readonly noindex?: boolean | undefined
  readonly alternates?: readonly Alternate[] | undefined
}

/** The parts of an entry's page. */
export interface EntryPage {
  readonly site: SiteIdentity
  readonly entry: EntryView
  readonly menu?: readonly Link[] | undefined
}

/** The HTML document of an entry. */
export function entryPage({ site, entry, menu }: EntryPage): string {
  return page({
    site,
    menu,
    kind: 'entry',
    title: entry.title,
    description: entry.description,
    canonical: entry.noindex ? undefined : entry.canonical,
    alternates: entry.alternates,
    head: jsonLd(structuredData(site, entry)),
    body: html`<article>
      <header>
        <h1>${entry.title}</h1>
        ${byline(entry)}
      </header>
      <div class="text">${raw(entry.html)}</div>
    </article>`,
  })
}

/** A `<time>` element. */
export function timeTag(time: ShownTime): Html {
  return html`<time ${attribute('datetime', time.iso)}>${time.label}</time>`
}

function byline({ type, published, author }: EntryView): Html | undefined {
  if (!type.dated) return undefined
  const said: HtmlValue[] = []
  if (published !== undefined) said.push(timeTag(published))
  if (author) said.push(author)
  return said.length === 0 ? undefined : html`<p class="byline">${said.map((part) => html`<span>${part}</span> `)}</p>`
}

/** The entry as schema.org describes it (JSON-LD). */
function structuredData(site: SiteIdentity, entry: EntryView): Readonly<Record<string, unknown>> {
  const { schemaOrg } = entry.type
  return {
    '@context': 'https://schema.org',
    '@type': schemaOrg.type,
    [schemaOrg.title]: entry.title,
    url: entry.canonical,
    description: entry.description,
    inLanguage: site.language,
    datePublished: entry.published?.iso,
    author: entry.author ? { '@type': 'Person', name: entry.author } : undefined,
    isPartOf: { '@type': 'WebSite', name: site.name, url: `${site.url}/` },
  }
}
