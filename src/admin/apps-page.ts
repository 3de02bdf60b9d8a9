// Connected Apps: what was let in, what it may do, and the way to remove it.

import { html, type Html } from '../doors/html.ts'
import type { Reply } from '../http/reply.ts'
import type { Scope, TokenLimits } from '../identity/caller.ts'
import { destinationOfHost } from '../oauth/destination.ts'
import { placeOfApp } from './destination-words.ts'
import { formStatus, sentenceOf } from './failure.ts'
import { factList } from './facts.ts'
import { doneBox, faultBox } from './fields.ts'
import { readFields } from './form.ts'
import { framed } from './layout.ts'
import { limitsInWords } from './limits-in-words.ts'
import { get, run } from './page.ts'
import { adminPaths, linkTo } from './paths.ts'
import { pagerOf } from './pager.ts'
import { removalForm } from './removal-form.ts'
import { goTo, pageReply } from './reply.ts'
import { scopeWords } from './scope-words.ts'
import { shownTime } from './time.ts'
import type { SignedIn } from './visit.ts'

interface App {
  readonly id: string
  readonly name: string
  readonly client: string
  readonly host: string
  readonly account: string
  readonly scope: Scope
  readonly limits: TokenLimits
  readonly state: string
  readonly last_used: string | null
  readonly expires_at: string
  readonly created_at: string
}

interface Apps {
  readonly items: readonly App[]
  readonly next_cursor: string | null
}

/** GET */
export async function showApps(visit: SignedIn): Promise<Reply> {
  return appsReply(visit, 200)
}

async function appsReply(visit: SignedIn, status: number, fault?: string): Promise<Reply> {
  const { request } = visit
  const cursor = request.query.get('cursor')
  const apps = await get<Apps>(visit, 'SVC_Apps.list', cursor === null ? {} : { cursor })
  const done = request.query.get('done') === 'removed' ? 'Removed. It can do nothing here any more.' : undefined
  const body = html`<h1>Connected Apps</h1>
    <p class="lead">Apps that you let in. Each ends by itself after 30 days; deleting it in the app itself ends nothing here.</p>
    ${doneBox(done)} ${faultBox(fault)}
    ${
      apps.items.length === 0
        ? nothingYet()
        : html`<ul class="things">
            ${apps.items.map((app) => appItem(visit, app))}
          </ul>`
    }
    ${pagerOf(linkTo(request, adminPaths.apps), apps.next_cursor)}`
  return pageReply(visit, status, framed(visit, { title: 'Connected Apps', body }))
}

const nothingYet = (): Html =>
  html`<section class="card"><p>No app is connected. The address to give to one stands on the first page.</p></section>`

function appItem(visit: SignedIn, app: App): Html {
  const { heading, beside } = placeOfApp(destinationOfHost(app.host))
  return html`<li class="card">
    <h2 class="host">${heading}</h2>
    <p class="quiet">
      ${beside} ${app.name === app.host ? 'It gave no name of its own.' : html`It calls itself <bdi>“${app.name}”</bdi>.`}
    </p>
    ${factList({
      May: scopeWords[app.scope].label,
      Limits: limitsInWords(app.limits),
      As: app.account,
      Since: shownTime(visit, app.created_at),
      'Last used': shownTime(visit, app.last_used),
      Ends: app.state === 'active' ? shownTime(visit, app.expires_at) : 'ended with its account’s sessions',
    })}
    ${removalForm(visit, {
      verb: 'Remove',
      id: app.id,
      name: app.name,
      consequence: 'It is out at once, with every token it was given. To let it in again, connect it anew.',
      path: adminPaths.removeApp,
      purpose: 'remove-app',
    })}
  </li>`
}

/** POST */
export async function removeApp(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, 'remove-app')
  const { failure } = await run(visit, 'SVC_Apps.revoke', { ids: [fields.get('id')], expect: 1 })
  if (failure) return appsReply(visit, formStatus[failure.code], sentenceOf(failure))
  return goTo(visit, `${adminPaths.apps}?done=removed`)
}
