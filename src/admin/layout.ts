// The layout of every page of the admin: head, navigation, notices. The content comes from the page.

import { type Action, callName } from '../actions/action.ts'
import { appsList } from '../actions/classes/svc-apps.ts'
import { healthCheck } from '../actions/classes/svc-health.ts'
import { logsList } from '../actions/classes/svc-logs.ts'
import { pluginsList } from '../actions/classes/svc-plugins/reading.ts'
import { settingsMaintenance } from '../actions/classes/svc-settings-maintenance.ts'
import { settingsUpdate } from '../actions/classes/svc-settings.ts'
import { skillsList } from '../actions/classes/svc-skills.ts'
import { tokensList } from '../actions/classes/svc-tokens.ts'
import { isVisible } from '../actions/registry.ts'
import { needsWork } from '../doctor/finding.ts'
import { unindexedDocument } from '../doors/document.ts'
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
  /** `narrow` is for a single form, shown to somebody who is not signed in. */
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

/** The site's name alone, for pages without navigation. */
export const brand = (name: string): Html => html`<header class="brand"><p>${name}</p></header>`

/** The parts of a document of the admin. */
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
  return unindexedDocument({
    title,
    head: html`<meta name="color-scheme" content="light dark" />
      <link rel="stylesheet" href="${base + stylesheetPath}" /> ${script && scriptTag(script, base)}`,
    body: html`<body class="${kind}">
      <a class="skip" href="#content">Skip to content</a>
      ${header}
      <main id="content" tabindex="-1">${notices}${body}</main>
    </body>`,
  })
}

interface NavItem {
  readonly label: string
  readonly path: string
  /** The page is only linked for visitors who may run this action. */
  readonly needs?: Action
}

const nav: readonly NavItem[] = [
  { label: 'Home', path: adminPaths.home },
  { label: 'Connected Apps', path: adminPaths.apps, needs: appsList },
  { label: 'Tokens', path: adminPaths.tokens, needs: tokensList },
  { label: 'Skills', path: adminPaths.skills, needs: skillsList },
  { label: 'Plugins', path: adminPaths.plugins, needs: pluginsList },
  { label: 'Site Settings', path: adminPaths.settings, needs: settingsUpdate },
  { label: 'Logs', path: adminPaths.logs, needs: logsList },
  { label: 'Your account', path: adminPaths.account },
]

/** Whether this visitor may run an action. Pages offer nothing else. */
export function mayRun({ site, caller }: Visit, handle: Action): boolean {
  const action = site.registry.find(callName(handle))
  return action !== undefined && isVisible(action, caller)
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

/** These checks have their own notice. */
const toldElsewhere: ReadonlySet<string> = new Set(['release', 'maintenance', 'plugins'])

/** The findings of the last health check, for visitors who may run it. */
function healthNotices(visit: Visit): HtmlValue {
  if (!mayRun(visit, healthCheck)) return undefined
  const found = visit.site.health.latest.filter((finding) => !toldElsewhere.has(finding.id) && needsWork(finding))
  return found.map(
    ({ message, fix }) =>
      html`<p class="notice warn" role="note"><strong>${message}</strong> ${fix !== null && html`<code>${fix}</code>`}</p>`,
  )
}

function quarantineNotices(visit: Visit): HtmlValue {
  if (!mayRun(visit, pluginsList)) return undefined
  return visit.site.plugins.quarantined.map(
    ({ name, reason }) =>
      html`<p class="notice warn" role="note">
        <strong>The plugin ${name} is quarantined.</strong> ${reason}
        <a href="${linkTo(visit.request, adminPaths.plugins)}">Go to Plugins</a>
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
        <strong>This site behaves like release ${release.name}, defects included.</strong> That is meant for testing clients. For
        the current behaviour, unset <code>POSTERN_COMPAT</code> and restart.
      </p>`,
    quarantineNotices(visit),
    site.maintenance.now() &&
      html`<p class="notice warn" role="note">
        <strong>Maintenance is on:</strong> visitors, apps and scripts have no access.
        ${
          mayRun(visit, settingsMaintenance) && html`<a href="${linkTo(request, adminPaths.maintenance)}">Open the site again</a>`
        }
      </p>`,
    healthNotices(visit),
    request.scheme === 'http' &&
      (isLoopbackName(name)
        ? html`<p class="notice" role="note">
            This page came over http. That is safe on this machine alone. Others should use https.
          </p>`
        : html`<p class="notice warn" role="note">
            <strong>This page came over http:</strong> others on the network can read your password. Set up https for this site.
          </p>`),
  ]
}
