// Pages with one message that need no theme: for maintenance, expired links, and failures of the theme. They ask search engines not
// to index them, and they depend on nothing that can fail.

import { cutText } from '../../base/cut-text.ts'
import { hrefAttribute, attribute, html, type HtmlValue, raw } from '../../doors/shared/html.ts'
import { languageOfPath } from './alternates.ts'
import { type Frame, rootPathOf } from './frame.ts'
import { siteWord } from '../../themes/site-words.ts'
import { directionOf } from './page-data/site.ts'
import css from './plain.css'

/** The facts about the site that such a page shows. */
export interface SiteIdentity {
  readonly name: string
  /** BCP 47: `en`, `de-AT`. */
  readonly language: string
  /** The site's address with its base path, without a slash at the end. */
  readonly url: string
}

/** @param path decides the language of the page */
export function identityOf({ site, origin }: Frame, path = '/'): SiteIdentity {
  return { name: site.settings.values.site_title, language: languageOfPath(site, path), url: origin }
}

export interface MessagePage {
  readonly site: SiteIdentity
  readonly title: string
  /** A sentence or two. */
  readonly message: HtmlValue
  /** Paragraphs or a form below it. */
  readonly below?: HtmlValue
  /** True to link to the home page. It is false while the whole site is closed. */
  readonly linkHome?: boolean | undefined
}

/** The HTML document of a message, for 403, 404 and 503. */
export function messagePage({ site, title, message, below, linkHome = true }: MessagePage): string {
  const home = rootPathOf(site.url)
  const direction = directionOf(site.language)
  return html`<!doctype html>
    <html ${attribute('lang', site.language)} ${attribute('dir', direction === 'rtl' ? direction : undefined)}>
      <head>
        <meta charset="utf-8" />
        <title>${title === site.name || site.name === '' ? title : `${title} – ${site.name}`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <style>
          ${raw(css)}
        </style>
      </head>
      <body>
        <header>
          <p><a ${hrefAttribute(home)} rel="home">${site.name}</a></p>
        </header>
        <main id="content">
          <h1>${title}</h1>
          <p>${message}</p>
          ${below} ${linkHome && html`<p><a ${hrefAttribute(home)}>${siteWord(site.language, 'to_home')}</a></p>`}
        </main>
      </body>
    </html> `.toString()
}

const maxPathChars = 200

/**
 * The 404 page.
 * @param path the requested path; shown as text and shortened (attack 97)
 */
export function notFoundPage(site: SiteIdentity, path: string): string {
  const shown = cutText(path, maxPathChars)
  const title = siteWord(site.language, 'not_found_title')
  return messagePage({ site, title, message: html`${siteWord(site.language, 'not_found')} <br /><code>${shown}</code>` })
}
