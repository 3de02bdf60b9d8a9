// Redirects: the list with the number of visits to each, the paths that visitors missed, and the forms that add, change, delete and
// paste redirects.

import { type RedirectItem } from '../../actions/classes/svc-redirects/item.ts'
import { redirects } from '../../actions/classes/svc-redirects/index.ts'
import { redirectStatuses } from '../../content/redirect-rules.ts'
import { attribute, html, type Html, type HtmlValue } from '../../doors/html.ts'
import { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus } from '../failure.ts'
import { csrfField, type Fields } from '../form.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { type Done, goDone } from '../parts/done-notice.ts'
import { areaField, faultBox, selectField, textField } from '../parts/fields.ts'
import { type ListAddress, listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { faultsOf, formTaker, postForm, sinceShown, type Work } from '../parts/post-form.ts'
import { emptyState, firstBox, pageHead, searchField, selectionBar, table, tabs } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'

type List = 'written' | 'moved' | 'missed'

const lists: Readonly<Record<List, MessageKey>> = {
  written: 'shell.redirects',
  moved: 'structure.moved_entries',
  missed: 'structure.missed',
}

interface View {
  readonly failure?: Failure
  readonly fields?: Fields
}

const form = 'selected'

const listOf = (address: ListAddress): List =>
  (Object.keys(lists) as List[]).find((one) => one === address.get('list')) ?? 'written'

/** GET; `list` chooses a list, `edit` names a redirect to change. */
export const showRedirects = (visit: SignedIn): Promise<Reply> => redirectsReply(visit)

async function redirectsReply(visit: SignedIn, { failure, fields }: View = {}): Promise<Reply> {
  const { t } = visit
  const address = listAddress(visit.request, adminPaths.redirects)
  const list = listOf(address)
  const edit = fields?.get('id') || address.get('edit')
  const edited = edit === undefined || edit === '' ? undefined : (await get(visit, redirects.get, { id: edit })).item
  const faults = faultsOf(t, failure, ['from', 'to', 'status', 'note', 'csv'])
  const body = html`${pageHead(t('shell.redirects'), t('structure.redirects_lead'))}
  ${faultBox(faults.all, failure?.detail.field === 'ids' ? { id: firstBox, label: t('parts.table_select') } : undefined)}
  ${tabs(
    t('shell.redirects'),
    (Object.keys(lists) as List[]).map((one) => ({
      label: t(lists[one]),
      href: linkTo(visit.request, adminPaths.redirects) + (one === 'written' ? '' : `?list=${one}`),
      current: one === list,
    })),
  )}
  ${searchField(t, linkTo(visit.request, adminPaths.redirects), address.get('search'), t('structure.search_paths'), { list: list === 'written' ? undefined : list })}
  ${list === 'missed' ? await missedTable(visit, address) : await redirectTable(visit, address, list)}
  ${mayRun(visit, redirects.create) && writeForm(visit, edited, fields, faults.at)}
  ${mayRun(visit, redirects.putMany) && pasteForm(visit, fields, faults.at('csv'))}`
  return pageReply(visit, failure ? formStatus[failure.code] : 200, framed(visit, { title: t('shell.redirects'), body }))
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
      html`<a class="button" href="${linkTo(visit.request, adminPaths.redirects)}?list=missed">${t('structure.missed')}</a>`,
    )
  const mayChange = !moved && mayRun(visit, redirects.update)
  return html`${table<RedirectItem>(
    {
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
    },
    t,
  )}
  ${
    mayChange &&
    mayRun(visit, redirects.delete) &&
    selectionBar(
      form,
      linkTo(visit.request, adminPaths.redirects),
      html`${csrfField(visit, 'redirects')}<strong>${t('structure.selected_redirects')}</strong>
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
  return html`${table<Missed>(
    {
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
    },
    t,
  )}
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
    purpose: 'redirects',
    hidden: { do: 'save', from: path, to, status: 301 },
    body: html`${to}
      <button>${t('structure.redirect_it')}<span class="unseen"> ${t('structure.from_path', { path })}</span></button>`,
  })
}

function writeForm(
  visit: SignedIn,
  edited: RedirectItem | undefined,
  fields: Fields | undefined,
  fault: (name: string) => string | undefined,
): Html {
  const { t } = visit
  const filled = fields?.has('from') ? fields : undefined
  const value = (name: 'from' | 'to' | 'note') =>
    filled?.get(name) ?? edited?.[name] ?? (name === 'from' ? visit.request.query.get('from')?.slice(0, 1100) : '') ?? ''
  const statuses = redirectStatuses.map((status) => ({ value: String(status), label: t(statusWords[status]) }))
  const list = listAddress(visit.request, adminPaths.redirects).get('list')
  return html`<section class="panel" id="write" aria-labelledby="writing">
    <h2 id="writing">${edited ? t('structure.change_redirect', { from: edited.from }) : t('structure.add_redirect')}</h2>
    ${postForm(visit, {
      path: adminPaths.redirects + (list === 'missed' ? '?list=missed' : ''),
      purpose: 'redirects',
      hidden: { do: 'save', id: edited?.id, revision: filled?.get('revision') ?? edited?.revision },
      body: html`<div class="two">
          ${textField({ name: 'from', label: t('structure.from'), value: value('from'), help: t.rich('structure.from_help', { example: html`<code>/old/*</code>`, path: html`<code>/old</code>` }), placeholder: '/old-shop', required: true, fault: fault('from') })}
          ${textField({ name: 'to', label: t('structure.to'), value: value('to'), help: t('structure.to_help'), placeholder: '/shop', fault: fault('to') })}
          ${selectField({ name: 'status', label: t('structure.status_kind'), value: filled?.get('status') ?? String(edited?.status ?? 301), groups: new Map([['', statuses]]), fault: fault('status') })}
          ${textField({ name: 'note', label: t('structure.note'), value: value('note'), fault: fault('note') })}
        </div>
        <p class="actions"><button class="primary">${t('structure.save')}</button></p>`,
    })}
  </section>`
}

const statusWords: Readonly<Record<(typeof redirectStatuses)[number], MessageKey>> = {
  301: 'structure.status_301',
  302: 'structure.status_302',
  307: 'structure.status_307',
  308: 'structure.status_308',
}

const pasteForm = (visit: SignedIn, fields: Fields | undefined, fault: string | undefined): Html =>
  html`<details class="panel" ${attribute('open', fields?.has('csv') ? '' : undefined)}>
    <summary>${visit.t('structure.paste')}</summary>
    ${postForm(visit, {
      path: adminPaths.redirects,
      purpose: 'redirects',
      hidden: { do: 'paste' },
      body: html`${areaField({ name: 'csv', label: visit.t('structure.csv'), value: fields?.get('csv'), rows: 8, code: true, help: visit.t.rich('structure.csv_help', { columns: html`<code>from,to,status,note</code>` }), required: true, fault })}
        <p class="actions"><button class="primary">${visit.t('structure.write_all')}</button></p>`,
    })}
  </details>`

const ended = (visit: SignedIn, what: Done): Reply =>
  goDone(visit, adminPaths.redirects + (visit.request.query.get('list') === 'missed' ? '?list=missed' : ''), what)

const save: Work = async (visit, fields) => {
  const id = fields.get('id')
  const [from = '', to = '', note = ''] = ['from', 'to', 'note'].map((field) => fields.get(field).trim())
  const status = redirectStatuses.find((one) => String(one) === fields.get('status')) ?? 301
  const rule = { from, to: to || null, note: note || null, status }
  const { failure } =
    id === '' ? await run(visit, redirects.create, rule) : await run(visit, redirects.update, { id, ...rule }, sinceShown(fields))
  return failure ? redirectsReply(visit, { failure, fields }) : ended(visit, id === '' ? redirects.create : redirects.update)
}

const paste: Work = async (visit, fields) => {
  const { failure } = await run(visit, redirects.putMany, { csv: fields.get('csv') })
  return failure ? redirectsReply(visit, { failure, fields }) : ended(visit, redirects.putMany)
}

const drop: Work = async (visit, fields) => {
  const ids = fields.all('ids')
  const none = ids.length === 0 ? new Failure('invalid', visit.t('structure.select_redirects'), { field: 'ids' }) : undefined
  const failure = none ?? (await run(visit, redirects.delete, { ids })).failure
  return failure ? redirectsReply(visit, { failure }) : ended(visit, redirects.delete)
}

export const takeRedirectsForm = formTaker('redirects', { save, paste, delete: drop })
