// The page behind the links of the newsletter. GET shows a button, because programs that scan mails follow links; only POST
// confirms or ends (attack 173). A mail program that ends a subscription by one click posts here, too. No address is shown.
// @see RFC 8058

import type { Services } from '../../actions/call/services.ts'
import { html } from '../../doors/shared/html.ts'
import { html as htmlReply, type Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import type { Route } from '../../http/route.ts'
import { keyedAddress } from '../../identity/attempts.ts'
import { confirmSubscriber, endSubscriber, findSubscriber } from '../../mail/newsletter/subscriber-store.ts'
import { openSubscriptionLink, type SubscriptionLink, subscriptionPath } from '../../mail/newsletter/subscription-link.ts'
import type { SubscriberRow } from '../../store/core/schema.ts'
import { type SiteMessage, siteWord } from '../../themes/site-words.ts'
import { frameOf } from './frame.ts'
import { identityOf, messagePage } from './message-page.ts'
import { closedHeaders, htmlHeaders } from './public-page.ts'

/** The words of a link: its question, and the state afterwards. */
const words = {
  confirm: {
    title: 'newsletter_confirm_title',
    question: 'newsletter_confirm',
    button: 'newsletter_subscribe',
    doneTitle: 'newsletter_confirmed_title',
    done: 'newsletter_confirmed',
  },
  end: {
    title: 'newsletter_end_title',
    question: 'newsletter_end',
    button: 'newsletter_end_title',
    doneTitle: 'newsletter_ended_title',
    done: 'newsletter_ended',
  },
} as const satisfies Record<SubscriptionLink['kind'], Readonly<Record<string, SiteMessage>>>

export function subscriptionRoute(site: Services): Route {
  return {
    path: `${subscriptionPath}:code`,
    slash: 'exact',
    letterCase: 'exact',
    methods: {
      GET: (request, { code = '' }) => answer(site, request, code, false),
      POST: (request, { code = '' }) => answer(site, request, code, true),
    },
    door: 'site',
  }
}

async function answer(site: Services, request: Request, code: string, isPost: boolean): Promise<Reply> {
  const now = site.clock.now()
  const link = openSubscriptionLink(site.key, code, now)
  const row = link && (await findSubscriber(site.store.read, link.id))
  if (!link || !row) return page(site, request, 404, { title: 'newsletter_link_title', message: 'newsletter_link' })
  const after = isPost ? await follow(site, request, link, now) : row
  const { title, question, button, doneTitle, done } = words[link.kind]
  const isDone = after?.state === (link.kind === 'end' ? 'ended' : 'active')
  return isDone
    ? page(site, request, 200, { title: doneTitle, message: done, language: row.language })
    : page(site, request, 200, { title, message: question, button, language: row.language })
}

function follow(
  site: Services,
  request: Request,
  { kind, id }: SubscriptionLink,
  now: number,
): Promise<SubscriberRow | undefined> {
  const from = keyedAddress(site.key, 'senders of sign-ups', request.client)
  return site.store.transaction((db) =>
    kind === 'end' ? endSubscriber(db, id, 'unsubscribed', now) : confirmSubscriber(db, id, from, now),
  )
}

interface Shown {
  readonly title: SiteMessage
  readonly message: SiteMessage
  readonly button?: SiteMessage
  readonly language?: string
}

function page(site: Services, request: Request, status: number, shown: Shown): Reply {
  const own = identityOf(frameOf(site, request))
  const identity = { ...own, language: shown.language ?? own.language }
  const values = new Map([['site', identity.name]])
  const word = (key: SiteMessage): string => siteWord(identity.language, key, values)
  const below =
    shown.button !== undefined &&
    html`<form method="post" action="${request.basePath}${request.path}"><button>${word(shown.button)}</button></form>`
  const text = messagePage({ site: identity, title: word(shown.title), message: word(shown.message), below })
  return htmlReply(status, text, { ...htmlHeaders, ...closedHeaders })
}
