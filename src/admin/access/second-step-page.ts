// The second step of the sign-in, for accounts with a second factor. There is no session before this step, so no other page can be
// opened instead (attack 65). The result of the first step is sealed in the form, for this browser and ten minutes.

import { createHash } from 'node:crypto'
import { mailAccountNow } from '../../actions/mail/site-mail.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import type { CodeCheck } from '../../identity/check-code.ts'
import { seal, unseal } from '../../identity/sealed.ts'
import { endSession } from '../../identity/session.ts'
import { headerText } from '../../mail/mail-address.ts'
import type { AccountRow } from '../../store/core/schema.ts'
import { readFields } from '../form.ts'
import { framedReply } from '../framed-reply.ts'
import { postForm } from '../parts/post-form.ts'
import { textField } from '../parts/fields.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo, type ReplyOptions } from '../reply.ts'
import { passkeyScript } from '../script.ts'
import { earlierSession, signInOn, type Visit } from '../visit.ts'
import type { MessageKey } from '../words.ts'
import { refusal, type RefusedAttempt, tryCode } from './attempts.ts'
import { keptField, type KeptForm, keptReply, maxSignInBytes, readKept } from './kept-form.ts'
import { tryPasskey, usePasskeyForm } from './passkey-form.ts'

const purpose = 'second-step'
/** The time limit for the second step. */
const ttlMs = 10 * 60_000

/** The result of the first step. */
interface FirstStep {
  readonly account: string
  readonly epoch: number
  /** A hash of the stored password hash. A change of the password cancels the sign-in. */
  readonly password: string
  /** The id of the browser. */
  readonly holder: string
  readonly next: string
  readonly expiresAt: number
}

/** Reply options for a page that an app may have opened in its pop-up. */
export const windowOf = (next: string): ReplyOptions => ({ inPopUp: next.startsWith(adminPaths.authorize) })

/** Continues after a correct password: with the second step, or signed in. */
export async function passPassword(visit: Visit, account: AccountRow, after: After): Promise<Reply> {
  if (account.second_factor === 0) return finish(visit, account, after)
  return secondStepReply(visit, firstStepOf(visit, account, after.next), after.kept)
}

/** The continuation after the sign-in. */
interface After {
  readonly next: string
  /** A form that was submitted after its session had ended. */
  readonly kept?: KeptForm | undefined
}

function firstStepOf({ holder, now }: Visit, account: AccountRow, next: string): FirstStep {
  return { account: account.id, epoch: account.epoch, password: printOf(account), holder, next, expiresAt: now + ttlMs }
}

const printOf = ({ password_hash: hash }: AccountRow): string => createHash('sha256').update(String(hash)).digest('base64url')

/** Signs in on this browser, after all steps. The person is told of a browser that is new to the account. */
export async function finish(visit: Visit, account: AccountRow, { next, kept }: After): Promise<Reply> {
  const isOwn = kept && (await earlierSession(visit, account)) !== undefined
  // The old session ends, because this browser gets the cookie of the new one.
  if (visit.session) await endSession(visit.site.store.write, visit.session.row.id, visit.now)
  const cookies = await signInOn(visit, account)
  if (visit.known?.accountId !== account.id) await tellNewBrowser(visit, account)
  visit.site.log.info('signed in', { account: account.id, address: visit.request.client })
  return isOwn ? keptReply(visit, kept, cookies) : goTo(visit, next, { ...windowOf(next), cookies })
}

async function tellNewBrowser({ site, request, now }: Visit, account: AccountRow): Promise<void> {
  const agent = headerText(request.header('user-agent') ?? '?')
  const values = { address: request.client, agent }
  const mail = { kind: 'new_browser', account, values, path: adminPaths.account } as const
  await mailAccountNow(site, mail, now)
}

async function secondStepReply(
  visit: Visit,
  step: FirstStep,
  kept: KeptForm | undefined,
  refused?: RefusedAttempt,
): Promise<Reply> {
  const { t } = visit
  const { status, fault, headers } = refused ?? {}
  const carried = html`${stepField(visit, step)} ${keptField(kept)}`
  const passkey = await usePasskeyForm(visit, { id: step.account }, 'sign-in', {
    action: adminPaths.secondStep,
    button: t('access.use_passkey'),
    fields: carried,
  })
  const body = formOf(visit, carried, { fault, passkey })
  const page = { title: t('access.second_step_title'), kind: 'narrow', body, ...(passkey && { script: passkeyScript }) } as const
  return framedReply(visit, page, { status, headers }, windowOf(step.next))
}

const stepField = ({ site }: Visit, step: FirstStep): Html =>
  html`<input type="hidden" name="step" value="${seal(site.key, purpose, step)}" />`

function formOf(visit: Visit, carried: Html, { fault, passkey }: { fault: string | undefined; passkey: HtmlValue }): Html {
  const { t } = visit
  const command = html`<code>scripts/postern admin reset-password you@example.org --second-factor</code>`
  return html`<section class="card">
    <h1>${t('access.one_more_step')}</h1>
    ${passkey}
    ${postForm(visit, {
      path: adminPaths.secondStep,
      body: html`${carried} ${codeField(visit, { autofocus: true, fault })}
        <button class="${passkey ? '' : 'primary'}">${t('access.sign_in_with_code')}</button>`,
    })}
    <details>
      <summary>${t('access.lost_device')}</summary>
      <p>${t.rich('access.lost_device_next', { command })}</p>
    </details>
    <p><a href="${linkTo(visit.request, adminPaths.signIn)}">${t('access.as_somebody_else')}</a></p>
  </section>`
}

/** The field for a code of the authenticator app, or for a recovery code. */
export const codeField = (
  { t }: Visit,
  more: { readonly name?: string; readonly autofocus?: boolean; readonly id?: string; readonly fault?: string | undefined } = {},
): Html =>
  textField({
    name: 'code',
    label: t('access.code'),
    autocomplete: 'one-time-code',
    help: t('access.code_help'),
    ...more,
  })

export async function takeSecondStep(visit: Visit): Promise<Reply> {
  const fields = await readFields(visit, adminPaths.secondStep, maxSignInBytes(visit))
  const kept = readKept(fields)
  const found = await findFirstStep(visit, fields.get('step'))
  if (!found) return goTo(visit, adminPaths.signIn)
  const { step, account } = found
  if (fields.has('credential')) {
    const passed = await tryPasskey(visit, account, 'sign-in', fields)
    if (passed) return finish(visit, account, { next: step.next, kept })
    return refuse(visit, { ...found, kept }, { refused: 'wrong' }, 'access.wrong_passkey')
  }
  const result = await tryCode(visit, account, fields.get('code'))
  if (result === 'right') return finish(visit, account, { next: step.next, kept })
  return refuse(visit, { ...found, kept }, result, 'access.wrong_code')
}

function refuse(
  visit: Visit,
  { step, account, kept }: FoundStep & Pick<After, 'kept'>,
  result: Exclude<CodeCheck, 'right'>,
  wrong: MessageKey,
): Promise<Reply> {
  visit.site.log[result.refused === 'wrong' ? 'warn' : 'info']('second step refused', {
    door: 'admin',
    reason: result.refused,
    account: account.id,
    address: visit.request.client,
  })
  return secondStepReply(visit, step, kept, refusal(visit, result, wrong))
}

interface FoundStep {
  readonly step: FirstStep
  readonly account: AccountRow
}

/**
 * Finds the sign-in that a form continues; undefined if it belongs to another browser, has expired, or the account has changed
 * since.
 */
async function findFirstStep({ site, holder, now }: Visit, text: string): Promise<FoundStep | undefined> {
  // Only this site can have sealed it.
  const step = unseal(site.key, purpose, text) as FirstStep | undefined
  if (!step || step.holder !== holder || step.expiresAt <= now) return undefined
  const account = await site.store.read.selectFrom('account').selectAll().where('id', '=', step.account).executeTakeFirst()
  const same = account?.disabled === 0 && account.epoch === step.epoch && printOf(account) === step.password
  return same ? { step, account } : undefined
}
