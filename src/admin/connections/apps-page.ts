// Connected Apps: which apps are connected, what each may do, and the form that removes one.

import { apps } from '../../actions/apps/index.ts'
import { type AppItem } from '../../actions/apps/app-item.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { destinationOfHost } from '../../doors/oauth/destination.ts'
import { placeOfApp } from '../access/destination-words.ts'
import { credentialColumns } from './credential-list.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { goDone } from '../parts/done-notice.ts'
import { onItem } from '../parts/form-input.ts'
import { listAddress } from '../parts/list-address.ts'
import { emptyState, pageHead, table } from '../parts/table.ts'
import { get } from '../page.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { pagerOf } from '../parts/pager.ts'
import { formTaker } from '../parts/post-form.ts'
import { shownTime } from '../parts/time.ts'
import type { SignedIn } from '../visit.ts'

export const showApps = (visit: SignedIn): Promise<Reply> => appsReply(visit)

async function appsReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  const { request, t } = visit
  const address = listAddress(request, adminPaths.apps)
  const found = await get(visit, apps.list, address.pick('cursor', 'sort'))
  const body = html`${pageHead(t('connections.apps_title'), t('connections.apps_lead'))}
  ${found.items.length === 0 ? nothingYet(visit) : await appTable(visit, found.items)}
  ${pagerOf(linkTo(request, adminPaths.apps), found.next_cursor, t)}`
  return framedReply(visit, { title: t('connections.apps_title'), body }, refused)
}

const nothingYet = ({ request, t }: SignedIn): Html =>
  emptyState(
    t('connections.apps_empty'),
    t('connections.apps_empty_help'),
    html`<a class="button primary" href="${linkTo(request, adminPaths.connect)}">${t('connections.connect_title')}</a>`,
  )

async function appTable(visit: SignedIn, items: readonly AppItem[]): Promise<Html> {
  const { t } = visit
  const { access, lastUsed, changes, end } = await credentialColumns(visit, items, (name) => ({
    verb: t('connections.remove'),
    button: t('connections.remove_named', { name }),
    consequence: t('connections.remove_app_help'),
    path: adminPaths.removeApp,
  }))
  return table(t, {
    caption: t('connections.apps_title'),
    rows: items,
    query: listAddress(visit.request, adminPaths.apps),
    sort: '-created_at',
    columns: [
      { label: t('connections.app'), cell: (app) => html`${nameCell(visit, app)} <small>${app.account}</small>` },
      access,
      {
        label: t('connections.connected'),
        sort: 'created_at',
        cell: (app) => shownTime(visit, app.created_at),
        wideOnly: true,
      },
      lastUsed,
      {
        label: t('connections.expires'),
        cell: (app) => (app.state === 'active' ? shownTime(visit, app.expires_at) : t('connections.expired')),
        wideOnly: true,
      },
      changes,
      end,
    ],
  })
}

/** The verified destination comes first; the name is the app's own claim. */
function nameCell(visit: SignedIn, app: AppItem): Html {
  const { t } = visit
  const { heading, beside } = placeOfApp(visit, destinationOfHost(app.host))
  const name = html`<bdi>${t('connections.quoted', { name: app.name })}</bdi>`
  return html`<a href="${linkTo(visit.request, adminPaths.app)}?id=${app.id}">${heading}</a>
    <small
      >${beside} ${app.name === app.host ? t('connections.app_nameless') : t.rich('connections.app_own_name', { name })}</small
    >`
}

const remove = onItem(apps.revoke, (visit) => goDone(visit, adminPaths.apps, 'connections.done_app_removed'))

export const removeApp = formTaker(adminPaths.removeApp, remove, appsReply)
