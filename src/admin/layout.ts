// The layout of every page of the admin: head, navigation, notices. The content comes from the page.

import { unindexedDocument } from '../doors/shared/document.ts'
import { attribute, html, type Html, type HtmlValue } from '../doors/shared/html.ts'
import { csrfField } from './form.ts'
import { hereOf, isAt, sectionsFor } from './navigation.ts'
import { httpHere, noticesOf } from './notices.ts'
import { doneNotice } from './parts/done-notice.ts'
import { icon } from './parts/icons.ts'
import { refusalBanner } from './parts/refusal-banner.ts'
import { adminPaths, linkTo } from './paths.ts'
import { type BrowserScript, refusalScript, scriptTag, shellScript } from './script.ts'
import { type NavPage, type NavSection, ownPages } from './sections.ts'
import { stylesheetPath } from './style.ts'
import type { Visit } from './visit.ts'
import type { Words } from './words.ts'

/** The parts of a page that the layout frames. */
export interface AdminPageParts {
  readonly title: string
  readonly body: Html
  /** `narrow` is for a single form, shown to people who are not signed in; `full` leaves the width to the page. */
  readonly kind?: 'wide' | 'narrow' | 'full'
  /** An enhancement of the page, which must work without it. */
  readonly script?: BrowserScript
  readonly scripts?: readonly BrowserScript[]
}

export function framed(visit: Visit, { title, body, kind = 'wide', script, scripts = [] }: AdminPageParts): string {
  const name = visit.site.settings.values.site_title
  const hasNavigation = kind !== 'narrow' && visit.session !== undefined
  return document({
    t: visit.t,
    base: visit.request.basePath,
    title: `${visit.waiting ? `(${visit.waiting}) ` : ''}${title} – ${name}`,
    kind: hasNavigation ? `${kind} shell` : kind,
    header: hasNavigation ? navigation(visit) : brand(name),
    notices: [...noticesOf(visit), doneNotice(visit)],
    body: html`${body} ${httpHere(visit)}`,
    scripts: [hasNavigation && shellScript, script, ...scripts],
  })
}

/** The site's name alone, for pages without navigation. */
export const brand = (name: string): Html => html`<header class="brand"><p>${name}</p></header>`

interface DocumentParts {
  readonly t: Words
  readonly base: string
  readonly title: string
  readonly kind: string
  readonly header?: Html
  readonly notices?: readonly HtmlValue[]
  readonly body: Html
  readonly scripts?: readonly (BrowserScript | false | undefined)[]
}

export function document({ t, base, title, kind, header, notices = [], body, scripts: given = [] }: DocumentParts): string {
  const scripts = body.refusals.length > 0 ? [...given, refusalScript] : given
  return unindexedDocument({
    title,
    language: t.language,
    head: html`<meta name="color-scheme" content="light dark" />
      <link rel="stylesheet" href="${base + stylesheetPath}" /> ${scripts.map((script) => script && scriptTag(script, base, t))}`,
    body: html`<body class="${kind}">
      <a class="skip" href="#content">${t('shell.skip')}</a>
      ${header}
      <main id="content" tabindex="-1">${refusalBanner(t, body.refusals)}${notices}${body}</main>
    </body>`,
  })
}

/**
 * The navigation: on a phone, one row with a button that opens the rest; on a wide screen, a column next to the page. It needs no
 * script.
 */
function navigation(visit: Visit): Html {
  const { request, site, t } = visit
  return html`<header class="top">
    <button class="icon-button only-narrow" popovertarget="navigation" aria-label="${t('shell.menu')}">${icon('menu')}</button>
    <a class="site" href="${linkTo(request, adminPaths.home)}">${site.settings.values.site_title}</a>
    ${waitingLink(visit)}
    <a class="icon-button only-narrow" href="${linkTo(request, adminPaths.search)}" aria-label="${t('shell.search')}"
      >${icon('search')}</a
    >
    <div id="navigation" popover>
      ${searchForm(visit)}
      <nav aria-label="${t('shell.admin')}">
        <ul>
          ${sectionsFor(visit).map((section) => sectionItem(visit, section))}
        </ul>
      </nav>
      <div class="own">
        <ul>
          <li><a href="${linkTo(request, '/')}">${icon('view')} ${t('shell.view_site')}</a></li>
          ${ownPages.map((page) => html`<li>${pageLink(visit, page, html`${icon('account')} ${t(page.label)}`)}</li>`)}
        </ul>
        <form method="post" action="${linkTo(request, adminPaths.signOut)}">
          ${csrfField(visit, 'sign-out')}
          <button class="plain">${icon('signOut')} ${t('shell.sign_out')}</button>
        </form>
      </div>
    </div>
  </header>`
}

const searchForm = ({ request, t }: Visit): Html =>
  html`<form
    class="find"
    role="search"
    aria-label="${t('shell.search_everything')}"
    action="${linkTo(request, adminPaths.search)}"
  >
    <label class="unseen" for="find">${t('shell.search_everything')}</label>
    <input
      id="find"
      type="search"
      name="q"
      placeholder="${t('shell.search')}"
      autocomplete="off"
      maxlength="200"
      aria-keyshortcuts="/"
    />
  </form>`

function sectionItem(visit: Visit, { label, icon: name, pages }: NavSection): HtmlValue {
  const [first] = pages
  if (!first) return undefined
  const isOpen = pages.some((page) => isAt(page, hereOf(visit)))
  if (pages.length === 1)
    return html`<li>${pageLink(visit, { ...first, label }, html`${icon(name)} ${visit.t(label)} ${countOf(visit, first)}`)}</li>`
  return html`<li ${attribute('class', isOpen ? 'open' : undefined)}>
    <a href="${linkTo(visit.request, first.path)}" ${attribute('aria-current', isOpen ? 'true' : undefined)}
      >${icon(name)} ${visit.t(label)}</a
    >
    ${
      isOpen &&
      html`<ul>
        ${pages.map((page) => html`<li>${pageLink(visit, page, html`${visit.t(page.label)} ${countOf(visit, page)}`)}</li>`)}
      </ul>`
    }
  </li>`
}

/** The link to the proposals that wait for this visitor, with their number, on every page. */
const waitingLink = ({ request, waiting = 0, t }: Visit): HtmlValue =>
  waiting > 0 &&
  html`<a class="waits" href="${linkTo(request, adminPaths.approvals)}"
    ><span class="count">${waiting}</span> <span class="words">${t('shell.waits', { count: waiting })}</span></a
  >`

/** The number of items that wait on a page. */
const countOf = ({ waiting }: Visit, { path }: NavPage): HtmlValue =>
  path === adminPaths.approvals && waiting !== undefined && waiting > 0 && html`<span class="count">${waiting}</span>`

const pageLink = (visit: Visit, page: NavPage, label: HtmlValue): Html =>
  html`<a href="${linkTo(visit.request, page.path)}" ${attribute('aria-current', isAt(page, hereOf(visit)) ? 'page' : undefined)}
    >${label}</a
  >`
