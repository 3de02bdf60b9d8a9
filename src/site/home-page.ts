// The home page with the latest posts, for a site whose home page is not an entry.
import { timeTag, type ShownTime } from './entry-page.ts'
import { addressAttribute, html, type Html } from '../doors/html.ts'
import type { Alternate } from './alternates.ts'
import { page, type Link, type SiteIdentity } from './layout.ts'
import { words } from './words.ts'

/** A post in a list. */
export interface PostSummary {
  readonly title: string
  readonly href: string
  readonly published?: ShownTime | undefined
  readonly excerpt: string
}

/** The parts of the home page. */
export interface HomePage {
  readonly site: SiteIdentity
  readonly canonical: string
  readonly posts: readonly PostSummary[]
  readonly menu?: readonly Link[] | undefined
  readonly alternates?: readonly Alternate[] | undefined
  /** Addresses of the pages with newer and older posts. */
  readonly newer?: string | undefined
  readonly older?: string | undefined
}

/** The document of the home page. */
export function homePage(parts: HomePage): string {
  const { site, canonical, posts, menu, alternates } = parts
  return page({
    site,
    canonical,
    menu,
    alternates,
    kind: 'home',
    title: site.name,
    description: site.tagline,
    body: html`${site.tagline && html`<p class="tagline">${site.tagline}</p>`} ${postList(posts)} ${pager(parts)}`,
  })
}

function postList(posts: readonly PostSummary[]): Html {
  if (posts.length === 0) return html`<p class="empty">${words.empty}</p>`
  return html`<ol class="posts">
    ${posts.map(postItem)}
  </ol>`
}

function postItem({ title, href, published, excerpt }: PostSummary): Html {
  return html` <li>
    <article>
      ${published && html`<p class="byline">${timeTag(published)}</p>`}
      <h2><a ${addressAttribute('href', href)}>${title}</a></h2>
      ${excerpt && html`<p>${excerpt}</p>`}
    </article>
  </li>`
}

function pager({ newer, older }: HomePage): Html | undefined {
  if (newer === undefined && older === undefined) return undefined
  return html`<nav class="neighbours" aria-label="${words.neighbours}">
    ${
      newer && html`<a class="prev" rel="prev" ${addressAttribute('href', newer)}>${words.newer}</a>`
    }${older && html`<a class="next" rel="next" ${addressAttribute('href', older)}>${words.older}</a>`}
  </nav>`
}
