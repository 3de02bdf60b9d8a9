// The subscribers: the list by state, the forms that add and remove, and the list as a file in both directions.

import type { AnswerOf } from '../../actions/call/call-action.ts'
import { subscribers } from '../../actions/subscribers/index.ts'
import { subscriberHeader, subscriberLine } from '../../actions/subscribers/subscriber-csv.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import { contentDisposition } from '../../http/content-disposition.ts'
import type { Reply } from '../../http/reply.ts'
import { type SubscriberState, subscriberStates } from '../../mail/newsletter/subscriber-store.ts'
import { sentenceOf } from '../failure.ts'
import type { Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get, notYours, run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { fileField, textField } from '../parts/fields.ts'
import { listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { panel } from '../parts/panel.ts'
import { faultsOf, postForm, type Work } from '../parts/post-form.ts'
import { emptyState, searchField, table, tabs } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'

type Subscriber = AnswerOf<typeof subscribers.list.output>['items'][number]

const stateWords: Readonly<Record<SubscriberState, MessageKey>> = {
  active: 'newsletter.subscriber_active',
  pending: 'newsletter.subscriber_pending',
  ended: 'newsletter.subscriber_ended',
}
const tabOrder: readonly SubscriberState[] = ['active', 'pending', 'ended']

export async function subscribersPanel(visit: SignedIn, refused: Refused): Promise<Html> {
  const { t, request } = visit
  const address = listAddress(request, adminPaths.newsletter)
  const state = subscriberStates.find((one) => one === address.get('state')) ?? 'active'
  const page = await get(visit, subscribers.list, { ...address.pick('cursor', 'search'), where: { state }, count: true })
  const { items, next_cursor: next, total = 0 } = page
  const links = tabOrder.map((one) => ({
    label: one === state ? `${t(stateWords[one])} (${total})` : t(stateWords[one]),
    href: `${address.with({ state: one === 'active' ? undefined : one, cursor: undefined })}#people`,
    current: one === state,
  }))
  const list =
    items.length === 0
      ? emptyState(t('newsletter.nobody'), t('newsletter.nobody_help'))
      : html`${table(t, {
          caption: t('newsletter.people_list'),
          rows: items,
          columns: [
            { label: t('newsletter.address'), cell: (item) => personCell(visit, item) },
            {
              label: t('newsletter.when'),
              cell: (item) => html`${shownTime(visit, item.created_at)} ${removeForm(visit, item)}`,
              end: true,
            },
          ],
        })}
        ${pagerOf(address.with({ cursor: undefined }), next, t)}`
  const search = searchField(t, linkTo(request, adminPaths.newsletter), address.get('search'), t('newsletter.search'), {
    state: state === 'active' ? undefined : state,
  })
  const csv = html`<p><a href="${linkTo(request, adminPaths.newsletterCsv)}">${t('newsletter.csv')}</a></p>`
  return panel(
    'people',
    t('newsletter.people'),
    html`${tabs(t('newsletter.people'), links)} ${search} ${list} ${csv} ${addForm(visit, refused)} ${importForm(visit, refused)}`,
  )
}

const personCell = ({ t }: SignedIn, { email, name, reason, consent, consent_at: at }: Subscriber): Html =>
  html`${email} ${name !== null && html`<small>${name}</small>`}
  ${reason !== null && html`<span class="badge">${t(reason === 'bounced' ? 'newsletter.bounced' : 'newsletter.unsubscribed')}</span>`}
  ${consent !== null && html`<small>${consent}${at !== null && ` (${at.slice(0, 10)})`}</small>`}`

const removeForm = (visit: SignedIn, { id }: Subscriber): HtmlValue =>
  mayRun(visit, subscribers.remove) &&
  postForm(visit, {
    path: adminPaths.newsletter,
    hidden: { do: 'remove', id },
    body: html`<button>${visit.t('newsletter.remove')}</button>`,
  })

function addForm(visit: SignedIn, { fields: all, failure }: Refused): HtmlValue {
  const { t } = visit
  if (!mayRun(visit, subscribers.add)) return false
  const fields = all?.get('do') === 'add' ? all : undefined
  const faults = faultsOf(t, fields && failure, ['email', 'name', 'consent'])
  const text = (name: 'email' | 'name' | 'consent', label: MessageKey, help?: MessageKey) =>
    textField({
      name,
      label: t(label),
      value: fields?.get(name),
      fault: faults.at(name),
      required: name !== 'name',
      help: help && t(help),
      ...(name === 'email' && { type: 'email' }),
    })
  const body = html`${text('email', 'newsletter.address')} ${text('name', 'newsletter.name')}
    ${text('consent', 'newsletter.consent', 'newsletter.consent_help')}
    <p class="actions"><button class="primary">${t('newsletter.add')}</button></p>`
  return html`<details ${fields !== undefined && 'open'}>
    <summary>${t('newsletter.add_title')}</summary>
    ${postForm(visit, { path: adminPaths.newsletter, hidden: { do: 'add' }, body })}
  </details>`
}

function importForm(visit: SignedIn, { fields: all, failure }: Refused): HtmlValue {
  const { t } = visit
  if (!mayRun(visit, subscribers.import)) return false
  const fields = all?.get('do') === 'import' ? all : undefined
  const fault = fields && failure && sentenceOf(failure, t)
  const field = failure?.detail.field
  const body = html`${fileField({ name: 'list', label: t('newsletter.file'), help: t('newsletter.file_help'), accept: '.csv,text/csv,text/plain', required: true, fault: field === 'consent' ? undefined : fault })}
    ${textField({ name: 'consent', id: 'import-consent', label: t('newsletter.consent'), help: t('newsletter.consent_help'), value: fields?.get('consent'), required: true, fault: field === 'consent' ? fault : undefined })}
    <p class="actions"><button class="primary">${t('newsletter.import')}</button></p>`
  return html`<details ${fields !== undefined && 'open'}>
    <summary>${t('newsletter.import_title')}</summary>
    <p class="quiet">${t('newsletter.import_help')}</p>
    ${postForm(visit, { path: adminPaths.importSubscribers, purpose: 'import-subscribers', multipart: true, hidden: { do: 'import' }, body })}
  </details>`
}

/** The forms of the panel. */
export const subscriberWorks: Readonly<Record<string, Work>> = {
  async add(visit, fields) {
    const name = fields.get('name').trim()
    const { failure } = await run(visit, subscribers.add, {
      email: fields.get('email').trim(),
      consent: fields.get('consent').trim(),
      ...(name !== '' && { name }),
    })
    return failure ?? goDone(visit, `${adminPaths.newsletter}#people`, subscribers.add)
  },
  async remove(visit, fields) {
    const { failure } = await run(visit, subscribers.remove, { ids: [fields.get('id')], expect: 1 })
    return failure ?? goDone(visit, `${adminPaths.newsletter}#people`, subscribers.remove)
  },
}

const rowsAtOnce = 500

/** GET: all subscribers as a file for a spreadsheet or another system, in pieces. */
export async function sendSubscribers(visit: SignedIn): Promise<Reply> {
  if (!mayRun(visit, subscribers.list)) throw notYours(visit)
  const { read } = visit.site.store
  // Checks the rights, as every call does.
  await get(visit, subscribers.list, { limit: 1 })
  async function* pieces(): AsyncGenerator<Buffer> {
    yield Buffer.from(subscriberHeader)
    for (let after = ''; ;) {
      const rows = await read
        .selectFrom('subscriber')
        .selectAll()
        .where('id', '>', after)
        .orderBy('id')
        .limit(rowsAtOnce)
        .execute()
      if (rows.length > 0) yield Buffer.from(rows.map(subscriberLine).join(''))
      if (rows.length < rowsAtOnce) return
      after = rows.at(-1)?.id ?? ''
    }
  }
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': contentDisposition('attachment', 'subscribers.csv'),
    'cache-control': 'no-store',
  }
  return { status: 200, headers, body: { stream: pieces() } }
}
