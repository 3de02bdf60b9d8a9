// The mails of a sign-up: the link that confirms, or a word that there is nothing to do. Whether an address is known is said in its
// mailbox alone.

import { bucketName, countAttempt } from '../../identity/attempts.ts'
import { queueMail } from '../../mail/mail-queue.ts'
import { confirmMs, noteSignUp, type SignUp } from '../../mail/newsletter/subscriber-store.ts'
import { subscriptionLink } from '../../mail/newsletter/subscription-link.ts'
import type { Services } from '../call/services.ts'
import { findMailOrigin } from '../mail/site-mail.ts'
import { visitorMail } from '../mail/visitor-mail.ts'

const hourMs = 3_600_000

/** Takes the wish of a visitor, at most once an hour for an address. Without a relay, it does nothing. */
export async function signUp(site: Services, wish: SignUp, now: number): Promise<void> {
  const origin = await findMailOrigin(site, site.store.read)
  if (origin === undefined) return
  const { look, word } = await visitorMail(site, wish.language, origin)
  const isQueued = await site.store.transaction(async (db) => {
    const once = [{ name: bucketName('subscribe', wish.email), limit: 1 }]
    if ((await countAttempt(db, once, now, hourMs)) !== undefined) return false
    const { id, state } = await noteSignUp(db, wish, now)
    const isKnown = state === 'active'
    const url = origin + subscriptionLink(site.key, 'confirm', id, now + confirmMs)
    const letter = {
      subject: word('newsletter_mail_subject'),
      lines: [word('newsletter_mail'), word(isKnown ? 'newsletter_mail_known' : 'newsletter_mail_more')],
      ...(!isKnown && { button: { label: word('newsletter_subscribe'), url } }),
      footer: word('newsletter_mail_footer'),
    }
    await queueMail(db, site.key, look, { kind: 'subscribe', to: wish.email, letter, until: now + confirmMs }, now)
    return true
  })
  if (isQueued) site.mail.ring()
}
