// The admin's home page: the address for apps, links to the other pages, and recent activity.

import type { Action } from '../actions/action.ts'
import { activityList, type ActivityItem } from '../actions/classes/svc-activity.ts'
import { appsList } from '../actions/classes/svc-apps.ts'
import { settingsUpdate } from '../actions/classes/svc-settings.ts'
import { tokensList } from '../actions/classes/svc-tokens.ts'
import { html, type Html, type HtmlValue } from '../doors/html.ts'
import { baseOf, mcpPath } from '../doors/paths.ts'
import type { Reply } from '../http/reply.ts'
import { framed, mayRun } from './layout.ts'
import { get } from './page.ts'
import { adminPaths, linkTo } from './paths.ts'
import { pageReply } from './reply.ts'
import { copyable, copyScript } from './script.ts'
import { shownTime } from './time.ts'
import type { SignedIn } from './visit.ts'

/** GET */
export async function showHome(visit: SignedIn): Promise<Reply> {
  const { items } = await get(visit, activityList, { limit: 6 })
  const { site, request, session } = visit
  const body = html`<h1>${site.settings.values.site_title}</h1>
    <p class="lead">Signed in as ${session.account.name}. <a href="${linkTo(request, '/')}">View the site</a></p>
    <section class="card connect" aria-labelledby="connect">
      <h2 id="connect">Connect an AI app</h2>
      <p>Give your app this address. The app then sends you back here to choose its access.</p>
      <p class="address">${copyable('the address', baseOf(request) + mcpPath)}</p>
    </section>
    <ul class="tiles">
      ${tiles.filter(({ needs }) => needs === undefined || mayRun(visit, needs)).map((tile) => tileOf(visit, tile))}
    </ul>
    <section aria-labelledby="recent">
      <h2 id="recent">Recent activity</h2>
      ${
        items.length === 0
          ? html`<p class="quiet">No activity yet.</p>`
          : html`<ul class="log">
              ${items.map((item) => doneItem(visit, item))}
            </ul>`
      }
    </section>`
  return pageReply(visit, 200, framed(visit, { title: 'Home', body, script: copyScript }))
}

interface Tile {
  readonly title: string
  readonly text: string
  readonly path: string
  readonly needs?: Action
}

const tiles: readonly Tile[] = [
  {
    title: 'Connected Apps',
    text: 'The apps you connected, and what each may do.',
    path: adminPaths.apps,
    needs: appsList,
  },
  { title: 'Tokens', text: 'Access for scripts, and for apps that cannot sign in.', path: adminPaths.tokens, needs: tokensList },
  {
    title: 'Site Settings',
    text: 'Name, language, time zone, home page.',
    path: adminPaths.settings,
    needs: settingsUpdate,
  },
  { title: 'Your account', text: 'Change your password.', path: adminPaths.account },
]

function tileOf({ request }: SignedIn, { title, text, path }: Tile): Html {
  return html`<li>
    <a href="${linkTo(request, path)}"><strong>${title}</strong><span>${text}</span></a>
  </li>`
}

function doneItem(visit: SignedIn, { at, by, token_name: token, summary, call }: ActivityItem): HtmlValue {
  const through = token === null ? '' : ` using ${token}`
  return html`<li>
    <span>${firstClause(summary)} <code>${call}</code></span>
    <small>${by}${through}, ${shownTime(visit, at)}</small>
  </li>`
}

/** The first clause of a summary says what was done; the rest is for callers of the action. */
const firstClause = (summary: string): string => summary.replace(/(?:[,;:]|\. ).*$/s, '').replace(/\.?$/, '.')
