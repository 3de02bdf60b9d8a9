// Signing in and out. `next` is the page to open afterwards, always on this site. Accounts with a second factor continue in
// second-step-page.ts.

import { html, type Html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { endSession } from '../../identity/session.ts'
import { hasAccount } from '../../identity/set-up.ts'
import { textField } from '../parts/fields.ts'
import { readFields } from '../form.ts'
import { framedReply } from '../framed-reply.ts'
import { postForm } from '../parts/post-form.ts'
import { adminPaths, linkTo, safeNext } from '../paths.ts'
import { goTo } from '../reply.ts'
import { forgetSession, type Visit } from '../visit.ts'
import { isTooLong, refusal, tryPassword } from './attempts.ts'
import { canMailLink } from './forgot-page.ts'
import { keptField, type KeptForm, maxSignInBytes, readKept } from './kept-form.ts'
import { passPassword, windowOf } from './second-step-page.ts'

/** The contents of a sign-in page. */
export interface SignInView {
  /** The page to open after sign-in. */
  readonly next: string
  /** The reason for the sign-in: the app that waits for it. */
  readonly reason?: Html
  readonly email?: string
  readonly fault?: string
  readonly status?: number
  /** A form that was submitted after its session had ended. */
  readonly kept?: KeptForm | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** The page. An app may have opened it in its pop-up. */
export async function signInReply(visit: Visit, view: SignInView): Promise<Reply> {
  const body = formOf(visit, view, await canMailLink(visit))
  const page = { title: visit.t('access.sign_in'), kind: 'narrow', body } as const
  const { status, headers } = view
  return framedReply(visit, page, { status, headers }, windowOf(view.next))
}

function formOf(visit: Visit, { next, reason, email = '', fault, kept }: SignInView, mailsLinks: boolean): Html {
  const { t } = visit
  const command = html`<code>scripts/postern admin reset-password ${email || 'you@example.org'}</code>`
  return html`<section class="card">
    <h1>${t('access.sign_in')}</h1>
    ${reason}
    ${postForm(visit, {
      path: adminPaths.signIn,
      hidden: { next },
      body: html`${keptField(kept)}
        ${textField({ name: 'email', label: t('access.email'), type: 'email', value: email, autocomplete: 'username', required: true, autofocus: email === '' })}
        ${textField({ name: 'password', label: t('access.password'), type: 'password', autocomplete: 'current-password', required: true, autofocus: email !== '', fault })}
        <button class="primary">${t('access.sign_in')}</button>`,
    })}
    <details>
      <summary>${t('access.forgot_password')}</summary>
      ${
        mailsLinks
          ? html`<p><a href="${linkTo(visit.request, adminPaths.forgot)}">${t('access.forgot_by_mail')}</a></p>`
          : html`<p>${t.rich('access.forgot_password_next', { command })}</p>`
      }
    </details>
  </section>`
}

export async function showSignIn(visit: Visit): Promise<Reply> {
  const next = safeNext(visit.request.query.get('next'))
  if (visit.session) return goTo(visit, next, windowOf(next))
  if (!(await hasAccount(visit.site.store.read))) return goTo(visit, adminPaths.home)
  return signInReply(visit, { next })
}

export async function signIn(visit: Visit): Promise<Reply> {
  const fields = await readFields(visit, adminPaths.signIn, maxSignInBytes(visit))
  const kept = readKept(fields)
  const next = safeNext(fields.get('next'))
  const email = fields.get('email').trim().slice(0, 254)
  const tooLong = visit.t('access.password_too_long')
  if (isTooLong(fields)) return signInReply(visit, { next, email, fault: tooLong, status: 400, kept })
  const result = await tryPassword(visit, email, fields.get('password'))
  if ('account' in result) return passPassword(visit, result.account, { next, kept })
  const { log } = visit.site
  const about = { door: 'admin', reason: result.refused, address: visit.request.client }
  // A rate-limited attempt costs a stranger nothing. Warnings about such attempts would soon push everything else out of the error
  // log.
  if (result.refused === 'wrong') log.warn('sign-in refused', about)
  else log.info('sign-in refused', about)
  // The same answer for an unknown account and for a wrong password (attack 62).
  return signInReply(visit, { next, email, kept, ...refusal(visit, result, 'access.wrong_sign_in') })
}

/** POST: ends the session, so that a copy of its cookie becomes useless. */
export async function signOut(visit: Visit): Promise<Reply> {
  if (!visit.session) return goTo(visit, adminPaths.signIn)
  const fields = await readFields(visit, 'sign-out')
  const next = safeNext(fields.get('next'))
  await endSession(visit.site.store.write, visit.session.row.id, visit.now)
  const back = next === adminPaths.home ? adminPaths.signIn : `${adminPaths.signIn}?next=${encodeURIComponent(next)}`
  return goTo(visit, back, { ...windowOf(next), cookies: [forgetSession(visit.request)] })
}
