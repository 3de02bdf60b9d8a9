// "Forgot your password?" by mail. The answer is the same for every address, and so is its time: the account is looked for after
// the answer (attack 168). Asking ends no session and no link, so that nobody can disturb another person with it.

import { findMailOrigin, mailAccount } from '../../actions/mail/site-mail.ts'
import type { Services } from '../../actions/call/services.ts'
import { html } from '../../doors/shared/html.ts'
import { rateKey } from '../../http/addresses.ts'
import type { Reply } from '../../http/reply.ts'
import { normalEmail } from '../../identity/account-store.ts'
import { bucketName, countAttempt, secondsUntil } from '../../identity/attempts.ts'
import { addLink, linkPath, resetMs } from '../../identity/one-time-link.ts'
import { readFields } from '../form.ts'
import { framedReply } from '../framed-reply.ts'
import { postForm } from '../parts/post-form.ts'
import { textField } from '../parts/fields.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { Visit } from '../visit.ts'

const hourMs = 3_600_000
/** The mails an hour for one account, and the questions an hour from one network address. */
const perAccount = 3
const perAddress = 20

/** True if the site can send a link for a new password. */
export const canMailLink = async ({ site }: Visit): Promise<boolean> =>
  (await findMailOrigin(site, site.store.read)) !== undefined

export async function showForgot(visit: Visit): Promise<Reply> {
  return forgotReply(visit)
}

async function forgotReply(visit: Visit, refused: { email?: string; fault?: string; seconds?: number } = {}): Promise<Reply> {
  const { t, request } = visit
  const { email, fault, seconds } = refused
  const command = html`<code>scripts/postern admin reset-password ${email || 'you@example.org'}</code>`
  const form = postForm(visit, {
    path: adminPaths.forgot,
    body: html`<p>${t('access.forgot_lead')}</p>
      ${textField({ name: 'email', label: t('access.email'), type: 'email', value: email, autocomplete: 'username', required: true, autofocus: true, fault })}
      <button class="primary">${t('access.forgot_send')}</button>`,
  })
  const body = html`<section class="card">
    <h1>${t('access.forgot_password')}</h1>
    ${(await canMailLink(visit)) ? form : html`<p>${t.rich('access.forgot_password_next', { command })}</p>`}
    <p><a href="${linkTo(request, adminPaths.signIn)}">${t('access.sign_in')}</a></p>
  </section>`
  const page = { title: t('access.forgot_password'), kind: 'narrow', body } as const
  if (seconds === undefined) return framedReply(visit, page)
  return framedReply(visit, page, { status: 429, headers: { 'retry-after': String(seconds) } })
}

export async function takeForgot(visit: Visit): Promise<Reply> {
  const { site, request, now, t } = visit
  const fields = await readFields(visit, adminPaths.forgot)
  const email = fields.get('email').trim().slice(0, 254)
  if (!(await canMailLink(visit))) return forgotReply(visit, { email })
  const from = [{ name: bucketName('reset from', rateKey(request.client)), limit: perAddress }]
  const blockedUntil = await site.store.transaction((db) => countAttempt(db, from, now, hourMs))
  if (blockedUntil !== undefined) {
    const seconds = secondsUntil(blockedUntil, now)
    return forgotReply(visit, { email, seconds, fault: t('access.too_many_minutes', { count: Math.ceil(seconds / 60) }) })
  }
  void sendLink(site, email, now).catch((error: unknown) => site.log.error('link for a new password not sent', { error }))
  const body = html`<section class="card">
    <h1>${t('access.forgot_sent_title')}</h1>
    <p>${t('access.forgot_sent', { email })}</p>
    <p><a href="${linkTo(request, adminPaths.signIn)}">${t('access.sign_in')}</a></p>
  </section>`
  return framedReply(visit, { title: t('access.forgot_sent_title'), kind: 'narrow', body })
}

/** Sends the link, if the address belongs to an account that may sign in. */
async function sendLink(site: Services, given: string, now: number): Promise<void> {
  const email = normalEmail(given)
  const queued = await site.store.transaction(async (db) => {
    const account = await db.selectFrom('account').selectAll().where('email', '=', email).executeTakeFirst()
    if (!account || account.disabled === 1) return false
    const mails = [{ name: bucketName('reset', account.id), limit: perAccount }]
    if ((await countAttempt(db, mails, now, hourMs)) !== undefined) return false
    const code = await addLink(db, account, now, resetMs)
    return mailAccount(site, db, { kind: 'reset', account, path: `${linkPath}?code=${code}`, until: now + resetMs }, now)
  })
  if (queued) site.mail.ring()
}
