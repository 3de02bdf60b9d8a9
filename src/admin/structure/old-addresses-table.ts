// The old addresses of imported things, as a list of the page of redirects: where each leads today. Imports write them.

import { redirects } from '../../actions/redirects/index.ts'
import { importActions } from '../../actions/imports/index.ts'
import { trimEndOf } from '../../base/trim-text.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import { mayRun } from '../navigation.ts'
import { get } from '../page.ts'
import type { ListAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { emptyState, linkButton, table } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'

interface OldAddress {
  readonly site: string
  readonly kind: string
  readonly old: string
  readonly to: string | null
}

/** The address with which visitors ask for a number. */
const queries: Readonly<Record<string, string>> = { item: '/?p=', term: '/?cat=', author: '/?author=' }

/** Reads what somebody looks for: a whole address, a path, or a number as in `/?p=123`. */
export function searchedFor(text: string): string {
  const local = text.trim().replace(/^https?:\/\/[^/?#]*/i, '')
  const number = /[?&](?:p|page_id|attachment_id|cat|author)=(\d{1,20})/.exec(local)?.[1]
  if (number !== undefined) return number
  const path = trimEndOf(local.split(/[?#]/, 1)[0] ?? '', '/')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The table, or what to do instead. */
export async function oldAddressesTable(visit: SignedIn, address: ListAddress, caption: string): Promise<Html> {
  const { t } = visit
  const search = searchedFor(address.get('search') ?? '')
  const cursor = address.get('cursor')
  const asked = { limit: 50, ...(search !== '' && { search }), ...(cursor !== undefined && cursor !== '' && { cursor }) }
  const { items, next_cursor: next } = await get(visit, redirects.old, asked)
  if (items.length === 0)
    return emptyState(
      t('structure.no_old_address'),
      t(search === '' ? 'structure.no_old_address_help' : 'structure.old_address_unknown'),
      mayRun(visit, importActions.run) ? linkButton(visit, adminPaths.import, 'shell.import') : undefined,
    )
  return html`${table<OldAddress>(t, {
    caption,
    query: address,
    rows: items,
    columns: [
      { label: t('structure.from'), cell: ({ kind, old }) => `${queries[kind] ?? ''}${old}` },
      { label: t('structure.to'), cell: ({ to }) => target(visit, to) },
      { label: t('structure.old_site'), cell: ({ site }) => site, wideOnly: true },
    ],
  })}
  ${pagerOf(address.with({}), next, t)}`
}

/** Names of terms and profiles have no slash before them. */
function target({ t, request }: SignedIn, to: string | null): Html {
  if (to === null) return html`<span class="quiet">${t('structure.nowhere_now')}</span>`
  const path = to.startsWith('/') ? to : `/${to}`
  return html`<a href="${linkTo(request, encodeURI(path))}">${path}</a>`
}
