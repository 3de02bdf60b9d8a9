// Webhooks: the list with the state of each, and the form that adds one. A new secret is shown once.

import type { AnswerOf } from '../../actions/call/call-action.ts'
import { webhooks } from '../../actions/webhooks/index.ts'
import { invalid } from '../../base/failure.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { passwordAgain, provenTaker } from '../access/confirm-password.ts'
import type { Fields } from '../form.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { linesField, textField } from '../parts/fields.ts'
import { panel } from '../parts/panel.ts'
import { faultsOf, postForm } from '../parts/post-form.ts'
import { emptyState, linkButton, pageHead, table } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { copyable, copyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import { type EventFilter, filterNames } from '../../webhooks/payload.ts'
import type { Words } from '../words.ts'

/** A webhook, as its pages show it. */
export type WebhookShown = AnswerOf<typeof webhooks.list.output>['items'][number]

export const showWebhooks = (visit: SignedIn): Promise<Reply> => webhooksReply(visit)

async function webhooksReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  const { t } = visit
  const { items } = await get(visit, webhooks.list, {})
  const title = t('connections.webhooks_title')
  const body = html`${pageHead(title, t('connections.webhooks_lead'))}
  ${
    items.length === 0
      ? emptyState(t('connections.webhooks_empty'), t('connections.webhooks_empty_help'))
      : table(t, {
          caption: title,
          rows: items,
          columns: [
            {
              label: t('connections.webhook_address'),
              cell: ({ id, url }) => html`<a href="${linkTo(visit.request, adminPaths.webhook)}?id=${id}">${url}</a>`,
            },
            { label: t('connections.webhook_events'), cell: ({ events }) => events.join(', '), wideOnly: true },
            { label: t('connections.webhook_state'), cell: (item) => stateBadge(visit, item) },
          ],
        })
  }
  ${mayRun(visit, webhooks.create) && addForm(visit, refused)}`
  return framedReply(visit, { title, body }, refused)
}

export function stateBadge({ t }: SignedIn, { active, reason, waiting }: WebhookShown): Html {
  if (!active) return html`<span class="badge ${reason === null ? '' : 'warn'}">${t('connections.webhook_off')}</span>`
  return waiting > 0
    ? html`<span class="badge">${t('connections.webhook_waiting', { count: waiting })}</span>`
    : html`<span class="badge good">${t('connections.webhook_on')}</span>`
}

function addForm(visit: SignedIn, { fields, failure, passwordFault }: Refused): Html {
  const { t } = visit
  const faults = faultsOf(t, failure, ['url', 'events', 'where'])
  const form = postForm(visit, {
    path: adminPaths.webhooks,
    body: html`${textField({
        name: 'url',
        label: t('connections.webhook_address'),
        value: fields?.get('url'),
        placeholder: 'https://hooks.example.org/postern',
        required: true,
        fault: faults.at('url'),
      })}
      ${linesField({
        name: 'events',
        label: t('connections.webhook_events'),
        value: fields?.get('events') ?? 'content.publish\ncontent.unpublish',
        help: t('connections.webhook_events_help'),
        required: true,
        fault: faults.at('events'),
      })}
      ${whereField(t, fields?.get('where') ?? '', faults.at('where'))} ${passwordAgain(visit, passwordFault)}
      <p class="actions"><button class="primary">${t('connections.webhook_add')}</button></p>`,
  })
  return panel('new', t('connections.webhook_new'), form, 'card')
}

/** The events in a form, one on each line. */
export const eventsIn = (fields: Fields): string[] =>
  fields
    .get('events')
    .split(/[\s,]+/)
    .filter((line) => line !== '')

/** The field for the condition of a webhook. */
export const whereField = (t: Words, value: string, fault: string | undefined): Html =>
  linesField({ name: 'where', label: t('connections.webhook_where'), value, help: t('connections.webhook_where_help'), fault })

/** A condition as lines, such as `type: event, post`. */
export const whereLines = (where: WebhookShown['where']): string =>
  Object.entries(where ?? {})
    .map(([name, values]) => `${name}: ${[values].flat().join(', ')}`)
    .join('\n')

/** The condition in a form. @throws Failure `invalid` for a line that is none */
export function whereIn(t: Words, fields: Fields): EventFilter {
  const where: Partial<Record<(typeof filterNames)[number], string[]>> = {}
  for (const line of fields.get('where').split(/\r?\n/)) {
    if (line.trim() === '') continue
    const [given = '', ...rest] = line.split(':')
    const name = filterNames.find((one) => one === given.trim().toLowerCase())
    const values = rest
      .join(':')
      .split(',')
      .map((value) => value.trim())
      .filter((value) => value !== '')
    if (!name || values.length === 0) throw invalid('where', t('connections.webhook_where_fault'), 'lines such as type: event')
    where[name] = [...(where[name] ?? []), ...values]
  }
  return where
}

export const addWebhook = provenTaker(
  adminPaths.webhooks,
  async (visit, fields) => {
    const { data, failure } = await run(visit, webhooks.create, {
      url: fields.get('url').trim(),
      events: eventsIn(fields),
      where: whereIn(visit.t, fields),
    })
    return failure ?? webhookSecret(visit, data.item, data.secret)
  },
  webhooksReply,
)

/** The page that shows a new secret, once; with ed25519 the public key. */
export function webhookSecret(visit: SignedIn, item: WebhookShown, secret: string | null): Reply {
  const { t } = visit
  const path = `${adminPaths.webhook}?id=${encodeURIComponent(item.id)}`
  const body = html`${pageHead(item.url, t('connections.copy_now'))}
    <section class="card secret" aria-label="${t('connections.webhook_secret')}">
      <p>${copyable(t('connections.webhook_secret'), secret ?? item.public_key ?? '')}</p>
      <p>${t('connections.webhook_secret_help')}</p>
    </section>
    <p class="actions">${linkButton(visit, path, 'connections.have_copied')}</p>`
  return framedReply(visit, { title: item.url, body, script: copyScript })
}
