// The newsletter: what was sent and how far it is, the choice of an entry to send, and the people who get it.

import type { AnswerOf } from '../../actions/call/call-action.ts'
import { content } from '../../actions/content/index.ts'
import { subscribers } from '../../actions/subscribers/index.ts'
import { findMailOrigin } from '../../actions/mail/site-mail.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import type { NewsletterState } from '../../mail/newsletter/newsletter-store.ts'
import { typeName } from '../content/type-words.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { selectField } from '../parts/fields.ts'
import { panel } from '../parts/panel.ts'
import { formTaker, postForm, type Work } from '../parts/post-form.ts'
import { emptyState, pageHead, table } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'
import { subscriberWorks, subscribersPanel } from './subscribers-panel.ts'

type NewsletterShown = AnswerOf<typeof subscribers.sent.output>['items'][number]

export const showNewsletter = (visit: SignedIn): Promise<Reply> => newsletterReply(visit)

/** The page of the newsletter. @param more a notice above it */
export async function newsletterReply(visit: SignedIn, refused: Refused = {}, more?: HtmlValue): Promise<Reply> {
  const { t } = visit
  const title = t('shell.newsletter')
  const body = html`${pageHead(title, t('newsletter.lead'))} ${more} ${await offNotice(visit)} ${await choicePanel(visit)}
  ${await sentPanel(visit)} ${await subscribersPanel(visit, refused)}`
  return framedReply(visit, { title, body }, refused)
}

/** Says what is missing before a newsletter can be sent, and how visitors subscribe. */
async function offNotice(visit: SignedIn): Promise<Html> {
  const { site, t, request } = visit
  const section = html`<code>::: newsletter</code>`
  if ((await findMailOrigin(site, site.store.read)) !== undefined)
    return html`<p class="quiet">${t.rich('newsletter.section', { section })} ${ownNotice(visit)}</p>`
  const link = html`<a href="${linkTo(request, adminPaths.mail)}">${t('operations.mail')}</a>`
  return html`<p class="notice warn" role="note">${t.rich('newsletter.no_relay', { link })}</p>`
}

/** Says which entries go out by themselves. */
function ownNotice({ site, t, request }: SignedIn): Html {
  const types = site.settings.values.newsletter_types
  const link = html`<a href="${linkTo(request, adminPaths.settings)}?page=comments#g-newsletter">${t('newsletter.settings')}</a>`
  if (types.length === 0) return t.rich('newsletter.by_hand', { link })
  const names = types.map((type) => typeName(t, site.types.current.of(type)))
  return t.rich('newsletter.by_itself', { types: names.join(', '), link })
}

async function choicePanel(visit: SignedIn): Promise<HtmlValue> {
  const { t, request } = visit
  if (!mayRun(visit, subscribers.send)) return false
  const { items } = await get(visit, content.list, {
    where: { status: 'published' },
    sort: '-published_at',
    limit: 30,
  })
  if (items.length === 0) return false
  const choices = items.map(({ id, title, path }) => ({ value: id, label: `${title} – ${path ?? ''}` }))
  const form = html`<form method="get" action="${linkTo(request, adminPaths.sendNewsletter)}">
    ${selectField({ name: 'entry', label: t('newsletter.entry'), value: undefined, choices })}
    <p class="actions"><button class="primary">${t('newsletter.look')}</button></p>
  </form>`
  return panel('choose', t('newsletter.choose'), form, 'card')
}

const states: Readonly<Record<NewsletterState, readonly [MessageKey, string]>> = {
  sending: ['newsletter.state_sending', ''],
  stopped: ['newsletter.state_stopped', 'warn'],
  done: ['newsletter.state_done', 'good'],
}

const held: readonly [MessageKey, string] = ['newsletter.state_held', 'warn']

/** True for a newsletter that was made and not begun. */
const isHeld = ({ state, sent, failed }: Pick<NewsletterShown, 'state' | 'sent' | 'failed'>): boolean =>
  state === 'stopped' && sent + failed === 0

async function sentPanel(visit: SignedIn): Promise<HtmlValue> {
  const { t } = visit
  const { items } = await get(visit, subscribers.sent, { limit: 20 })
  const list =
    items.length === 0
      ? emptyState(t('newsletter.none_sent'), t('newsletter.none_sent_help'))
      : table(t, {
          caption: t('newsletter.sent_list'),
          rows: items,
          columns: [
            { label: t('newsletter.subject'), cell: (item) => subjectCell(visit, item) },
            {
              label: t('newsletter.when'),
              cell: (item) => html`${shownTime(visit, item.created_at)} ${switchForm(visit, item)}`,
              end: true,
            },
          ],
        })
  return panel('sent', t('newsletter.sent_title'), list)
}

function subjectCell({ t, request }: SignedIn, { entry, subject, state, sent, failed, error }: NewsletterShown): Html {
  const [label, look] = isHeld({ state, sent, failed }) ? held : states[state]
  return html`<a href="${linkTo(request, adminPaths.editEntry)}?id=${entry}">${subject}</a>
    <span class="badge ${look}">${t(label)}</span>
    <small
      >${t('newsletter.sent_count', { count: sent })}${failed > 0 && `, ${t('newsletter.failed_count', { count: failed })}`}</small
    >
    ${error !== null && html`<p class="quiet">${failed > 0 && t('newsletter.stopped_by')} ${error}</p>`}`
}

function switchForm(visit: SignedIn, item: NewsletterShown): HtmlValue {
  const { id, state } = item
  if (state === 'done') return false
  const isSending = state === 'sending'
  if (!mayRun(visit, isSending ? subscribers.stop : subscribers.resume)) return false
  return postForm(visit, {
    path: adminPaths.newsletter,
    hidden: { do: isSending ? 'stop' : 'resume', id },
    body: html`<button>
      ${visit.t(isSending ? 'newsletter.stop' : isHeld(item) ? 'newsletter.send_held' : 'newsletter.resume')}
    </button>`,
  })
}

const works: Readonly<Record<string, Work>> = {
  async stop(visit, fields) {
    const { failure } = await run(visit, subscribers.stop, { id: fields.get('id') })
    return failure ?? goDone(visit, adminPaths.newsletter, subscribers.stop)
  },
  async resume(visit, fields) {
    const { failure } = await run(visit, subscribers.resume, { id: fields.get('id') })
    return failure ?? goDone(visit, adminPaths.newsletter, subscribers.resume)
  },
  ...subscriberWorks,
}

export const takeNewsletter = formTaker(adminPaths.newsletter, works, newsletterReply)
