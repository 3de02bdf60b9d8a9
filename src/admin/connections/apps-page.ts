// Connected Apps: which apps are connected, what each may do, and the form that removes one.

import { type AppItem, appsList, appsRevoke } from '../../actions/classes/svc-apps.ts'
import { html, type Html } from '../../doors/html.ts'
import type { Reply } from '../../http/reply.ts'
import { destinationOfHost } from '../../oauth/destination.ts'
import { placeOfApp } from '../access/destination-words.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { doneBox, faultBox } from '../parts/fields.ts'
import { readFields } from '../form.ts'
import { countChanges } from '../../activity/find.ts'
import { listAddress } from '../parts/list-address.ts'
import { emptyState, table } from '../parts/table.ts'
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
  const sort = request.query.get('sort')
  const apps = await get(visit, appsList, { ...(cursor === null ? {} : { cursor }), ...(sort === null ? {} : { sort }) })
  const done = request.query.get('done') === 'removed' ? 'Removed. The app no longer has access.' : undefined
  const body = html`<h1>Connected Apps</h1>
    <p class="lead">
      Apps that you connected to this site. A connection expires after 30 days. Deleting the connection in the app does not end it
      here.
    </p>
    ${doneBox(done)} ${faultBox(fault)} ${apps.items.length === 0 ? nothingYet(visit) : await appTable(visit, apps.items)}
    ${pagerOf(linkTo(request, adminPaths.apps), apps.next_cursor)}`
  return pageReply(visit, status, framed(visit, { title: 'Connected Apps', body }))
}

const nothingYet = ({ request }: SignedIn): Html =>
  emptyState(
    'No app is connected',
    'Give an assistant the address of this site, and it asks you here what it may do.',
    html`<a class="button primary" href="${linkTo(request, adminPaths.connect)}">Connect an assistant</a>`,
  )

async function appTable(visit: SignedIn, items: readonly AppItem[]): Promise<Html> {
  const count = await countChanges(visit.site.store.read, items)
  return table({
    caption: 'Connected Apps',
    rows: items,
    query: listAddress(visit.request, adminPaths.apps),
    sort: '-created_at',
    columns: [
      { label: 'App', cell: (app) => nameCell(visit, app) },
      {
        label: 'Access',
        cell: ({ scope, limits }) => html`${scopeWords[scope].label} <small>${limitsInWords(limits)}</small>`,
      },
      { label: 'Account', cell: ({ account }) => account, wideOnly: true },
      { label: 'Connected', sort: 'created_at', cell: (app) => shownTime(visit, app.created_at), wideOnly: true },
      { label: 'Last used', cell: (app) => shownTime(visit, app.last_used), wideOnly: true },
      {
        label: 'Expires',
        cell: (app) => (app.state === 'active' ? shownTime(visit, app.expires_at) : 'expired with the sessions of its account'),
        wideOnly: true,
      },
      { label: 'Changes', end: true, cell: ({ id }) => count(id), wideOnly: true },
      {
        label: 'End',
        cell: ({ id, name }) =>
          removalForm(visit, {
            verb: 'Remove',
            id,
            name,
            consequence: 'The app loses access at once, with all of its tokens. To use it again, connect it again.',
            path: adminPaths.removeApp,
            purpose: 'remove-app',
          }),
      },
    ],
  })
}

/** The verified destination comes first; the name is the app's own claim. */
function nameCell(visit: SignedIn, app: AppItem): Html {
  const { heading, beside } = placeOfApp(destinationOfHost(app.host))
  return html`<a href="${linkTo(visit.request, adminPaths.app)}?id=${app.id}">${heading}</a>
    <small>${beside} ${app.name === app.host ? 'It gives no name.' : html`It calls itself <bdi>“${app.name}”</bdi>.`}</small>`
}

/** POST */
export async function removeApp(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, 'remove-app')
  const { failure } = await run(visit, appsRevoke, { ids: [fields.get('id')], expect: 1 })
  if (failure) return appsReply(visit, formStatus[failure.code], sentenceOf(failure))
  return goTo(visit, `${adminPaths.apps}?done=removed`)
}
