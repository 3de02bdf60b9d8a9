// Mail: the state of the relay, the test, the form that sets it, and the mails of the last 30 days.

import type { AnswerOf } from '../../actions/call/call-action.ts'
import { mailActions } from '../../actions/mail/index.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import { securities } from '../../mail/relay.ts'
import type { Reply } from '../../http/reply.ts'
import { passwordAgain, provenTaker } from '../access/confirm-password.ts'
import { type Fields, numberIn } from '../form.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { factList } from '../parts/facts.ts'
import { selectField, textField } from '../parts/fields.ts'
import { listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { panel } from '../parts/panel.ts'
import { faultsOf, postForm, type Work } from '../parts/post-form.ts'
import { emptyState, pageHead, table } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'

type Relay = NonNullable<AnswerOf<typeof mailActions.getRelay.output>['item']>
type MailShown = AnswerOf<typeof mailActions.list.output>['items'][number]

export const showMail = (visit: SignedIn): Promise<Reply> => mailReply(visit)

/** The outcome of a test mail, which the page shows once. */
interface TestShown {
  readonly taken: boolean
  readonly to: string
  readonly code: number | null
  readonly answer: string
}

async function mailReply(visit: SignedIn, refused: Refused = {}, tested?: TestShown | null): Promise<Reply> {
  const { t } = visit
  const { item } = await get(visit, mailActions.getRelay, {})
  const title = t('operations.mail')
  const body = html`${pageHead(title, t('operations.mail_lead'))} ${item && statePanel(visit, item)}
  ${item && mayRun(visit, mailActions.test) && testPanel(visit, refused, tested)}
  ${mayRun(visit, mailActions.setRelay) && relayForm(visit, item, refused)} ${await sentPanel(visit, refused)}`
  return framedReply(visit, { title, body }, refused)
}

const testNotice = ({ t }: SignedIn, { taken, to, code, answer }: TestShown): Html =>
  html`<div class="notice ${taken ? 'good' : 'fault'}" role="status">
    <p>${t(taken ? 'operations.mail_test_taken' : 'operations.mail_test_failed', { to })}</p>
    <p><code>${code !== null && !answer.startsWith(String(code)) && `${code} `}${t.said(answer)}</code></p>
  </div>`

function statePanel(visit: SignedIn, item: Relay): Html {
  const { t } = visit
  const works = item.verified_at !== null
  const badge = html`<span class="badge ${works ? 'good' : 'warn'}"
    >${t(works ? 'operations.mail_works' : 'operations.mail_not_verified')}</span
  >`
  return panel(
    'state',
    t('operations.state'),
    html`${item.error !== null && html`<p class="notice fault" role="note">${t('operations.mail_not_sent')} ${t.said(item.error)}</p>`}
    ${factList({
      [t('operations.mail_relay')]: html`<code>${item.host}:${item.port}</code> ${badge}`,
      [t('operations.mail_from')]: `${item.from_name} <${item.from}>`,
      [t('operations.mail_verified_at')]: item.verified_at !== null && shownTime(visit, item.verified_at),
    })}`,
  )
}

function testPanel(
  visit: SignedIn,
  { fields: all, failure, passwordFault }: Refused,
  tested: TestShown | null | undefined,
): Html {
  const { t } = visit
  const fields = all?.get('do') === 'test' ? all : undefined
  const faults = faultsOf(t, fields && failure, ['to'])
  const form = postForm(visit, {
    path: adminPaths.mail,
    hidden: { do: 'test' },
    body: html`${textField({
        name: 'to',
        label: t('operations.mail_test_to'),
        type: 'email',
        value: fields?.get('to') ?? visit.session.account.email,
        required: true,
        fault: faults.at('to'),
      })}
      ${passwordAgain(visit, fields && passwordFault)}
      <p class="actions"><button>${t('operations.mail_test')}</button></p>`,
  })
  return panel('test', t('operations.mail_test_title'), html`${tested && testNotice(visit, tested)} ${form}`)
}

/** A text of the form, with the value of the stored relay. */
interface TextRow {
  readonly name: 'host' | 'port' | 'user' | 'from' | 'from_name' | 'site_url' | 'per_minute' | 'dkim_selector'
  readonly label: MessageKey
  readonly help?: MessageKey
  readonly example?: string
  readonly usual?: string
  readonly type?: 'email' | 'number'
}

/** The relay, before the choice of its security and its password. */
const relayRows: readonly TextRow[] = [
  { name: 'host', label: 'operations.mail_host', help: 'operations.mail_host_help', example: 'smtp.example.org' },
  { name: 'port', label: 'operations.mail_port', usual: '587', type: 'number' },
]
const senderRows: readonly TextRow[] = [
  { name: 'from', label: 'operations.mail_from', help: 'operations.mail_from_help', type: 'email' },
  { name: 'from_name', label: 'operations.mail_from_name', help: 'operations.mail_from_name_help' },
]
const moreRows: readonly TextRow[] = [
  { name: 'per_minute', label: 'operations.mail_per_minute', usual: '30', type: 'number' },
  { name: 'dkim_selector', label: 'operations.mail_dkim', help: 'operations.mail_dkim_help' },
]
const userRow: TextRow = { name: 'user', label: 'operations.mail_user', help: 'operations.mail_user_help' }
const urlRow: TextRow = {
  name: 'site_url',
  label: 'operations.mail_site_url',
  help: 'operations.mail_site_url_help',
  example: 'https://example.org',
}

const securityKeys: Readonly<Record<(typeof securities)[number], MessageKey>> = {
  starttls: 'operations.mail_starttls',
  tls: 'operations.mail_tls',
  none: 'operations.mail_no_tls',
}

function relayForm(visit: SignedIn, item: Relay | null, { fields: all, failure, passwordFault }: Refused): Html {
  const { t, site } = visit
  const fields = all?.get('do') === 'set' ? all : undefined
  // The program's own address always counts, so that the field is shown only where there is none.
  const urlRows = site.config.POSTERN_BASE_URL ? [] : [urlRow]
  const rows = [...relayRows, userRow, ...senderRows, ...urlRows, ...moreRows]
  const faults = faultsOf(t, fields && failure, [...rows.map(({ name }) => name), 'security', 'password'])
  const text = ({ name, label, help, example, usual, type }: TextRow) =>
    textField({
      name,
      label: t(label),
      value: fields?.get(name) ?? item?.[name]?.toString() ?? usual,
      fault: faults.at(name),
      ...(type === 'email' && { type }),
      ...(help && { help: t(help) }),
      ...(example !== undefined && { placeholder: example }),
    })
  const form = postForm(visit, {
    path: adminPaths.mail,
    hidden: { do: 'set' },
    body: html`${relayRows.map(text)}
      ${selectField({
        name: 'security',
        label: t('operations.mail_security'),
        value: fields?.get('security') ?? item?.security ?? 'starttls',
        choices: securities.map((value) => ({ value, label: t(securityKeys[value]) })),
        fault: faults.at('security'),
      })}
      ${text(userRow)}
      ${textField({
        name: 'secret',
        label: t('operations.mail_password'),
        type: 'password',
        autocomplete: 'new-password',
        help: item?.password === true ? t('operations.mail_password_help') : undefined,
        fault: faults.at('password'),
      })}
      ${senderRows.map(text)} ${urlRows.map(text)}
      <details>
        <summary>${t('operations.mail_more')}</summary>
        ${moreRows.map(text)}
      </details>
      ${passwordAgain(visit, fields && passwordFault)}
      <p class="actions"><button class="primary">${t('operations.mail_save')}</button></p>`,
  })
  const off =
    item &&
    postForm(visit, {
      path: adminPaths.mail,
      hidden: { do: 'off' },
      body: html`${passwordAgain(visit, all?.get('do') === 'off' ? passwordFault : undefined)}
        <p class="actions"><button class="danger">${t('operations.mail_off')}</button></p>`,
    })
  return panel(
    'relay',
    t('operations.mail_relay'),
    html`<p class="quiet">${t('operations.mail_relay_help')}</p>
      ${form} ${off}`,
    'card',
  )
}

async function sentPanel(visit: SignedIn, refused: Refused): Promise<Html> {
  const { t, request } = visit
  const { items, next_cursor: next } = await get(visit, mailActions.list, listAddress(request, adminPaths.mail).pick('cursor'))
  const list =
    items.length === 0
      ? emptyState(t('operations.mails_empty'), t('operations.mails_empty_help'))
      : html`${table(t, {
          caption: t('operations.mail_list'),
          rows: items,
          columns: [
            { label: t('operations.mail_subject'), cell: (row) => subjectCell(visit, row) },
            {
              label: t('operations.mail_when'),
              cell: (row) => html`${shownTime(visit, row.tried_at ?? row.created_at)} ${againForm(visit, row, refused)}`,
              end: true,
            },
          ],
        })}
        ${pagerOf(linkTo(request, adminPaths.mail), next, t)}`
  return panel('sent', t('operations.mails'), list)
}

const badges: Readonly<Record<MailShown['state'], readonly [MessageKey, string]>> = {
  sent: ['operations.mail_sent', 'good'],
  waiting: ['operations.mail_waiting', ''],
  failed: ['operations.mail_failed', 'warn'],
}

function subjectCell({ t }: SignedIn, { to, subject, state, answer }: MailShown): Html {
  const [label, look] = badges[state]
  return html`${subject} <span class="badge ${look}">${t(label)}</span>
    <small>${to}</small> ${state !== 'sent' && answer !== null && html`<p class="quiet">${t.said(answer)}</p>`}`
}

function againForm(visit: SignedIn, { id, state }: MailShown, { fields, passwordFault }: Refused): Html | false {
  if (state === 'sent' || !mayRun(visit, mailActions.resend)) return false
  return postForm(visit, {
    path: adminPaths.mail,
    hidden: { do: 'again', id },
    body: html`${passwordAgain(visit, fields?.get('id') === id ? passwordFault : undefined)}
      <button>${visit.t('operations.mail_again')}</button>`,
  })
}

/** The input of the action from the form. Empty fields are left out. */
function relayInput(fields: Fields) {
  const filled = (names: readonly string[]) =>
    names.map((name) => [name, fields.get(name).trim()] as const).filter(([, value]) => value !== '')
  const texts = filled(['host', 'user', 'from', 'from_name', 'site_url', 'dkim_selector'])
  const numbers = filled(['port', 'per_minute']).map(([name, value]) => [name, numberIn(value)] as const)
  const password = fields.get('secret')
  const security = securities.find((one) => one === fields.get('security')) ?? 'starttls'
  return { ...Object.fromEntries([...texts, ...numbers]), security, ...(password === '' ? {} : { password }) }
}

const works: Readonly<Record<string, Work>> = {
  async set(visit, fields) {
    const { data, failure } = await run(visit, mailActions.setRelay, relayInput(fields))
    if (failure) return failure
    return data.item?.verified_at === null
      ? goDone(visit, adminPaths.mail, 'operations.done_mail_not_verified')
      : goDone(visit, adminPaths.mail, mailActions.setRelay)
  },
  async off(visit) {
    const { failure } = await run(visit, mailActions.setRelay, { off: true })
    return failure ?? goDone(visit, adminPaths.mail, mailActions.setRelay)
  },
  async test(visit, fields) {
    const { data, failure } = await run(visit, mailActions.test, { to: fields.get('to').trim() })
    return failure ?? mailReply(visit, {}, data.item)
  },
  async again(visit, fields) {
    const { failure } = await run(visit, mailActions.resend, { ids: [fields.get('id')] })
    return failure ?? goDone(visit, `${adminPaths.mail}#sent`, mailActions.resend)
  },
}

export const saveMail = provenTaker(adminPaths.mail, works, mailReply)
