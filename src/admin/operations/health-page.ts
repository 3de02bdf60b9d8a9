// Health: the findings of the site's checks, each with its fix to copy, and the doctor, which looks at the site from outside.

import { health } from '../../actions/health/index.ts'
import { type Finding, type FindingState, needsWork } from '../../doctor/finding.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import { baseOf } from '../../doors/shared/paths.ts'
import type { Reply } from '../../http/reply.ts'
import { mayRun } from '../navigation.ts'
import { notYours, start } from '../page.ts'
import { goAfter } from '../parts/done-notice.ts'
import { lineList, panel } from '../parts/panel.ts'
import { emptyState, pageHead } from '../parts/table.ts'
import { toldFinding } from '../parts/told-finding.ts'
import { adminPaths } from '../paths.ts'
import { copyable, copyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey, Words } from '../words.ts'
import { startedJob } from './job-parts.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { formTaker, postForm, type Work } from '../parts/post-form.ts'

export const showHealth = (visit: SignedIn): Promise<Reply> => healthReply(visit)

async function healthReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  if (!mayRun(visit, health.check)) throw notYours(visit)
  const { t } = visit
  const { latest } = visit.site.health
  const open = latest.filter(needsWork)
  const ofState = (wanted: FindingState) => latest.filter(({ state }) => state === wanted)
  const body = html`${pageHead(t('operations.health'), t('operations.health_lead'), checkForm(visit))}
  ${await startedJob(visit, t('operations.done_health'))}
  ${latest.length === 0 && emptyState(t('operations.health_none'), t('operations.health_none_next'))}
  ${
    latest.length > 0 &&
    latest.length === ofState('ok').length &&
    html`<p class="notice done" role="status">${t('operations.health_well', { count: ofState('ok').length })}</p>`
  }
  ${findingList(visit, 'needs', 'operations.health_needs', open)}
  ${findingList(visit, 'unknown', 'operations.health_unknown', ofState('unknown'))} ${wellPart(visit, ofState('ok'))}
  ${doctorPart(visit)}`
  return framedReply(visit, { title: t('operations.health'), body, script: copyScript }, refused)
}

const checkForm = (visit: SignedIn): Html =>
  postForm(visit, {
    path: adminPaths.health,
    purpose: 'health',
    body: html`<button class="primary">${visit.t('operations.check_now')}</button>`,
  })

const badges: Readonly<Record<FindingState, readonly [className: string, MessageKey]>> = {
  ok: ['badge good', 'operations.finding_ok'],
  warning: ['badge warn', 'operations.finding_warning'],
  broken: ['badge warn', 'operations.finding_broken'],
  unknown: ['badge', 'operations.finding_unknown'],
}

function stateBadge(state: FindingState, t: Words): Html {
  const [name, key] = badges[state]
  return html`<span class="${name}">${t(key)}</span>`
}

function findingList({ t }: SignedIn, id: string, title: MessageKey, findings: readonly Finding[]): HtmlValue {
  const lines = findings.map((finding) => {
    const { id: check, state } = finding
    const { message, fix, seen } = toldFinding(t, finding)
    return html`<span class="what"
        >${message} ${seen !== null && html`<small class="quiet">${t('operations.finding_seen', { seen })}</small>`}</span
      >
      <span class="side"><code>${check}</code> ${stateBadge(state, t)}</span>
      ${fix !== null && html`<p class="address wide">${copyable(t('operations.fix_of', { check }), fix)}</p>`}`
  })
  return lines.length > 0 && panel(id, html`${t(title)} <span class="count">${lines.length}</span>`, lineList(lines))
}

/** The checks without findings. They are folded, because nobody has to read them. */
const wellPart = ({ t }: SignedIn, findings: readonly Finding[]): HtmlValue =>
  findings.length > 0 &&
  html`<details class="panel">
    <summary>${t('operations.checks_well', { count: findings.length })}</summary>
    ${lineList(findings.map(({ id, message }) => html`<span class="what">${t.said(message)}</span> <span class="side"><code>${id}</code></span>`))}
  </details>`

/** The doctor sends requests to the site as clients do. It finds problems that are not visible from inside the site. */
const doctorPart = ({ request, t }: SignedIn): Html =>
  html`<section class="panel" aria-labelledby="doctor">
    <h2 id="doctor">${t('operations.doctor')}</h2>
    <p>${t('operations.doctor_lead')}</p>
    <p class="address">${copyable(t('operations.doctor_command'), 'sudo scripts/postern doctor')}</p>
    <p>${t('operations.doctor_elsewhere')}</p>
    <p class="address">
      ${copyable(t('operations.doctor_command_elsewhere'), `scripts/postern doctor --url ${baseOf(request)}`)}
    </p>
  </section>`

const check: Work = async (visit) => {
  const { job, failure } = await start(visit, health.check, {})
  return failure ?? goAfter(visit, adminPaths.health, job, 'operations.done_health')
}

export const runChecks = formTaker('health', check, healthReply)
