// Redirects: the list with how often visitors followed each, what visitors missed, and the forms that add, change, delete and paste redirects.

import {
  type RedirectItem,
  get as redirectGet,
  list as redirectList,
  missing,
} from '../../actions/classes/svc-redirects/reading.ts'
import { create, putMany, remove, update } from '../../actions/classes/svc-redirects/writing.ts'
import { redirectStatuses } from '../../content/redirect-rules.ts'
import { attribute, html, type Html, type HtmlValue } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus } from '../failure.ts'
import { csrfField, type Fields } from '../form.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { areaField, doneBox, faultBox, selectField, textField } from '../parts/fields.ts'
import { type ListAddress, listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { faultsOf, formTaker, postForm, sinceShown, type Work } from '../parts/post-form.ts'
import { emptyState, pageHead, searchField, selectionBar, table, tabs } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo, pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'

const doneWords: Readonly<Record<string, string>> = {
  saved: 'Saved.',
  deleted: 'Deleted. Activity can take it back.',
  pasted: 'All redirects were written.',
}

const lists = { written: 'Redirects', moved: 'Moved entries', missed: 'What visitors missed' } as const
type List = keyof typeof lists

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
  const address = listAddress(visit.request, adminPaths.redirects)
  const list = listOf(address)
  const edit = fields?.get('id') || address.get('edit')
  const edited = edit === undefined || edit === '' ? undefined : (await get(visit, redirectGet, { id: edit })).item
  const faults = faultsOf(failure, ['from', 'to', 'status', 'note', 'csv'])
  const body = html`${pageHead('Redirects', 'Old addresses that lead to new ones, so that no visitor is lost.')}
  ${doneBox(doneWords[visit.request.query.get('done') ?? ''])} ${faultBox(faults.rest)}
  ${tabs(
    'Redirects',
    (Object.keys(lists) as List[]).map((one) => ({
      label: lists[one],
      href: linkTo(visit.request, adminPaths.redirects) + (one === 'written' ? '' : `?list=${one}`),
      current: one === list,
    })),
  )}
  ${searchField(linkTo(visit.request, adminPaths.redirects), address.get('search'), 'Search paths', { list: list === 'written' ? undefined : list })}
  ${list === 'missed' ? await missedTable(visit, address) : await redirectTable(visit, address, list)}
  ${mayRun(visit, create) && writeForm(visit, edited, fields, faults.at)}
  ${mayRun(visit, putMany) && pasteForm(visit, fields, faults.at('csv'))}`
  return pageReply(visit, failure ? formStatus[failure.code] : 200, framed(visit, { title: 'Redirects', body }))
}

function queryOf(address: ListAddress, sorts: readonly string[]) {
  const [search, cursor, sort] = ['search', 'cursor', 'sort'].map((name) => address.get(name))
  const known = sort !== undefined && sorts.includes(sort.replace(/^-/, ''))
  return { limit: 50, ...(search && { search }), ...(cursor && { cursor }), ...(known && { sort }) }
}

async function redirectTable(visit: SignedIn, address: ListAddress, list: List): Promise<Html> {
  const moved = list === 'moved'
  const asked = { ...queryOf(address, ['from', 'created_at']), ...(moved && { moved }) }
  const { items, next_cursor: next } = await get(visit, redirectList, asked)
  if (items.length === 0)
    return emptyState(
      moved ? 'No entry has moved' : 'No redirect yet',
      moved
        ? 'When an entry gets another address, the old one redirects by itself.'
        : 'Add one below, or look at what visitors missed.',
      html`<a class="button" href="${linkTo(visit.request, adminPaths.redirects)}?list=missed">What visitors missed</a>`,
    )
  const mayChange = !moved && mayRun(visit, update)
  return html`${table<RedirectItem>({
    caption: lists[list],
    query: address,
    sort: 'from',
    rows: items,
    select: mayChange ? { form, id: ({ id }) => id, name: ({ from }) => from } : undefined,
    columns: [
      {
        label: 'From',
        sort: 'from',
        cell: ({ id, from }) => (mayChange ? html`<a href="${address.with({ edit: id })}#write">${from}</a>` : from),
      },
      { label: 'To', cell: ({ to }) => to ?? html`<span class="quiet">gone for good</span>` },
      { label: 'Status', cell: ({ status }) => status, wideOnly: true, end: true },
      { label: 'Followed', cell: ({ hits }) => hits, end: true },
      { label: 'Last', cell: ({ last_hit: at }) => shownTime(visit, at), wideOnly: true, end: true },
      { label: 'Note', cell: ({ note }) => note ?? '', wideOnly: true },
    ],
  })}
  ${
    mayChange &&
    mayRun(visit, remove) &&
    selectionBar(
      form,
      linkTo(visit.request, adminPaths.redirects),
      html`${csrfField(visit, 'redirects')}<strong>Selected redirects:</strong>
        <button class="danger" name="do" value="delete">Delete</button>`,
    )
  }
  ${pagerOf(address.with({}), next)}`
}

interface Missed {
  readonly path: string
  readonly hits: number
  readonly last_hit: string
  readonly referrer: string | null
  readonly suggestion: string | null
}

async function missedTable(visit: SignedIn, address: ListAddress): Promise<Html> {
  const { items, next_cursor: next } = await get(visit, missing, queryOf(address, ['path', 'hits', 'last_hit']))
  if (items.length === 0)
    return emptyState(
      'Nobody missed anything',
      'Paths that visitors ask for in vain are listed here, each with the page that may be meant.',
    )
  return html`${table<Missed>({
    caption: lists.missed,
    query: address,
    sort: '-hits',
    rows: items,
    columns: [
      { label: 'Path', sort: 'path', cell: ({ path }) => path },
      { label: 'Meant', cell: (one) => suggestion(visit, one) },
      { label: 'Asked', sort: 'hits', cell: ({ hits }) => hits, end: true },
      { label: 'Last', sort: 'last_hit', cell: ({ last_hit: at }) => shownTime(visit, at), wideOnly: true, end: true },
      { label: 'Linked from', cell: ({ referrer }) => referrer ?? '', wideOnly: true },
    ],
  })}
  ${pagerOf(address.with({}), next)}`
}

/** The suggestion with a button that redirects to it, or a link to the form where there is no suggestion. */
function suggestion(visit: SignedIn, { path, suggestion: to }: Missed): HtmlValue {
  if (!mayRun(visit, create)) return to ?? ''
  if (to === null)
    return html`<a href="${linkTo(visit.request, adminPaths.redirects)}?list=missed&amp;from=${encodeURIComponent(path)}#write"
      >Choose a page<span class="unseen"> for ${path}</span></a
    >`
  return postForm(visit, {
    path: `${adminPaths.redirects}?list=missed`,
    purpose: 'redirects',
    hidden: { do: 'save', from: path, to, status: 301 },
    body: html`${to} <button>Redirect it<span class="unseen"> from ${path}</span></button>`,
  })
}

function writeForm(
  visit: SignedIn,
  edited: RedirectItem | undefined,
  fields: Fields | undefined,
  fault: (name: string) => string | undefined,
): Html {
  const filled = fields?.has('from') ? fields : undefined
  const value = (name: 'from' | 'to' | 'note') =>
    filled?.get(name) ?? edited?.[name] ?? (name === 'from' ? visit.request.query.get('from')?.slice(0, 1100) : '') ?? ''
  const statuses = redirectStatuses.map((status) => ({ value: String(status), label: statusWords[status] ?? String(status) }))
  const list = listAddress(visit.request, adminPaths.redirects).get('list')
  return html`<section class="panel" id="write" aria-labelledby="writing">
    <h2 id="writing">${edited ? `Change ${edited.from}` : 'Add a redirect'}</h2>
    ${postForm(visit, {
      path: adminPaths.redirects + (list === 'missed' ? '?list=missed' : ''),
      purpose: 'redirects',
      hidden: { do: 'save', id: edited?.id, revision: filled?.get('revision') ?? edited?.revision },
      body: html`<div class="two">
          ${textField({ name: 'from', label: 'From', value: value('from'), help: html`<code>/old/*</code> is for all paths below <code>/old</code>.`, placeholder: '/old-shop', required: true, fault: fault('from') })}
          ${textField({ name: 'to', label: 'To', value: value('to'), help: 'A path or an https:// address. Empty: the page is gone for good.', placeholder: '/shop', fault: fault('to') })}
          ${selectField({ name: 'status', label: 'Kind', value: filled?.get('status') ?? String(edited?.status ?? 301), groups: new Map([['', statuses]]), fault: fault('status') })}
          ${textField({ name: 'note', label: 'Note', value: value('note'), fault: fault('note') })}
        </div>
        <p class="actions"><button class="primary">Save</button></p>`,
    })}
  </section>`
}

const statusWords: Readonly<Record<number, string>> = {
  301: '301: for good',
  302: '302: for a while',
  307: '307: for a while, with the form that was sent',
  308: '308: for good, with the form that was sent',
}

const pasteForm = (visit: SignedIn, fields: Fields | undefined, fault: string | undefined): Html =>
  html`<details class="panel" ${attribute('open', fields?.has('csv') ? '' : undefined)}>
    <summary>Paste many</summary>
    ${postForm(visit, {
      path: adminPaths.redirects,
      purpose: 'redirects',
      hidden: { do: 'paste' },
      body: html`${areaField({ name: 'csv', label: 'Redirects as CSV', value: fields?.get('csv'), rows: 8, code: true, help: html`Lines of <code>from,to,status,note</code>, up to 1,000. Each replaces the redirect from the same path.`, required: true, fault })}
        <p class="actions"><button class="primary">Write all</button></p>`,
    })}
  </details>`

const listPath = (visit: SignedIn, done: string): string =>
  `${adminPaths.redirects}?${visit.request.query.get('list') === 'missed' ? 'list=missed&' : ''}done=${done}`

const save: Work = async (visit, fields) => {
  const id = fields.get('id')
  const [from = '', to = '', note = ''] = ['from', 'to', 'note'].map((field) => fields.get(field).trim())
  const status = redirectStatuses.find((one) => String(one) === fields.get('status')) ?? 301
  const rule = { from, to: to || null, note: note || null, status }
  const { failure } = id === '' ? await run(visit, create, rule) : await run(visit, update, { id, ...rule }, sinceShown(fields))
  return failure ? redirectsReply(visit, { failure, fields }) : goTo(visit, listPath(visit, 'saved'))
}

const paste: Work = async (visit, fields) => {
  const { failure } = await run(visit, putMany, { csv: fields.get('csv') })
  return failure ? redirectsReply(visit, { failure, fields }) : goTo(visit, listPath(visit, 'pasted'))
}

const drop: Work = async (visit, fields) => {
  const ids = fields.all('ids')
  const { failure } = await run(visit, remove, { ids })
  return failure ? redirectsReply(visit, { failure }) : goTo(visit, listPath(visit, 'deleted'))
}

/** POST */
export const takeRedirectsForm = formTaker('redirects', { save, paste, delete: drop })
