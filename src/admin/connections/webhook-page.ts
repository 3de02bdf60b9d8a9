// One webhook: its state, what was sent with the answers, and the forms that try it, turn it off or on, change it, give it a new
// secret or delete it.

import type { AnswerOf } from '../../actions/call/call-action.ts'
import { webhooks } from '../../actions/webhooks/index.ts'
import { attribute, html, type Html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { passwordAgain, provenTaker } from '../access/confirm-password.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { factList } from '../parts/facts.ts'
import { linesField, textField } from '../parts/fields.ts'
import { listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { panel } from '../parts/panel.ts'
import { faultsOf, postForm, type Work } from '../parts/post-form.ts'
import { emptyState, linkButton, pageHead, table } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'
import { eventsIn, stateBadge, webhookSecret, type WebhookShown, whereField, whereIn, whereLines } from './webhooks-page.ts'

export const showWebhook = (visit: SignedIn): Promise<Reply> => webhookReply(visit)

const idIn = (visit: SignedIn, { fields }: Refused): string =>
  (fields?.get('id') ?? visit.request.query.get('id') ?? '').slice(0, 40) || '-'

/** The address of the page of a webhook. */
const pathOf = (id: string): string => `${adminPaths.webhook}?id=${encodeURIComponent(id)}`

async function webhookReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  const { item } = await get(visit, webhooks.get, { id: idIn(visit, refused) })
  const body = html`${pageHead(item.url, undefined, linkButton(visit, adminPaths.webhooks, 'connections.all_webhooks'))}
  ${item.reason !== null && html`<p class="notice fault" role="note">${visit.t.said(item.reason)}</p>`}
  ${statePanel(visit, item, refused)} ${await sentPanel(visit, item, refused)}
  ${mayRun(visit, webhooks.update) && changeForm(visit, item, refused)}`
  return framedReply(visit, { title: item.url, body }, refused)
}

function statePanel(visit: SignedIn, item: WebhookShown, refused: Refused): Html {
  const { t } = visit
  const button = (does: string, label: MessageKey, className?: string) =>
    postForm(visit, {
      path: adminPaths.webhook,
      hidden: { do: does, id: item.id },
      body: html`${passwordAgain(visit, refused.fields?.get('do') === does ? refused.passwordFault : undefined)}
        <button ${attribute('class', className)}>${t(label)}</button>`,
    })
  const changes = mayRun(visit, webhooks.update)
  return panel(
    'state',
    t('connections.webhook_state'),
    html`${factList({
        [t('connections.webhook_state')]: stateBadge(visit, item),
        [t('connections.webhook_events')]: item.events.join(', '),
        [t('connections.webhook_where')]: item.where && html`<span class="lines">${whereLines(item.where)}</span>`,
        [t('connections.webhook_public_key')]: item.public_key !== null && html`<code>${item.public_key}</code>`,
        [t('connections.created')]: shownTime(visit, item.created_at),
      })}
      <div class="actions">
        ${button('test', 'connections.webhook_test')}
        ${changes && button(item.active ? 'off' : 'on', item.active ? 'connections.webhook_turn_off' : 'connections.webhook_turn_on')}
        ${changes && button('rotate', 'connections.webhook_rotate')} ${button('delete', 'connections.webhook_delete', 'danger')}
      </div>
      <p class="quiet">${t('connections.webhook_rotate_help')}</p>`,
  )
}

type Delivery = AnswerOf<typeof webhooks.deliveries.output>['items'][number]

async function sentPanel(visit: SignedIn, { id }: WebhookShown, refused: Refused): Promise<Html> {
  const { t, request } = visit
  const address = listAddress(request, adminPaths.webhook)
  const { items, next_cursor: next } = await get(visit, webhooks.deliveries, {
    ...address.pick('cursor'),
    where: { webhook: id },
  })
  const list =
    items.length === 0
      ? emptyState(t('connections.deliveries_empty'), t('connections.deliveries_empty_help'))
      : html`${table(t, {
          caption: t('connections.delivery_list'),
          rows: items,
          columns: [
            { label: t('connections.delivery_event'), cell: (row) => html`${eventCell(visit, row)} ${outcomeCell(visit, row)}` },
            {
              label: t('connections.when'),
              cell: (row) =>
                html`${row.tried_at !== null && shownTime(visit, row.tried_at)} ${againForm(visit, id, row, refused)}`,
              end: true,
            },
          ],
        })}
        ${pagerOf(`${linkTo(request, adminPaths.webhook)}?id=${id}`, next, t)}`
  return panel('sent', t('connections.deliveries'), list)
}

function eventCell({ t }: SignedIn, { event, state, status, tries }: Delivery): Html {
  const [label, look] = badges[state]
  return html`${event} <span class="badge ${look}">${t(label)}</span> ${status !== null && html`<small>${status}</small>`}
    ${tries > 1 && html`<small>${t('connections.delivery_tries', { count: tries })}</small>`}`
}

const badges: Readonly<Record<Delivery['state'], readonly [MessageKey, string]>> = {
  sent: ['connections.delivery_sent', 'good'],
  waiting: ['connections.delivery_waiting', ''],
  failed: ['connections.delivery_failed', 'warn'],
}

function outcomeCell({ t }: SignedIn, { id, body, answer, error }: Delivery): Html {
  const folded = (label: string, text: string) =>
    html`<details>
      <summary>${label}</summary>
      <pre><code>${text}</code></pre>
    </details>`
  return html`${error !== null && html`<p class="quiet">${t.said(error)}</p>`}
  ${answer !== null && answer !== '' && folded(t('connections.delivery_answer'), answer)}
  ${folded(t('connections.delivery_body'), `${id}\n${JSON.stringify(body, null, 2)}`)}`
}

const againForm = (visit: SignedIn, id: string, delivery: Delivery, { fields, passwordFault }: Refused): Html =>
  postForm(visit, {
    path: adminPaths.webhook,
    hidden: { do: 'again', id, delivery: delivery.id },
    body: html`${passwordAgain(visit, fields?.get('delivery') === delivery.id ? passwordFault : undefined)}
      <button>${visit.t('connections.delivery_again')}</button>`,
  })

function changeForm(visit: SignedIn, item: WebhookShown, { fields: all, failure, passwordFault }: Refused): Html {
  const { t } = visit
  const fields = all?.get('do') === 'change' ? all : undefined
  const faults = faultsOf(t, fields && failure, ['url', 'events', 'where'])
  const form = postForm(visit, {
    path: adminPaths.webhook,
    hidden: { do: 'change', id: item.id },
    body: html`${textField({
        name: 'url',
        label: t('connections.webhook_address'),
        value: fields?.get('url') ?? item.url,
        required: true,
        fault: faults.at('url'),
      })}
      ${linesField({
        name: 'events',
        label: t('connections.webhook_events'),
        value: fields?.get('events') ?? item.events.join('\n'),
        help: t('connections.webhook_events_help'),
        required: true,
        fault: faults.at('events'),
      })}
      ${whereField(t, fields?.get('where') ?? whereLines(item.where), faults.at('where'))}
      ${passwordAgain(visit, fields && passwordFault)}
      <p class="actions"><button class="primary">${t('connections.save')}</button></p>`,
  })
  return panel('change', t('connections.webhook_change'), form, 'card')
}

const works: Readonly<Record<string, Work>> = {
  async change(visit, fields) {
    const id = fields.get('id')
    const { failure } = await run(visit, webhooks.update, {
      id,
      url: fields.get('url').trim(),
      events: eventsIn(fields),
      where: whereIn(visit.t, fields),
    })
    return failure ?? goDone(visit, pathOf(id), webhooks.update)
  },
  async rotate(visit, fields) {
    const { data, failure } = await run(visit, webhooks.update, { id: fields.get('id'), rotate: true })
    return failure ?? webhookSecret(visit, data.item, data.secret)
  },
  on: turned(true),
  off: turned(false),
  async test(visit, fields) {
    const id = fields.get('id')
    const { failure } = await run(visit, webhooks.test, { id })
    return failure ?? goDone(visit, `${pathOf(id)}#sent`, webhooks.test)
  },
  async again(visit, fields) {
    const { failure } = await run(visit, webhooks.redeliver, { delivery: fields.get('delivery') })
    return failure ?? goDone(visit, `${pathOf(fields.get('id'))}#sent`, webhooks.redeliver)
  },
  async delete(visit, fields) {
    const { failure } = await run(visit, webhooks.delete, { id: fields.get('id') })
    return failure ?? goDone(visit, adminPaths.webhooks, webhooks.delete)
  },
}

function turned(active: boolean): Work {
  return async (visit, fields) => {
    const id = fields.get('id')
    const { failure } = await run(visit, webhooks.update, { id, active })
    return failure ?? goDone(visit, pathOf(id), webhooks.update)
  }
}

export const changeWebhookForm = provenTaker(adminPaths.webhook, works, webhookReply)
