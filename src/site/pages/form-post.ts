// A form that a visitor sent from a page: the page again with what is wrong and everything that was typed, or the page with thanks.
// Neither is kept.

import { askedFields, submitForm, type Submitted } from '../../actions/forms/submit-form.ts'
import { Failure } from '../../base/failure.ts'
import type { Services } from '../../actions/call/services.ts'
import { urlOf } from '../../content/entries/entry.ts'
import { findForm } from '../../forms/form-store.ts'
import { hiddenName } from '../../forms/spam.ts'
import { rateKey } from '../../http/addresses.ts'
import { redirect, type Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import { anonymous } from '../../identity/caller.ts'
import type { VisitorFormRow } from '../../store/core/schema.ts'
import { inTurn } from './link-turns.ts'
import { signUpSent, signUpThanks } from './newsletter-post.ts'
import { anchorOf, formNames } from './page-data/forms.ts'
import { postedPage } from './posted-page.ts'

/** The query of the page with thanks. */
const sentName = 'sent'

/** Takes a form of the site. @returns undefined if there is no such form */
export async function takeForm(site: Services, request: Request, sent: URLSearchParams): Promise<Reply | undefined> {
  const form = await findForm(site.store.read, sent.get(formNames.form) ?? '')
  if (!form) return undefined
  const busy = 'Too many forms come from this address at once. Try again in a moment.'
  return inTurn(`form ${rateKey(request.client)}`, () => answerForm(site, request, form, sent), busy)
}

async function answerForm(site: Services, request: Request, form: VisitorFormRow, sent: URLSearchParams): Promise<Reply> {
  const now = site.clock.now()
  const textOf = (name: string) => sent.get(name) ?? ''
  const caller = anonymous('api', request.client)
  const hidden = textOf(hiddenName(askedFields(form)))
  const given = { form, textOf, hidden, token: textOf(formNames.token), path: request.path, caller }
  const outcome = await site.store.transaction((db) => submitForm(site, db, given, now)).catch(asWait)
  site.mail.ring()
  site.webhooks.wake()
  if (outcome.state !== 'taken') {
    const status = outcome.state === 'wait' ? 429 : 422
    const retry = outcome.state === 'wait' ? { 'retry-after': String(outcome.seconds) } : undefined
    return postedPage(site, request, { form: { slug: form.slug, outcome, textOf } }, status, retry)
  }
  const here = `${urlOf(request.basePath, request.path)}?${sentName}=${form.slug}#${anchorOf(form.slug)}`
  const thanks = form.thanks_page === null ? here : request.basePath + form.thanks_page
  return redirect(303, thanks, { 'cache-control': 'no-store' })
}

/** A database that has too much to do loses nothing: the page comes back as it was filled in. @throws every other error */
function asWait(error: unknown): Submitted {
  if (error instanceof Failure && error.code === 'unavailable') return { state: 'wait', seconds: error.detail.retry_after ?? 1 }
  throw error
}

/** The page with thanks for a form or a sign-up; undefined for every other request. */
export async function findThanks(site: Services, request: Request): Promise<Reply | undefined> {
  const slug = request.query.get(sentName)
  if (slug === null || slug === '' || slug.length > 100) return undefined
  const busy = 'This page is busy. Try again in a moment.'
  if (slug === signUpSent) return inTurn(`thanks ${rateKey(request.client)}`, () => signUpThanks(site, request), busy)
  const form = await findForm(site.store.read, slug)
  if (!form || form.slug !== slug) return undefined
  const thanks = { form: { slug, outcome: { state: 'taken' }, textOf: () => '' } } as const
  return inTurn(`thanks ${rateKey(request.client)}`, () => postedPage(site, request, thanks, 200), busy)
}
