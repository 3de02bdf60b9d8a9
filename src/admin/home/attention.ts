// What needs attention, by the latest health check, each with its fix to copy.

import { healthCheck } from '../../actions/classes/svc-health.ts'
import { needsWork } from '../../doctor/finding.ts'
import { html, type HtmlValue } from '../../doors/html.ts'
import { mayRun } from '../navigation.ts'
import { toldElsewhere } from '../notices.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { copyable } from '../script.ts'
import type { SignedIn } from '../visit.ts'

/** The findings of the last health check, for visitors who may run it. */
export function attention(visit: SignedIn): HtmlValue {
  if (!mayRun(visit, healthCheck)) return undefined
  const found = visit.site.health.latest.filter((finding) => !toldElsewhere.has(finding.id) && needsWork(finding))
  const { t } = visit
  return (
    found.length > 0 &&
    html`<section class="panel attention" aria-labelledby="attention">
      <h2 id="attention">${t('home.needs_attention')}</h2>
      <ul class="lines">
        ${found.map(
          ({ message, fix }) =>
            html`<li>
              <span>${message}</span> ${fix !== null && html`<p class="address wide">${copyable(t('home.the_fix'), fix)}</p>`}
            </li>`,
        )}
      </ul>
      <p><a href="${linkTo(visit.request, adminPaths.health)}">${t('home.all_checks')}</a></p>
    </section>`
  )
}
