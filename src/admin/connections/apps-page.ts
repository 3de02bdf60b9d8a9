// Connected Apps: which apps are connected, what each may do, and the form that removes one.

import { type AppItem, appsList, appsRevoke } from '../../actions/classes/svc-apps.ts'
import { html, type Html } from '../../doors/html.ts'
import type { Reply } from '../../http/reply.ts'
import { destinationOfHost } from '../../oauth/destination.ts'
import { placeOfApp } from '../access/destination-words.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { factList } from '../parts/facts.ts'
import { doneBox, faultBox } from '../parts/fields.ts'
import { readFields } from '../form.ts'
import { framed } from '../layout.ts'
import { limitsInWords } from '../parts/limits-in-words.ts'
import { get, run } from '../page.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { pagerOf } from '../parts/pager.ts'
import { removalForm } from '../parts/removal-form.ts'
import { goTo, pageReply } from '../reply.ts'
import { scopeWords } from '../parts/scope-words.ts'
import { shownTime } from '../parts/time.ts'
import type { SignedIn } from '../visit.ts'

/** GET */
export async function showApps(visit: SignedIn): Promise<Reply> {
  return appsReply(visit, 200)
}

async function appsReply(visit: SignedIn, status: number, fault?: string): Promise<Reply> {
  const { request } = visit
  const cursor = request.query.get('cursor')
  const apps = await get(visit, appsList, cursor === null ? {} : { cursor })
  const done = request.query.get('done') === 'removed' ? 'Removed. The app no longer has access.' : undefined
  const body = html`<h1>Connected Apps</h1>
    <p class="lead">
      Apps that you connected to this site. A connection expires after 30 days. Deleting the connection in the app does not end it
      here.
    </p>
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
  html`<section class="card"><p>No app is connected. The address for apps is on the home page.</p></section>`

function appItem(visit: SignedIn, app: AppItem): Html {
  const { heading, beside } = placeOfApp(destinationOfHost(app.host))
  return html`<li class="card">
    <h2 class="host">${heading}</h2>
    <p class="quiet">
      ${beside} ${app.name === app.host ? 'It gives no name.' : html`It calls itself <bdi>“${app.name}”</bdi>.`}
    </p>
    ${factList({
      Access: scopeWords[app.scope].label,
      Limits: limitsInWords(app.limits),
      Account: app.account,
      Connected: shownTime(visit, app.created_at),
      'Last used': shownTime(visit, app.last_used),
      Expires: app.state === 'active' ? shownTime(visit, app.expires_at) : 'expired with the sessions of its account',
    })}
    ${removalForm(visit, {
      verb: 'Remove',
      id: app.id,
      name: app.name,
      consequence: 'The app loses access at once, with all of its tokens. To use it again, connect it again.',
      path: adminPaths.removeApp,
      purpose: 'remove-app',
    })}
  </li>`
}

/** POST */
export async function removeApp(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, 'remove-app')
  const { failure } = await run(visit, appsRevoke, { ids: [fields.get('id')], expect: 1 })
  if (failure) return appsReply(visit, formStatus[failure.code], sentenceOf(failure))
  return goTo(visit, `${adminPaths.apps}?done=removed`)
}
