// Pages that say one thing: nothing here, not allowed, back soon. They ask not to be indexed.
import { cutText } from '../cut-text.ts'
import { addressAttribute, html, type HtmlValue } from '../doors/html.ts'
import { homeOf, page, type Link, type SiteIdentity } from './layout.ts'
import { words } from './words.ts'

/** What a message page is made of. */
export interface MessagePage {
  readonly site: SiteIdentity
  readonly title: string
  /** A sentence or two. */
  readonly message: HtmlValue
  readonly menu?: readonly Link[] | undefined
  /** Whether a link to the home page helps: not while the whole site is away. */
  readonly linkHome?: boolean | undefined
}

/** The document of a message, for 403, 404 and 503. */
export function messagePage({ site, title, message, menu, linkHome = true }: MessagePage): string {
  return page({
    site,
    title,
    menu,
    kind: 'message',
    body: html`<h1>${title}</h1>
      <p>${message}</p>
      ${linkHome && html`<p><a ${addressAttribute('href', homeOf(site))}>${words.toHome}</a></p>`}`,
  })
}

const maxPathChars = 200

/**
 * The 404 page.
 * @param path as it was asked; shown as text, cut when long (ATTACKS 97)
 */
export function notFoundPage(site: SiteIdentity, path: string, menu?: readonly Link[]): string {
  const shown = cutText(path, maxPathChars)
  return messagePage({
    site,
    menu,
    title: words.notFoundTitle,
    message: html`${words.notFound} <code>${shown}</code>.`,
  })
}
