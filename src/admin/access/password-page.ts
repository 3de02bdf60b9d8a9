// Passwords. Changing the own password needs the current one, and ends all other sessions. A one-time link sets a password without
// the current one; the second step of the sign-in remains.

import { commit, recordChange } from '../../actions/call/commit.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import { Failure } from '../../base/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { callerOfAccount } from '../../identity/account-store.ts'
import { findLinkAccount, takeLink } from '../../identity/one-time-link.ts'
import { hashPassword, checkPassword } from '../../identity/password.ts'
import { seal, unseal } from '../../identity/sealed.ts'
import { endSessionsOf } from '../../identity/session.ts'
import type { Db } from '../../store/core/database.ts'
import type { AccountRow } from '../../store/core/schema.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { accountReply } from '../account/account-page.ts'
import { donePath } from '../parts/done-notice.ts'
import { csrfField, type Fields, readFields } from '../form.ts'
import { framedReply } from '../framed-reply.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { postForm } from '../parts/post-form.ts'
import { goTo } from '../reply.ts'
import { passkeyScript } from '../script.ts'
import { passwordField } from './set-up-page.ts'
import { isTooLong, refusal, type RefusedAttempt, tryCode, tryPassword } from './attempts.ts'
import { tryPasskey, usePasskeyForm } from './passkey-form.ts'
import { codeField, finish } from './second-step-page.ts'
import { type SignedIn, signInOn, type Visit } from '../visit.ts'

export async function changePassword(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, adminPaths.password)
  const { session, t } = visit
  const password = fields.get('password')
  const fault = passwordFault(visit, password)
  if (fault !== undefined) return accountReply(visit, { status: formStatus.invalid, password: { password: fault } })
  if (isTooLong(fields, 'current')) {
    return accountReply(visit, { status: 400, password: { current: t('access.password_too_long') } })
  }
  const result = await tryPassword(visit, session.account.email, fields.get('current'))
  if (!('account' in result)) {
    const { status, headers, fault: current } = refusal(visit, result, 'access.not_your_password')
    return accountReply(visit, { status, headers, password: { current } })
  }
  await setPassword(visit, result.account, { password, epochs: 0, summary: 'Changes a password.', also: async () => true })
  return goTo(visit, donePath(adminPaths.account, 'account.done_password'), { cookies: await signInOn(visit, result.account) })
}

function passwordFault({ t }: Visit, password: string): string | undefined {
  try {
    checkPassword(password)
    return undefined
  } catch (error) {
    if (error instanceof Failure) return sentenceOf(error, t)
    throw error
  }
}

/** The options of setting a password. */
interface Setting {
  readonly password: string
  /** 1 ends sessions and apps; 0 ends only sessions. */
  readonly epochs: 0 | 1
  readonly summary: string
  /** Runs first, in the same transaction. If it returns false, nothing changes. */
  readonly also: (db: Db) => Promise<boolean>
}

/** Sets a password and ends all sessions of its account. @returns the changed account; undefined where `also` returned false */
async function setPassword(
  { site, request, now }: Pick<Visit, 'site' | 'request' | 'now'>,
  { id }: AccountRow,
  { password, epochs, summary, also }: Setting,
): Promise<AccountRow | undefined> {
  const passwordHash = await hashPassword(password)
  return commit(site, 'SVC_Accounts.set-password', async (open) => {
    const { db } = open
    const account = await db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirst()
    if (!account || !(await also(db))) return undefined
    const caller = callerOfAccount(account, 'admin', request.client)
    const recording = { caller, call: 'SVC_Accounts.set-password', effect: 'act', summary, input: { id }, now } as const
    const { row } = await recordChange(open, recording, (change) =>
      change.update('account', account, { password_hash: passwordHash, epoch: account.epoch + epochs }),
    )
    await endSessionsOf(db, id, now)
    return row
  })
}

/** GET: the page behind a one-time link. */
export async function showNewPassword(visit: Visit): Promise<Reply> {
  const code = visit.request.query.get('code') ?? ''
  const account = await findLinkAccount(visit.site.store.read, code, visit.now)
  if (!account) return voidLink(visit)
  return account.second_factor === 1 ? proofReply(visit, code, account) : newPasswordReply(visit, { code, account })
}

const proofPurpose = 'new-password-proof'
/** The time for which a proof of the second factor counts. */
const proofMs = 10 * 60_000

/** The proof that a browser has shown the second factor of the account of a link. */
interface LinkProof {
  readonly account: string
  readonly epoch: number
  readonly holder: string
  readonly expiresAt: number
}

/** The page that asks for the second factor first. Whoever reads somebody's mails gets no further (attack 168). */
async function proofReply(visit: Visit, code: string, account: AccountRow, refused?: RefusedAttempt): Promise<Reply> {
  const { t } = visit
  const carried = html`<input type="hidden" name="code" value="${code}" />`
  const passkey = await usePasskeyForm(visit, account, 'sign-in', {
    action: adminPaths.newPassword,
    button: t('access.use_passkey'),
    fields: carried,
  })
  const form = postForm(visit, {
    path: adminPaths.newPassword,
    body: html`${carried} ${codeField(visit, { name: 'factor', autofocus: true, fault: refused?.fault })}
      <button class="${passkey ? '' : 'primary'}">${t('access.continue')}</button>`,
  })
  const body = html`<section class="card">
    <h1>${t('access.one_more_step')}</h1>
    <p>${t('access.prove_first')}</p>
    ${passkey} ${form}
  </section>`
  const page = { title: t('access.one_more_step'), kind: 'narrow', body, ...(passkey && { script: passkeyScript }) } as const
  return framedReply(visit, page, { status: refused?.status, headers: refused?.headers })
}

/** Takes the second factor. @returns the sealed proof, or the refusal */
async function proveFactor(visit: Visit, account: AccountRow, fields: Fields): Promise<string | RefusedAttempt> {
  const { site, holder, now } = visit
  const isPasskey = fields.has('credential')
  const result = isPasskey
    ? (await tryPasskey(visit, account, 'sign-in', fields))
      ? 'right'
      : ({ refused: 'wrong' } as const)
    : await tryCode(visit, account, fields.get('factor'))
  if (result !== 'right') return refusal(visit, result, isPasskey ? 'access.wrong_passkey' : 'access.wrong_code')
  const proof: LinkProof = { account: account.id, epoch: account.epoch, holder, expiresAt: now + proofMs }
  return seal(site.key, proofPurpose, proof)
}

function isProven({ site, holder, now }: Visit, account: AccountRow, text: string): boolean {
  if (account.second_factor === 0) return true
  // Only this site can have sealed it.
  const proof = unseal(site.key, proofPurpose, text) as LinkProof | undefined
  const isOwn = proof?.account === account.id && proof.epoch === account.epoch && proof.holder === holder
  return isOwn && proof.expiresAt > now
}

/** The contents of the page for a new password. */
interface NewPasswordView {
  readonly code: string
  readonly account: AccountRow
  readonly proof?: string
  readonly fault?: string
}

function newPasswordReply(visit: Visit, { code, account, proof, fault }: NewPasswordView): Reply {
  const { t } = visit
  const body = html`<section class="card">
    <h1>${t('access.set_password_title')}</h1>
    <p>${t('access.set_password_lead', { email: account.email })}</p>
    <form method="post" action="${linkTo(visit.request, adminPaths.newPassword)}">
      ${csrfField(visit, adminPaths.newPassword)}
      <input type="hidden" name="code" value="${code}" />
      ${proof !== undefined && html`<input type="hidden" name="proof" value="${proof}" />`}
      <input type="hidden" name="username" value="${account.email}" autocomplete="username" />
      ${passwordField(visit, { fault })}
      <button class="primary">${t('access.set_password')}</button>
    </form>
  </section>`
  const page = { title: t('access.set_password_title'), kind: 'narrow', body } as const
  return framedReply(visit, page, { status: fault === undefined ? 200 : formStatus.invalid })
}

function voidLink(visit: Visit): Reply {
  const { t, request } = visit
  const command = html`<code>scripts/postern admin reset-password you@example.org</code>`
  const body: Html = html`<section class="card">
    <h1>${t('access.void_link')}</h1>
    <p>${t.rich('access.void_link_next', { command })}</p>
    <p><a href="${linkTo(request, adminPaths.signIn)}">${t('access.sign_in')}</a></p>
  </section>`
  return framedReply(
    visit,
    { title: t('access.void_link'), kind: 'narrow', body },
    { status: 403, fault: t('access.void_link_why') },
  )
}

export async function takeNewPassword(visit: Visit): Promise<Reply> {
  const fields = await readFields(visit, adminPaths.newPassword)
  const code = fields.get('code')
  const password = fields.get('password')
  const account = await findLinkAccount(visit.site.store.read, code, visit.now)
  if (!account) return voidLink(visit)
  const proof = fields.get('proof')
  if (!isProven(visit, account, proof)) {
    const proven = await proveFactor(visit, account, fields)
    return typeof proven === 'string'
      ? newPasswordReply(visit, { code, account, proof: proven })
      : proofReply(visit, code, account, proven)
  }
  const fault = passwordFault(visit, password)
  if (fault !== undefined) return newPasswordReply(visit, { code, account, proof, fault })
  const summary = 'Sets a password by a one-time link.'
  const set = await setPassword(visit, account, { password, epochs: 1, summary, also: (db) => takeLink(db, code, visit.now) })
  return set ? finish(visit, set, { next: adminPaths.home }) : voidLink(visit)
}
