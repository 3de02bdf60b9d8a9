// The frame of every page of the admin: head, bar, notices, footer. What stands in it is the page's.

import { callName } from '../actions/action.ts'
import { isVisible } from '../actions/registry.ts'
import { attribute, html, type Html, type HtmlValue } from '../doors/html.ts'
import { isLoopbackName } from '../http/origin.ts'
import { csrfField } from './form.ts'
import { adminPaths, linkTo } from './paths.ts'
import { type BrowserScript, scriptTag } from './script.ts'
import { stylesheetPath } from './style.ts'
import type { Visit } from './visit.ts'

/** A page to be framed. */
export interface AdminPageParts {
  readonly title: string
  readonly body: Html
  /** `narrow` is for one form alone, before anybody is in. */
  readonly kind?: 'wide' | 'narrow'
  /** What the page can do beyond plain HTML; it must work without. */
  readonly script?: BrowserScript
}

/** The whole document. */
export function framed(visit: Visit, { title, body, kind = 'wide', script }: AdminPageParts): string {
  const name = visit.site.settings.values.site_title
  return document({
    base: visit.request.basePath,
    title: `${title} – ${name}`,
    kind,
    header: kind === 'wide' && visit.session ? bar(visit) : brand(name),
    notices: noticesOf(visit),
    body,
    script,
  })
}

/** The site's name alone: the top of a page that leads nowhere else. */
export const brand = (name: string): Html => html`<header class="brand"><p>${name}</p></header>`

/** What any document of the admin is made of. */
interface DocumentParts {
  readonly base: string
  readonly title: string
  readonly kind: string
  readonly header?: Html
  readonly notices?: readonly HtmlValue[]
  readonly body: Html
  readonly script?: BrowserScript | undefined
}

export function document({ base, title, kind, header, notices = [], body, script }: DocumentParts): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <link rel="stylesheet" href="${base + stylesheetPath}" />
        ${script && scriptTag(script, base)}
      </head>
      <body class="${kind}">
        <a class="skip" href="#content">Skip to content</a>
        ${header}
        <main id="content" tabindex="-1">${notices}${body}</main>
      </body>
    </html> `.toString()
}

interface NavItem {
  readonly label: string
  readonly path: string
  /** The action without which the page has nothing to show. */
  readonly needs?: string
}

const nav: readonly NavItem[] = [
  { label: 'Home', path: adminPaths.home },
  { label: 'Connected Apps', path: adminPaths.apps, needs: 'SVC_Apps.list' },
  { label: 'Tokens', path: adminPaths.tokens, needs: 'SVC_Tokens.list' },
  { label: 'Skills', path: adminPaths.skills, needs: 'SVC_Skills.list' },
  { label: 'Plugins', path: adminPaths.plugins, needs: 'SVC_Plugins.list' },
  { label: 'Site Settings', path: adminPaths.settings, needs: 'SVC_Settings.update' },
  { label: 'Logs', path: adminPaths.logs, needs: 'SVC_Logs.list' },
  { label: 'Your account', path: adminPaths.account },
]

/** Whether this visitor may run an action: pages offer nothing else. */
export function mayRun({ site, caller }: Visit, name: string): boolean {
  return site.registry.all.some((action) => callName(action) === name && isVisible(action, caller))
}

function bar(visit: Visit): Html {
  const { request, site } = visit
  const items = nav.filter(({ needs }) => needs === undefined || mayRun(visit, needs))
  const here = request.path.length > 1 && request.path !== adminPaths.home ? request.path.replace(/\/$/, '') : adminPaths.home
  return html`<header class="bar">
    <div>
      <a class="site" href="${linkTo(request, '/')}">${site.settings.values.site_title}</a>
      <nav aria-label="Admin">
        <ul>
          ${items.map(
            ({ label, path }) =>
              html`<li>
                <a href="${linkTo(request, path)}" ${attribute('aria-current', isHere(here, path) ? 'page' : undefined)}
                  >${label}</a
                >
              </li>`,
          )}
        </ul>
      </nav>
      <form method="post" action="${linkTo(request, adminPaths.signOut)}">
        ${csrfField(visit, 'sign-out')}
        <button class="plain">Sign out</button>
      </form>
    </div>
  </header>`
}

const isHere = (here: string, path: string): boolean =>
  path === adminPaths.home ? here === path : here === path || here.startsWith(`${path}/`)

/** These have a notice of their own. */
const toldElsewhere: ReadonlySet<string> = new Set(['release', 'maintenance', 'plugins'])

/** What the last check of the site's health found, to those who may know. */
function healthNotices(visit: Visit): HtmlValue {
  if (!mayRun(visit, 'SVC_Health.check')) return undefined
  const found = visit.site.health.latest.filter(
    ({ check, state }) => !toldElsewhere.has(check) && (state === 'warning' || state === 'broken'),
  )
  return found.map(
    ({ message, fix }) =>
      html`<p class="notice warn" role="note"><strong>${message}</strong> ${fix !== null && html`<code>${fix}</code>`}</p>`,
  )
}

function quarantineNotices(visit: Visit): HtmlValue {
  if (!mayRun(visit, 'SVC_Plugins.list')) return undefined
  return visit.site.plugins.quarantined.map(
    ({ name, reason }) =>
      html`<p class="notice warn" role="note">
        <strong>The plugin ${name} is in quarantine.</strong> ${reason}
        <a href="${linkTo(visit.request, adminPaths.plugins)}">See the plugins</a>
      </p>`,
  )
}

function noticesOf(visit: Visit): readonly HtmlValue[] {
  const { site, request } = visit
  const { release } = site
  const name = request.host.replace(/:\d+$/, '')
  return [
    release.name !== '1' &&
      html`<p class="notice warn" role="note">
        <strong>This site shows the behaviour of release ${release.name}, defects included.</strong> It is meant for testing
        clients. Unset <code>POSTERN_COMPAT</code> and start anew for its own.
      </p>`,
    quarantineNotices(visit),
    site.maintenance.now() &&
      html`<p class="notice warn" role="note">
        <strong>Maintenance is on:</strong> visitors, apps and scripts are kept out.
        ${
          mayRun(visit, 'SVC_Settings.maintenance') &&
          html`<a href="${linkTo(request, adminPaths.maintenance)}">Open the site again</a>`
        }
      </p>`,
    healthNotices(visit),
    request.scheme === 'http' &&
      (isLoopbackName(name)
        ? html`<p class="notice" role="note">
            This page came over http. On this machine alone that is fine; others should reach the site over https only.
          </p>`
        : html`<p class="notice warn" role="note">
            <strong>This page came over http:</strong> whoever is on the way can read your password. Put https in front of this
            site.
          </p>`),
  ]
}
