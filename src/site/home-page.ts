// The site's first page: the latest posts, below the text of a page that was chosen for it, if one was.
import { timeTag, type ShownTime } from './entry-page.ts'
import { addressAttribute, html, raw, type Html, type HtmlValue } from '../doors/html.ts'
import { page, type Link, type SiteIdentity } from './layout.ts'
import { words } from './words.ts'

/** A post in a list. */
export interface PostSummary {
  readonly title: string
  readonly href: string
  readonly published?: ShownTime | undefined
  readonly excerpt: string
}

/** What the home page, and any list of posts, is made of. */
export interface HomePage {
  readonly site: SiteIdentity
  readonly canonical: string
  /** A list's own name (a term, a year); the home page has none. */
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** The chosen page's text, from the renderer. */
  readonly intro?: string | undefined
  /** Undefined: no list at all. */
  readonly posts?: readonly PostSummary[] | undefined
  readonly menu?: readonly Link[] | undefined
  /** Addresses of the neighbouring pages of the list. */
  readonly newer?: string | undefined
  readonly older?: string | undefined
  readonly head?: HtmlValue
  readonly footer?: HtmlValue
}

/** The document of the home page or of a list. */
export function homePage(parts: HomePage): string {
  const { site, canonical, title, intro, posts, menu, head, footer } = parts
  return page({
    site,
    canonical,
    menu,
    head,
    footer,
    kind: 'home',
    title: title ?? site.name,
    description: parts.description ?? site.tagline,
    body: html`${title === undefined ? site.tagline && html`<p class="tagline">${site.tagline}</p>` : html`<h2 class="list-title">${title}</h2>`}
    ${intro && html`<div class="text">${raw(intro)}</div>`} ${posts && postList(posts)} ${pager(parts)}`,
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
