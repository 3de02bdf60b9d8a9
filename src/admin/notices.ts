// What the top of a page tells whoever is signed in: the site is closed, a plugin was stopped, the page came over http. What is broken
// stands on every page, other findings of the health check on the home page.

import { healthCheck } from '../actions/classes/svc-health.ts'
import { pluginsList } from '../actions/classes/svc-plugins/reading.ts'
import { settingsMaintenance } from '../actions/classes/svc-settings-maintenance.ts'
import { html, type HtmlValue } from '../doors/html.ts'
import { isLoopbackName } from '../http/origin.ts'
import { hereOf, mayRun } from './navigation.ts'
import { adminPaths, linkTo } from './paths.ts'
import type { Visit } from './visit.ts'

/** The notices that this visitor gets on every page. */
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

/** These checks have a notice of their own. */
export const toldElsewhere: ReadonlySet<string> = new Set(['release', 'maintenance', 'plugins'])

/** What the last health check found broken. The home page shows all of its findings. */
function brokenNotices(visit: Visit): HtmlValue {
  if (!mayRun(visit, healthCheck) || hereOf(visit) === adminPaths.home) return undefined
  const broken = visit.site.health.latest.filter(({ id, state }) => state === 'broken' && !toldElsewhere.has(id))
  return broken.map(
    ({ message, fix }) =>
      html`<p class="notice warn" role="note"><strong>${message}</strong> ${fix !== null && html`<code>${fix}</code>`}</p>`,
  )
}

const releaseNotice = ({ site: { release } }: Visit): HtmlValue =>
  release.name !== '1' &&
  html`<p class="notice warn" role="note">
    <strong>This site behaves like release ${release.name}, defects included.</strong> That is meant for testing clients. For the
    current behaviour, unset <code>POSTERN_COMPAT</code> and restart.
  </p>`

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

const maintenanceNotice = (visit: Visit): HtmlValue =>
  visit.site.maintenance.now() &&
  html`<p class="notice warn" role="note">
    <strong>Maintenance is on:</strong> visitors, apps and scripts have no access.
    ${
      mayRun(visit, settingsMaintenance) &&
      html`<a href="${linkTo(visit.request, adminPaths.maintenance)}">Open the site again</a>`
    }
  </p>`

const unguardedNotices = ({ unguarded = [] }: Visit): HtmlValue =>
  unguarded.map(
    ({ email, second_factor_ended_by: by }) =>
      html`<p class="notice warn" role="note">
        <strong>The second step of ${email} was ended by ${by}.</strong> If ${email} did not ask for that, disable the account.
      </p>`,
  )

function httpNotice({ request }: Visit): HtmlValue {
  if (request.scheme !== 'http') return undefined
  return isLoopbackName(request.host.replace(/:\d+$/, ''))
    ? html`<p class="notice" role="note">
        This page came over http. That is safe on this machine alone. Others should use https.
      </p>`
    : html`<p class="notice warn" role="note">
        <strong>This page came over http:</strong> others on the network can read your password. Set up https for this site.
      </p>`
}
