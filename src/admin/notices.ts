// The notices at the top of pages for people who are signed in, such as: the site is closed, a plugin was stopped, the page came
// over http. Broken checks are shown on every page. The home page shows the other findings of the health check.

import { health } from '../actions/health/index.ts'
import { plugins } from '../actions/plugins/index.ts'
import { settings } from '../actions/settings/index.ts'
import { html, type Html, type HtmlValue } from '../doors/shared/html.ts'
import { isLoopbackName } from '../http/origin.ts'
import { hereOf, mayRun } from './navigation.ts'
import { adminPaths, linkTo } from './paths.ts'
import { toldFinding } from './parts/told-finding.ts'
import type { Visit } from './visit.ts'

/** Returns the notices that this visitor sees on every page. */
export function noticesOf(visit: Visit): readonly HtmlValue[] {
  return [
    releaseNotice(visit),
    quarantineNotices(visit),
    maintenanceNotice(visit),
    brokenNotices(visit),
    unguardedNotices(visit),
    httpNotice(visit),
  ]
}

/** The checks that have their own notice. */
export const toldElsewhere: ReadonlySet<string> = new Set(['release', 'maintenance', 'plugins'])

/** The broken checks of the last health check. The home page shows all of its findings. */
function brokenNotices(visit: Visit): HtmlValue {
  if (!mayRun(visit, health.check) || hereOf(visit) === adminPaths.home) return undefined
  const broken = visit.site.health.latest.filter(({ id, state }) => state === 'broken' && !toldElsewhere.has(id))
  return broken
    .map((finding) => toldFinding(visit.t, finding))
    .map(({ message, fix }) => warning(html`${strong(message)} ${fix !== null && html`<code>${fix}</code>`}`))
}

const releaseNotice = ({ site: { release }, t }: Visit): HtmlValue =>
  release.name !== '1' &&
  warning(
    t.rich('shell.notice_release', {
      strong: strong(t('shell.notice_release_name', { name: release.name })),
      variable: html`<code>POSTERN_COMPAT</code>`,
    }),
  )

function quarantineNotices(visit: Visit): HtmlValue {
  const { site, request, t } = visit
  if (!mayRun(visit, plugins.list)) return undefined
  const link = html`<a href="${linkTo(request, adminPaths.plugins)}">${t('shell.go_to_plugins')}</a>`
  return site.plugins.quarantined.map(({ name, reason }) =>
    warning(html`${strong(t('shell.notice_quarantine', { name }))} ${reason !== null && t.said(reason)} ${link}`),
  )
}

function maintenanceNotice(visit: Visit): HtmlValue {
  const { site, request, t } = visit
  if (!site.maintenance.now()) return undefined
  const link = html`<a href="${linkTo(request, adminPaths.maintenance)}">${t('shell.open_again')}</a>`
  return warning(
    html`${t.rich('shell.notice_maintenance', { strong: strong(t('shell.notice_maintenance_on')) })}
    ${mayRun(visit, settings.maintenance) && link}`,
  )
}

const unguardedNotices = ({ unguarded = [], t }: Visit): HtmlValue =>
  unguarded.map(({ email, second_factor_ended_by: by }) =>
    warning(html`${strong(t('shell.notice_unguarded', { email, by: by ?? '' }))} ${t('shell.notice_unguarded_help', { email })}`),
  )

const isHere = ({ request }: Visit): boolean => isLoopbackName(request.host.replace(/:\d+$/, ''))

const httpNotice = (visit: Visit): HtmlValue =>
  visit.request.scheme === 'http' &&
  !isHere(visit) &&
  warning(visit.t.rich('shell.notice_http', { strong: strong(visit.t('shell.notice_http_strong')) }))

/** The pages on which a password, a token or the address for an assistant is made or shown. */
const credentialPages: ReadonlySet<string> = new Set([
  adminPaths.newPassword,
  adminPaths.password,
  adminPaths.tokens,
  adminPaths.token,
  adminPaths.connect,
])

/**
 * The line at the foot of pages about a credential that came over http from this machine: it must not be used over the network
 * like this. On the other pages of a site that is tried on one's own machine it would say nothing new.
 */
export const httpHere = (visit: Visit, isCredential = false): HtmlValue =>
  visit.request.scheme === 'http' &&
  isHere(visit) &&
  (isCredential || credentialPages.has(hereOf(visit))) &&
  html`<p class="http-here" role="note">${visit.t('shell.notice_http_here')}</p>`

const warning = (content: HtmlValue): Html => html`<p class="notice warn" role="note">${content}</p>`

const strong = (text: string): Html => html`<strong>${text}</strong>`
