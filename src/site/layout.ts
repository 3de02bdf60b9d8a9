// The frame of every public page: head, header, menu and footer. A pure function; the caller makes the content.
import { addressAttribute, attribute, html, type Html, type HtmlValue } from '../doors/html.ts'
import { stylesheetPath } from './style.ts'
import type { Alternate } from './alternates.ts'
import { words } from './words.ts'
import { trimEndOf } from '../trim-text.ts'

/** The facts about the site that the frame shows. */
export interface SiteIdentity {
  readonly name: string
  /** Empty when there is none. */
  readonly tagline: string
  /** BCP 47: `en`, `de-AT`. */
  readonly language: string
  /** The site's own address, its base path included, without a slash at the end. */
  readonly url: string
  /** The path of the home page to which this page belongs; `/` by default. */
  readonly home?: string
}

/** A link and its text. */
export interface Link {
  readonly label: string
  readonly href: string
  /** Whether it leads to this page itself. */
  readonly current?: boolean
  /** The links below it. They are shown when it is opened. */
  readonly items?: readonly Link[]
}

/** What kind of page this is, for the style sheet. */
export type PageKind = 'home' | 'entry' | 'message' | 'search'

/** The parts of a page. */
export interface PageParts {
  readonly site: SiteIdentity
  readonly title: string
  readonly description?: string | undefined
  /** The page's canonical address. A page without one asks search engines not to index it. */
  readonly canonical?: string | undefined
  readonly kind: PageKind
  readonly body: Html
  readonly menu?: readonly Link[] | undefined
  /** The page in all its languages, if it has several. */
  readonly alternates?: readonly Alternate[] | undefined
  /** More elements of the head, such as `jsonLd`. */
  readonly head?: HtmlValue
}

/** The whole document. */
export function page(parts: PageParts): string {
  const { site, kind } = parts
  return html`<!doctype html>
    <html ${attribute('lang', site.language || 'en')} ${attribute('dir', directionOf(site.language))}>
      <head>
        <meta charset="utf-8" />
        <title>${documentTitle(parts)}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${metaTags(parts)}
        <link rel="stylesheet" ${attribute('href', basePathOf(site) + stylesheetPath)} />
        ${parts.head}
      </head>
      <body class="${kind}">
        <a class="skip" href="#content">${words.skip}</a>
        ${header(parts)}
        <main id="content" tabindex="-1">${parts.body}</main>
        <footer class="site-footer">
          <div>
            <p><a ${addressAttribute('href', homeOf(site))}>${site.name}</a></p>
          </div>
        </footer>
      </body>
    </html> `.toString()
}

function metaTags({ site, title, description, canonical, kind, alternates = [] }: PageParts): readonly HtmlValue[] {
  const about = description && html`<meta name="description" ${attribute('content', description)} />`
  if (canonical === undefined) return [about, html`<meta name="robots" content="noindex" />`]
  return [
    about,
    html`<link rel="canonical" ${addressAttribute('href', canonical)} />`,
    alternates.map(alternateLinks),
    socialTag('og:url', canonical),
    socialTag('og:type', kind === 'entry' ? 'article' : 'website'),
    socialTag('og:site_name', site.name),
    socialTag('og:title', title),
    description && socialTag('og:description', description),
  ]
}

/** @see https://developers.google.com/search/docs/specialty/international/localized-versions */
function alternateLinks({ language, url, isDefault }: Alternate): readonly HtmlValue[] {
  const link = (tag: string) => html`<link rel="alternate" ${attribute('hreflang', tag)} ${addressAttribute('href', url)} />`
  return [link(language), isDefault && link('x-default')]
}

function socialTag(property: string, content: string): Html {
  return html`<meta ${attribute('property', property)} ${attribute('content', content)} />`
}

function header({ site, kind, menu = [] }: PageParts): Html {
  const name = html`<a class="site-name" ${addressAttribute('href', homeOf(site))} rel="home">${site.name}</a>`
  return html`<header class="site-header">
    <div>
      ${kind === 'home' ? html`<h1>${name}</h1>` : name}
      ${
        menu.length > 0 &&
        html`<nav aria-label="${words.menu}">
          <ul>
            ${menu.map(menuItem)}
          </ul>
        </nav>`
      }
    </div>
  </header>`
}

function menuItem(link: Link): Html {
  const { label, href, items = [] } = link
  if (items.length === 0) return html`<li>${menuLink(link)}</li>`
  return html`<li>
    <details>
      <summary>${label}</summary>
      <ul>
        ${href !== '' && html`<li>${menuLink(link)}</li>`} ${items.map(menuItem)}
      </ul>
    </details>
  </li>`
}

const menuLink = ({ label, href, current }: Link): Html =>
  html`<a ${addressAttribute('href', href)} ${attribute('aria-current', current ? 'page' : undefined)}>${label}</a>`

function documentTitle({ site, title, kind }: PageParts): string {
  if (kind === 'home' && (title === site.name || title === ''))
    return site.tagline === '' ? site.name : `${site.name} – ${site.tagline}`
  return title === site.name || site.name === '' ? title : `${title} – ${site.name}`
}

/** The base path of the site: an empty text or `/blog`. */
function basePathOf(site: SiteIdentity): string {
  return trimEndOf(new URL(site.url).pathname, '/')
}

/** The path of the home page. */
export function homeOf(site: SiteIdentity): string {
  return basePathOf(site) + (site.home ?? '/')
}

/** `rtl` for languages written from right to left. */
function directionOf(language: string): 'rtl' | undefined {
  return /^(?:ar|arc|dv|fa|he|ks|ps|sd|ug|ur|yi)(?:-|$)/i.test(language) ? 'rtl' : undefined
}
