// Pages with one message, such as 404. They ask search engines not to index them.

import { cutText } from '../cut-text.ts'
import { addressAttribute, html, type HtmlValue } from '../doors/html.ts'
import { homeOf, page, type Link, type SiteIdentity } from './layout.ts'
import { words } from './words.ts'

/** The parts of a message page. */
export interface MessagePage {
  readonly site: SiteIdentity
  readonly title: string
  /** A sentence or two. */
  readonly message: HtmlValue
  readonly menu?: readonly Link[] | undefined
  /** Whether to link to the home page: not while the whole site is closed. */
  readonly linkHome?: boolean | undefined
}

/** The HTML document of a message, for 403, 404 and 503. */
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
 * @param path the requested path; it is shown as text, and cut when it is long (ATTACKS 97)
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
