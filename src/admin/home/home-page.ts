// The admin's home page, about the site: what waits for the visitor, what needs attention with its fix, what changed lately and who did it, and the
// address for assistants.

import { type ActivityItem, activityList } from '../../actions/classes/svc-activity.ts'
import { healthCheck } from '../../actions/classes/svc-health.ts'
import { list as contentList } from '../../actions/classes/svc-content/list.ts'
import { needsWork } from '../../doctor/finding.ts'
import { html, type Html, type HtmlValue } from '../../doors/html.ts'
import { baseOf, mcpPath } from '../../doors/paths.ts'
import type { Reply } from '../../http/reply.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { get } from '../page.ts'
import { pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { withCode } from '../parts/with-code.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { pageReply } from '../reply.ts'
import { copyable, copyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'

/** GET */
export async function showHome(visit: SignedIn): Promise<Reply> {
  const { site, request, session } = visit
  const title = site.settings.values.site_title
  const [drafts, recent] = await Promise.all([
    get(visit, contentList, { where: { status: 'draft' }, sort: '-updated_at', limit: 5, count: true }),
    get(visit, activityList, { limit: 8 }),
  ])
  const body = html`${pageHead(title, `Signed in as ${session.account.name}.`, html`<a class="button" href="${linkTo(request, '/')}">View the site</a>`)}
    ${attention(visit)}
    <div class="columns">
      <section class="panel" aria-labelledby="drafts">
        <h2 id="drafts">
          Drafts ${drafts.total !== undefined && drafts.total > 0 && html`<span class="count">${drafts.total}</span>`}
        </h2>
        ${
          drafts.items.length === 0
            ? html`<p class="quiet">No drafts are waiting. What an assistant writes as a draft shows up here.</p>`
            : html`<ul class="lines">
                ${drafts.items.map(({ title: name, updated_at: at }) => html`<li><span>${name}</span> <small>${shownTime(visit, at)}</small></li>`)}
              </ul>`
        }
      </section>
      <section class="panel" aria-labelledby="recent">
        <h2 id="recent">What changed lately</h2>
        ${
          recent.items.length === 0
            ? html`<p class="quiet">Nothing has changed yet.</p>`
            : html`<ul class="lines">
                ${recent.items.map((item) => doneItem(visit, item))}
              </ul>`
        }
      </section>
    </div>
    <section class="panel connect" aria-labelledby="connect">
      <h2 id="connect">Connect an assistant</h2>
      <p>Give your assistant this address. It then sends you back here to choose its access.</p>
      <p class="address">${copyable('the address', baseOf(request) + mcpPath)}</p>
      <p><a href="${linkTo(request, adminPaths.connect)}">What to do in Claude, ChatGPT and others</a></p>
    </section>`
  return pageReply(visit, 200, framed(visit, { title: 'Home', body, script: copyScript }))
}

/** These checks have a notice of their own on every page. */
const toldElsewhere: ReadonlySet<string> = new Set(['release', 'maintenance', 'plugins'])

/** The findings of the last health check, for visitors who may run it. */
function attention(visit: SignedIn): HtmlValue {
  if (!mayRun(visit, healthCheck)) return undefined
  const found = visit.site.health.latest.filter((finding) => !toldElsewhere.has(finding.id) && needsWork(finding))
  return (
    found.length > 0 &&
    html`<section class="panel attention" aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      <ul class="lines">
        ${found.map(
          ({ message, fix }) =>
            html`<li><span>${message}</span> ${fix !== null && html`<p>${copyable('the fix', fix)}</p>`}</li>`,
        )}
      </ul>
    </section>`
  )
}

function doneItem(visit: SignedIn, { at, by, token_name: token, summary }: ActivityItem): Html {
  const through = token === null ? '' : ` using ${token}`
  return html`<li>
    <span>${withCode(firstClause(summary))}</span>
    <small>${by}${through}, ${shownTime(visit, at)}</small>
  </li>`
}

/** The first clause of a summary says what was done; the rest is for callers of the action. */
const firstClause = (summary: string): string => summary.replace(/(?:[,;:]|\. ).*$/s, '').replace(/\.?$/, '.')
