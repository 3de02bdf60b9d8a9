// The last look at a newsletter: the mail as it will be, a test to oneself, and the button that sends it to all.

import { subscribers } from '../../actions/subscribers/index.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { endMark } from '../../mail/newsletter/newsletter-store.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { get, run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { factList } from '../parts/facts.ts'
import { checkField, textField } from '../parts/fields.ts'
import { panel } from '../parts/panel.ts'
import { faultsOf, formTaker, postForm, type Work } from '../parts/post-form.ts'
import { linkButton, pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { adminHeaders } from '../reply.ts'
import type { SignedIn } from '../visit.ts'

/** The answer of the relay to a test, which the page shows once. */
interface Tried {
  readonly to: string
  readonly taken: boolean
  readonly answer: string
}

const entryIn = ({ request }: SignedIn, { fields }: Refused): string =>
  (fields?.get('entry') ?? request.query.get('entry') ?? '').slice(0, 1100) || '-'

export const showSend = (visit: SignedIn): Promise<Reply> => sendReply(visit)

async function sendReply(visit: SignedIn, refused: Refused = {}, tried?: Tried): Promise<Reply> {
  const { t, request } = visit
  const entry = entryIn(visit, refused)
  const mail = await get(visit, subscribers.preview, { entry })
  const title = t('newsletter.send_title')
  const address = `${linkTo(request, adminPaths.newsletterMail)}?entry=${encodeURIComponent(entry)}`
  const body = html`${pageHead(title, mail.subject, linkButton(visit, adminPaths.newsletter, 'newsletter.back'))}
  ${tried && triedNotice(visit, tried)}
  ${mail.sent_at !== null && html`<p class="notice warn" role="note">${t('newsletter.sent_before')} ${shownTime(visit, mail.sent_at)}</p>`}
  ${panel(
    'mail',
    t('newsletter.mail'),
    html`${factList({ [t('newsletter.receivers')]: String(mail.receivers), [t('newsletter.language')]: mail.language })}
      <p class="actions"><a class="button" href="${address}" target="_blank">${t('newsletter.open_mail')}</a></p>
      <details open>
        <summary>${t('newsletter.plain')}</summary>
        <p class="comment-text">${mail.text.replaceAll(endMark, '…')}</p>
      </details>`,
  )}
  ${mail.can_send && sendForms(visit, { entry, ...mail }, refused)}`
  return framedReply(visit, { title, body }, refused)
}

const triedNotice = ({ t }: SignedIn, { to, taken, answer }: Tried): Html =>
  html`<div class="notice ${taken ? 'good' : 'fault'}" role="status">
    <p>${t(taken ? 'operations.mail_test_taken' : 'operations.mail_test_failed', { to })}</p>
    <p><code>${answer}</code></p>
  </div>`

interface Sendable {
  readonly entry: string
  readonly subject: string
  readonly receivers: number
  readonly sent_at: string | null
}

function sendForms(visit: SignedIn, { entry, subject, receivers, sent_at: sentAt }: Sendable, refused: Refused): Html {
  const { t, session } = visit
  const { fields, failure } = refused
  const faults = faultsOf(t, failure, ['subject', 'receiver'])
  const subjectField = (id: string) =>
    textField({
      name: 'subject',
      id,
      label: t('newsletter.subject'),
      value: fields?.get('subject') ?? subject,
      fault: faults.at('subject'),
    })
  const test = postForm(visit, {
    path: adminPaths.sendNewsletter,
    hidden: { do: 'test', entry },
    body: html`${subjectField('test-subject')}
      ${textField({ name: 'receiver', label: t('operations.mail_test_to'), type: 'email', value: fields?.get('receiver') || session.account.email, required: true, fault: faults.at('receiver') })}
      <p class="actions"><button>${t('newsletter.test')}</button></p>`,
  })
  const all = postForm(visit, {
    path: adminPaths.sendNewsletter,
    hidden: { do: 'all', entry },
    body: html`${subjectField('subject')}
      ${sentAt !== null && checkField({ name: 'again', label: t('newsletter.again'), value: '' })}
      <p class="actions"><button class="primary">${t('newsletter.send', { count: receivers })}</button></p>`,
  })
  return html`${panel('test', t('newsletter.test_title'), test)} ${panel('all', t('newsletter.send_to_all'), all, 'card')}`
}

const subjectIn = (text: string) => (text.trim() === '' ? {} : { subject: text.trim() })

const works: Readonly<Record<string, Work>> = {
  async test(visit, fields) {
    const receiver = fields.get('receiver').trim()
    const input = { entry: fields.get('entry'), to: 'test', receiver, ...subjectIn(fields.get('subject')) } as const
    const { data, failure } = await run(visit, subscribers.send, input)
    if (failure) return failure
    const test = data.item.test
    return sendReply(visit, { fields }, { to: receiver, taken: test?.taken === true, answer: test?.answer ?? '' })
  },
  async all(visit, fields) {
    const again = fields.has('again')
    const input = { entry: fields.get('entry'), to: 'all', again, ...subjectIn(fields.get('subject')) } as const
    const { failure } = await run(visit, subscribers.send, input)
    return failure ?? goDone(visit, adminPaths.newsletter, subscribers.send)
  },
}

export const takeSend = formTaker(adminPaths.sendNewsletter, works, sendReply)

/** GET: the mail by itself. It has styles in attributes and pictures, and nothing else works in it. */
export async function showNewsletterMail(visit: SignedIn): Promise<Reply> {
  const { request } = visit
  const { html: text = '' } = await get(visit, subscribers.preview, { entry: entryIn(visit, {}), html: true })
  const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https: http:; sandbox; frame-ancestors 'none'"
  const { 'cross-origin-opener-policy': _opener, ...headers } = adminHeaders(request.scheme)
  return {
    status: 200,
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
    body: { bytes: Buffer.from(text) },
  }
}
