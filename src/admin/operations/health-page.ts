// Health: what the checks of the site found, each with its fix to copy, and the doctor, who looks from outside.

import { healthCheck } from '../../actions/classes/svc-health.ts'
import { type Finding, type FindingState, needsWork } from '../../doctor/finding.ts'
import { html, type Html, type HtmlValue } from '../../doors/html.ts'
import { baseOf } from '../../doors/paths.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { csrfField, readFields } from '../form.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { notYours, start } from '../page.ts'
import { faultBox } from '../parts/fields.ts'
import { counted, emptyState, pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo, pageReply } from '../reply.ts'
import { copyable, copyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import { startedJob } from './job-parts.ts'

/** GET */
export function showHealth(visit: SignedIn): Promise<Reply> {
  return healthReply(visit)
}

async function healthReply(visit: SignedIn, failure?: Failure): Promise<Reply> {
  if (!mayRun(visit, healthCheck)) throw notYours(visit)
  const { latest } = visit.site.health
  const open = latest.filter(needsWork)
  const ofState = (wanted: FindingState) => latest.filter(({ state }) => state === wanted)
  const body = html`${pageHead('Health', 'What the daily check of the site and its server found.', checkForm(visit))}
  ${faultBox(failure && sentenceOf(failure))} ${await startedJob(visit, 'The checks have run.')}
  ${latest.length === 0 && emptyState('Nothing was checked yet', 'The site checks itself half a minute after a start, and every day. You can check it now.')}
  ${
    latest.length > 0 &&
    open.length === 0 &&
    html`<p class="notice done" role="status">Nothing is wrong. ${counted(latest.length, 'check')} ran.</p>`
  }
  ${findingList('needs', 'Needs attention', open)} ${findingList('unknown', 'Could not be checked', ofState('unknown'))}
  ${wellPart(ofState('ok'))} ${doctorPart(visit)}`
  return pageReply(visit, failure ? formStatus[failure.code] : 200, framed(visit, { title: 'Health', body, script: copyScript }))
}

const checkForm = (visit: SignedIn): Html =>
  html`<form method="post" action="${linkTo(visit.request, adminPaths.health)}">
    ${csrfField(visit, 'health')} <button class="primary">Check now</button>
  </form>`

const stateBadges: Readonly<Record<FindingState, Html>> = {
  ok: html`<span class="badge good">in order</span>`,
  warning: html`<span class="badge warn">warning</span>`,
  broken: html`<span class="badge warn">broken</span>`,
  unknown: html`<span class="badge">not known</span>`,
}

function findingList(id: string, title: string, findings: readonly Finding[]): HtmlValue {
  return (
    findings.length > 0 &&
    html`<section class="panel" aria-labelledby="${id}">
      <h2 id="${id}">${title} <span class="count">${findings.length}</span></h2>
      <ul class="lines">
        ${findings.map(
          ({ id: check, state, message, fix, seen }) =>
            html`<li>
              <span class="what">${message} ${seen !== null && html`<small class="quiet">Seen: ${seen}</small>`}</span>
              <span class="side"><code>${check}</code> ${stateBadges[state]}</span>
              ${fix !== null && html`<p class="address wide">${copyable(`the fix of ${check}`, fix)}</p>`}
            </li>`,
        )}
      </ul>
    </section>`
  )
}

/** What is in order is folded: nobody has to read it. */
const wellPart = (findings: readonly Finding[]): HtmlValue =>
  findings.length > 0 &&
  html`<details class="panel">
    <summary>${counted(findings.length, 'check')} found nothing wrong</summary>
    <ul class="lines">
      ${findings.map(
        ({ id, message }) =>
          html`<li>
            <span class="what">${message}</span>
            <span class="side"><code>${id}</code></span>
          </li>`,
      )}
    </ul>
  </details>`

/** The doctor asks the site as clients do. It finds what the site can't see from within. */
const doctorPart = ({ request }: SignedIn): Html =>
  html`<section class="panel" aria-labelledby="doctor">
    <h2 id="doctor">From outside</h2>
    <p>If an app or a visitor can’t reach the site, run the doctor. On the server:</p>
    <p class="address">${copyable('the command on the server', 'sudo scripts/postern doctor')}</p>
    <p>On another machine with a checkout of Postern, where it sees what your visitors see:</p>
    <p class="address">${copyable('the command on another machine', `scripts/postern doctor --url ${baseOf(request)}`)}</p>
  </section>`

/** POST */
export async function runChecks(visit: SignedIn): Promise<Reply> {
  await readFields(visit, 'health')
  const { job, failure } = await start(visit, healthCheck, {})
  if (failure) return healthReply(visit, failure)
  return goTo(visit, `${adminPaths.health}${job === undefined ? '' : `?job=${encodeURIComponent(job)}`}`)
}
