// Redirects: the list with the number of visits to each, the old addresses of imports, the paths that visitors missed, and the
// forms that add, change, delete and paste redirects.

import { type RedirectItem } from '../../actions/redirects/item.ts'
import { redirects } from '../../actions/redirects/index.ts'
import { redirectStatuses } from '../../content/redirects/redirect-rules.ts'
import { attribute, html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import { Failure } from '../../base/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { sentenceOf } from '../failure.ts'
import { csrfField } from '../form.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { type Done, goDone } from '../parts/done-notice.ts'
import { declareForm, declaredForm } from '../parts/declared-form.ts'
import { faultBox } from '../parts/fields.ts'
import { inputFrom, taking } from '../parts/form-input.ts'
import { type ListAddress, listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { formTaker, postForm, sinceShown, type Work } from '../parts/post-form.ts'
import { emptyState, firstBox, linkButton, pageHead, searchField, selectionBar, table, tabs } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey, Words } from '../words.ts'
import { oldAddressesTable } from './old-addresses-table.ts'

type List = 'written' | 'moved' | 'imported' | 'missed'

const lists: Readonly<Record<List, MessageKey>> = {
  written: 'shell.redirects',
  moved: 'structure.moved_entries',
  imported: 'structure.old_addresses',
  missed: 'structure.missed',
}

const fromHelp = (t: Words): Html =>
  t.rich('structure.from_help', {
    example: html`<code>/old/*</code>`,
    path: html`<code>/old</code>`,
    query: html`<code>/index.php?page=about</code>`,
  })

const csvHelp = (t: Words): Html => t.rich('structure.csv_help', { columns: html`<code>from,to,status,note</code>` })

const writeForm = declareForm(redirects.create, { path: adminPaths.redirects, does: 'save', button: 'structure.save' }, [
  [
    { name: 'from', label: 'structure.from', help: fromHelp, placeholder: '/old-shop', required: true },
    { name: 'to', label: 'structure.to', help: 'structure.to_help', placeholder: '/shop' },
    { name: 'status', control: 'select', label: 'structure.status_kind', blank: '301' },
    { name: 'note', label: 'structure.note' },
  ],
])

const pasteForm = declareForm(redirects.putMany, { path: adminPaths.redirects, does: 'paste', button: 'structure.write_all' }, [
  { name: 'csv', control: 'code', label: 'structure.csv', help: csvHelp, rows: 8, required: true },
])

const form = 'selected'

const listOf = (address: ListAddress): List =>
  (Object.keys(lists) as List[]).find((one) => one === address.get('list')) ?? 'written'

/** GET; `list` chooses a list, `edit` names a redirect to change. */
export const showRedirects = (visit: SignedIn): Promise<Reply> => redirectsReply(visit)

async function redirectsReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  const { failure, fields } = refused
  const { t } = visit
  const address = listAddress(visit.request, adminPaths.redirects)
  const list = listOf(address)
  const edit = fields?.get('id') || address.get('edit')
  const edited = edit === undefined || edit === '' ? undefined : (await get(visit, redirects.get, { id: edit })).item
  const body = html`${pageHead(t('shell.redirects'), t('structure.redirects_lead'))}
  ${failure?.detail.field === 'ids' && faultBox(sentenceOf(failure, t), { id: firstBox, label: t('parts.table_select') })}
  ${tabs(
    t('shell.redirects'),
    (Object.keys(lists) as List[]).map((one) => ({
      label: t(lists[one]),
      href: linkTo(visit.request, adminPaths.redirects) + (one === 'written' ? '' : `?list=${one}`),
      current: one === list,
    })),
  )}
  ${searchField(t, linkTo(visit.request, adminPaths.redirects), address.get('search'), t('structure.search_paths'), { list: list === 'written' ? undefined : list })}
  ${await shownList(visit, address, list)} ${mayRun(visit, redirects.create) && writing(visit, edited, refused)}
  ${mayRun(visit, redirects.putMany) && pasting(visit, refused)}`
  return framedReply(visit, { title: t('shell.redirects'), body }, refused)
}

function shownList(visit: SignedIn, address: ListAddress, list: List): Promise<Html> {
  if (list === 'missed') return missedTable(visit, address)
  return list === 'imported' ? oldAddressesTable(visit, address, visit.t(lists.imported)) : redirectTable(visit, address, list)
}

function queryOf(address: ListAddress, sorts: readonly string[]) {
  const [search, cursor, sort] = ['search', 'cursor', 'sort'].map((name) => address.get(name))
  const known = sort !== undefined && sorts.includes(sort.replace(/^-/, ''))
  return { limit: 50, ...(search && { search }), ...(cursor && { cursor }), ...(known && { sort }) }
}

async function redirectTable(visit: SignedIn, address: ListAddress, list: List): Promise<Html> {
  const { t } = visit
  const moved = list === 'moved'
  const asked = { ...queryOf(address, ['from', 'created_at']), ...(moved && { moved }) }
  const { items, next_cursor: next } = await get(visit, redirects.list, asked)
  if (items.length === 0)
    return emptyState(
      t(moved ? 'structure.none_moved' : 'structure.no_redirect'),
      t(moved ? 'structure.none_moved_help' : 'structure.no_redirect_help'),
      linkButton(visit, `${adminPaths.redirects}?list=missed`, 'structure.missed'),
    )
  const mayChange = !moved && mayRun(visit, redirects.update)
  return html`${table<RedirectItem>(t, {
    caption: t(lists[list]),
    query: address,
    sort: 'from',
    rows: items,
    select: mayChange ? { form, id: ({ id }) => id, name: ({ from }) => from } : undefined,
    columns: [
      {
        label: t('structure.from'),
        sort: 'from',
        cell: ({ id, from }) => (mayChange ? html`<a href="${address.with({ edit: id })}#write">${from}</a>` : from),
      },
      { label: t('structure.to'), cell: ({ to }) => to ?? html`<span class="quiet">${t('structure.gone')}</span>` },
      { label: t('structure.status'), cell: ({ status }) => status, wideOnly: true, end: true },
      { label: t('structure.followed'), cell: ({ hits }) => hits, end: true },
      { label: t('structure.last'), cell: ({ last_hit: at }) => shownTime(visit, at), wideOnly: true, end: true },
      { label: t('structure.note'), cell: ({ note }) => note ?? '', wideOnly: true },
    ],
  })}
  ${
    mayChange &&
    mayRun(visit, redirects.delete) &&
    selectionBar(
      form,
      linkTo(visit.request, adminPaths.redirects),
      html`${csrfField(visit, adminPaths.redirects)}<strong>${t('structure.selected_redirects')}</strong>
        <button class="danger" name="do" value="delete">${t('structure.delete')}</button>`,
    )
  }
  ${pagerOf(address.with({}), next, t)}`
}

interface Missed {
  readonly path: string
  readonly hits: number
  readonly last_hit: string
  readonly referrer: string | null
  readonly suggestion: string | null
}

async function missedTable(visit: SignedIn, address: ListAddress): Promise<Html> {
  const { t } = visit
  const { items, next_cursor: next } = await get(visit, redirects.missing, queryOf(address, ['path', 'hits', 'last_hit']))
  if (items.length === 0) return emptyState(t('structure.nobody_missed'), t('structure.nobody_missed_help'))
  return html`${table<Missed>(t, {
    caption: t(lists.missed),
    query: address,
    sort: '-hits',
    rows: items,
    columns: [
      { label: t('structure.path'), sort: 'path', cell: ({ path }) => path },
      { label: t('structure.meant'), cell: (one) => suggestion(visit, one) },
      { label: t('structure.asked'), sort: 'hits', cell: ({ hits }) => hits, end: true },
      {
        label: t('structure.last'),
        sort: 'last_hit',
        cell: ({ last_hit: at }) => shownTime(visit, at),
        wideOnly: true,
        end: true,
      },
      {
        label: t('structure.linked_from'),
        cell: ({ referrer }) => html`<span class="referrer">${referrer}</span>`,
        wideOnly: true,
      },
    ],
  })}
  ${pagerOf(address.with({}), next, t)}`
}

/** The suggestion with a button that redirects to it, or a link to the form without a suggestion. */
function suggestion(visit: SignedIn, { path, suggestion: to }: Missed): HtmlValue {
  const { t } = visit
  if (!mayRun(visit, redirects.create)) return to ?? ''
  if (to === null)
    return html`<a href="${linkTo(visit.request, adminPaths.redirects)}?list=missed&amp;from=${encodeURIComponent(path)}#write"
      >${t('structure.choose_page')}<span class="unseen"> ${t('structure.for_path', { path })}</span></a
    >`
  return postForm(visit, {
    path: `${adminPaths.redirects}?list=missed`,
    hidden: { do: 'save', from: path, to, status: 301 },
    body: html`${to}
      <button>${t('structure.redirect_it')}<span class="unseen"> ${t('structure.from_path', { path })}</span></button>`,
  })
}

function writing(visit: SignedIn, edited: RedirectItem | undefined, refused: Refused): Html {
  const { t, request } = visit
  const list = listAddress(request, adminPaths.redirects).get('list')
  const form = declaredForm(visit, writeForm, {
    item: edited ?? { from: request.query.get('from')?.slice(0, 1100) },
    refused,
    hidden: { id: edited?.id, revision: refused.fields?.get('revision') || edited?.revision },
    choices: { status: redirectStatuses.map((status) => ({ value: String(status), label: t(statusWords[status]) })) },
    query: list === 'missed' ? '?list=missed' : '',
  })
  return html`<section class="panel" id="write" aria-labelledby="writing">
    <h2 id="writing">${edited ? t('structure.change_redirect', { from: edited.from }) : t('structure.add_redirect')}</h2>
    ${form}
  </section>`
}

const statusWords: Readonly<Record<(typeof redirectStatuses)[number], MessageKey>> = {
  301: 'structure.status_301',
  302: 'structure.status_302',
  307: 'structure.status_307',
  308: 'structure.status_308',
}

const pasting = (visit: SignedIn, refused: Refused): Html =>
  html`<details class="panel" ${attribute('open', refused.fields?.has('csv') ? '' : undefined)}>
    <summary>${visit.t('structure.paste')}</summary>
    ${declaredForm(visit, pasteForm, { refused })}
  </details>`

const ended = (visit: SignedIn, what: Done): Reply =>
  goDone(visit, adminPaths.redirects + (visit.request.query.get('list') === 'missed' ? '?list=missed' : ''), what)

const save: Work = async (visit, fields) => {
  const input = inputFrom(writeForm, fields)
  const id = fields.get('id')
  const { failure } =
    id === ''
      ? await run(visit, redirects.create, input)
      : await run(visit, redirects.update, { id, ...input }, sinceShown(fields))
  return failure ?? ended(visit, id === '' ? redirects.create : redirects.update)
}

const drop: Work = async (visit, fields) => {
  const ids = fields.all('ids')
  if (ids.length === 0) return new Failure('invalid', visit.t('structure.select_redirects'), { field: 'ids' })
  const { failure } = await run(visit, redirects.delete, { ids })
  return failure ?? ended(visit, redirects.delete)
}

const paste = taking(pasteForm, (visit) => ended(visit, redirects.putMany))

export const takeRedirectsForm = formTaker(adminPaths.redirects, { save, paste, delete: drop }, redirectsReply)
