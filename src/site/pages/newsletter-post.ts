// A visitor who subscribes. The answer and its time are the same for every address: what it leads to happens after the answer.

import { signUp } from '../../actions/subscribers/sign-up.ts'
import { findMailOrigin } from '../../actions/mail/site-mail.ts'
import type { Services } from '../../actions/call/services.ts'
import { urlOf } from '../../content/entries/entry.ts'
import { networkOf, rateKey } from '../../http/addresses.ts'
import { redirect, type Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import { bucketName, countAttempt, keyedAddress, secondsUntil } from '../../identity/attempts.ts'
import { subscriberAddress } from '../../mail/newsletter/subscriber-store.ts'
import { inTurn } from './link-turns.ts'
import { postedPage } from './posted-page.ts'
import { newsletterAnchor, newsletterNames, openForm, type SignUpState } from './page-data/newsletter.ts'

/** The value of the query `sent`. No form has it as a slug. */
export const signUpSent = '_newsletter'

/** The sign-ups an hour from one network. */
const perNetwork = 30
const hourMs = 3_600_000

/** Takes a sign-up. @returns undefined if the site sends no mails, so that no page has the form */
export async function takeSignUp(site: Services, request: Request, fields: URLSearchParams): Promise<Reply | undefined> {
  if ((await findMailOrigin(site, site.store.read)) === undefined) return undefined
  const busy = 'Too many forms come from this address at once. Try again in a moment.'
  return inTurn(`newsletter ${rateKey(request.client)}`, () => answerSignUp(site, request, fields), busy)
}

async function answerSignUp(site: Services, request: Request, fields: URLSearchParams): Promise<Reply> {
  const now = site.clock.now()
  const typed = (fields.get(newsletterNames.email) ?? '').trim()
  const form = openForm(site.key, fields.get(newsletterNames.token) ?? '', now)
  const again = (note: SignUpState['note'], status = 422, more = {}): Promise<Reply> =>
    postedPage(site, request, { signUp: { note, email: typed.slice(0, 1000) } }, status, more)
  const email = subscriberAddress(typed)
  if (email === undefined) return again('form_email')
  if (!form) return again('form_again')
  const from = keyedAddress(site.key, 'senders of sign-ups', networkOf(request.client))
  const buckets = [{ name: bucketName('subscribe from', from), limit: perNetwork }]
  const blockedUntil = await site.store.transaction((db) => countAttempt(db, buckets, now, hourMs))
  if (blockedUntil !== undefined) return again('form_wait', 429, { 'retry-after': String(secondsUntil(blockedUntil, now)) })
  // A program that fills in everything gets the same thanks.
  if ((fields.get(newsletterNames.trap) ?? '') === '') {
    const { language, agree: consent } = form
    void signUp(site, { email, language, consent }, now).catch((error: unknown) =>
      site.log.error('sign-up for the newsletter not taken', { error }),
    )
  }
  const here = `${urlOf(request.basePath, request.path)}?sent=${signUpSent}#${newsletterAnchor}`
  return redirect(303, here, { 'cache-control': 'no-store' })
}

/** The page with the word that a mail is on its way. */
export const signUpThanks = (site: Services, request: Request): Promise<Reply> =>
  postedPage(site, request, { signUp: { note: 'newsletter_sent', email: '' } }, 200)
