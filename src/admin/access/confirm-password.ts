// Sensitive forms need a proof within the last quarter of an hour that the person is there (attack 128): the password, or a code where the account has
// a second factor. These are the fields and their check.

import { randomBytes } from 'node:crypto'
import { html, type HtmlValue } from '../../doors/html.ts'
import { isFresh, noteAuthenticated } from '../../identity/session.ts'
import { textField } from '../parts/fields.ts'
import { hereOf } from '../navigation.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { Fields } from '../form.ts'
import type { SignedIn } from '../visit.ts'
import { isTooLong, refusal, tryCode, tryPassword } from './attempts.ts'
import { codeField } from './second-step-page.ts'

/** How a page answers a wrong password or code. */
export interface PasswordRefused {
  readonly status: number
  readonly passwordFault: string
  /** The hidden `id` of the form that was sent: what it is about. */
  readonly proofOf: string
  readonly headers: Readonly<Record<string, string>>
}

/** The fault for one of several such forms of a page: for the form that was sent. @param path where the form goes @param id what it is about */
export const proofFault = (visit: SignedIn, refused: Partial<PasswordRefused>, path: string, id?: string): string | undefined =>
  hereOf(visit) === path && (id === undefined || id === refused.proofOf) ? refused.passwordFault : undefined

const hasSecondFactor = ({ session }: SignedIn): boolean => session.account.second_factor === 1

/** The field for the password, and for a code, where the last sign-in is too long ago; false where it is not. */
export function passwordAgain(visit: SignedIn, fault: string | undefined): HtmlValue {
  if (isFresh(visit.session.row, visit.now)) return false
  const { t } = visit
  const either = hasSecondFactor(visit)
  // Several forms of a page may have these fields.
  const form = randomBytes(4).toString('hex')
  const help = t(either ? 'access.confirm_either_help' : 'access.confirm_password_help')
  const field = {
    name: 'password',
    id: `password-${form}`,
    label: t('access.your_password'),
    autocomplete: 'current-password',
    required: !either,
    help,
    fault,
  }
  const link = html`<a href="${linkTo(visit.request, adminPaths.confirm)}" target="_blank">${t('access.or_passkey_link')}</a>`
  const passkey = html`<p class="help">${t.rich('access.or_passkey', { link })}</p>`
  return html`${textField({ ...field, type: 'password' })}
  ${either && [codeField(visit, { id: `code-${form}` }), hereOf(visit) !== adminPaths.confirm && passkey]}`
}

/** @returns undefined where the person proved who they are recently, or this form does */
export async function confirmPassword(visit: SignedIn, fields: Fields): Promise<PasswordRefused | undefined> {
  const { session, site, now } = visit
  if (isFresh(session.row, now)) return undefined
  const proofOf = fields.get('id')
  if (isTooLong(fields)) return { status: 400, passwordFault: visit.t('access.password_too_long'), proofOf, headers: {} }
  const refused = await tryProof(visit, fields)
  if (refused) return refused
  await noteAuthenticated(site.store.write, session.row.id, now)
  // As it is stored now: what follows in this request has the proof, too.
  session.row.authenticated_at = now
  delete visit.caller.unproven
  return undefined
}

async function tryProof(visit: SignedIn, fields: Fields): Promise<PasswordRefused | undefined> {
  const { account } = visit.session
  const code = fields.get('code').trim()
  if (code !== '' && hasSecondFactor(visit)) {
    const result = await tryCode(visit, account, code)
    return result === 'right' ? undefined : toRefused(fields, refusal(visit, result, 'access.wrong_code'))
  }
  const result = await tryPassword(visit, account.email, fields.get('password'))
  return 'account' in result ? undefined : toRefused(fields, refusal(visit, result, 'access.not_your_password'))
}

const toRefused = (fields: Fields, { fault, ...rest }: ReturnType<typeof refusal>): PasswordRefused => ({
  ...rest,
  passwordFault: fault,
  proofOf: fields.get('id'),
})
