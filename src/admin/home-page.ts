// The admin's first page: what the site is, what to do next, and what was done lately.

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

interface Done {
  readonly at: string
  readonly by: string
  readonly token_name: string | null
  readonly call: string
  readonly summary: string
}

/** GET */
export async function showHome(visit: SignedIn): Promise<Reply> {
  const { items } = await get<{ items: readonly Done[] }>(visit, 'SVC_Activity.list', { limit: 6 })
  const { site, request, session } = visit
  const body = html`<h1>${site.settings.values.site_title}</h1>
    <p class="lead">Signed in as ${session.account.name}. <a href="${linkTo(request, '/')}">See the site</a></p>
    <section class="card connect" aria-labelledby="connect">
      <h2 id="connect">Connect an AI app</h2>
      <p>Give your app this address. It will bring you back here to ask what it may do.</p>
      <p class="address">${copyable('the address', baseOf(request) + mcpPath)}</p>
    </section>
    <ul class="tiles">
      ${tiles.filter(({ needs }) => needs === undefined || mayRun(visit, needs)).map((tile) => tileOf(visit, tile))}
    </ul>
    <section aria-labelledby="lately">
      <h2 id="lately">Lately</h2>
      ${
        items.length === 0
          ? html`<p class="quiet">Nothing was done yet.</p>`
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
  readonly needs?: string
}

const tiles: readonly Tile[] = [
  {
    title: 'Connected Apps',
    text: 'What you let in, what it may do, and the way to remove it.',
    path: adminPaths.apps,
    needs: 'SVC_Apps.list',
  },
  { title: 'Tokens', text: 'For scripts, and for apps that cannot sign in.', path: adminPaths.tokens, needs: 'SVC_Tokens.list' },
  {
    title: 'Site Settings',
    text: 'Name, language, time zone, first page.',
    path: adminPaths.settings,
    needs: 'SVC_Settings.update',
  },
  { title: 'Your account', text: 'Change your password.', path: adminPaths.account },
]

function tileOf({ request }: SignedIn, { title, text, path }: Tile): Html {
  return html`<li>
    <a href="${linkTo(request, path)}"><strong>${title}</strong><span>${text}</span></a>
  </li>`
}

function doneItem(visit: SignedIn, { at, by, token_name: token, summary, call }: Done): HtmlValue {
  const through = token === null ? '' : ` through ${token}`
  return html`<li>
    <span>${firstClause(summary)} <code>${call}</code></span>
    <small>${by}${through}, ${shownTime(visit, at)}</small>
  </li>`
}

/** What was done; how, and what else, is for whoever calls the action. */
const firstClause = (summary: string): string => summary.replace(/[,;:].*$/s, '').replace(/\.?$/, '.')
