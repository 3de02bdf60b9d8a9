// Sensitive forms need a proof within the last quarter of an hour that the person is there (attack 128): the password, or a code where the account has
// a second factor. These are the fields and their check.

import { html, type HtmlValue } from '../../doors/html.ts'
import { isFresh, noteAuthenticated } from '../../identity/session.ts'
import { textField } from '../parts/fields.ts'
import { hereOf } from '../navigation.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { Fields } from '../form.ts'
import type { SignedIn } from '../visit.ts'
import { isTooLong, refusal, tryCode, tryPassword, wrongCode } from './attempts.ts'
import { codeField } from './second-step-page.ts'

/** How a page answers a wrong password or code. */
export interface PasswordRefused {
  readonly status: number
  readonly passwordFault: string
  readonly headers: Readonly<Record<string, string>>
}

const hasSecondFactor = ({ session }: SignedIn): boolean => session.account.second_factor === 1

/** The field for the password, and for a code, where the last sign-in is too long ago; false where it is not. */
export function passwordAgain(visit: SignedIn, fault: string | undefined): HtmlValue {
  if (isFresh(visit.session.row, visit.now)) return false
  const either = hasSecondFactor(visit)
  const help = `You signed in some time ago, so please confirm your password${either ? ' or give a code' : ''}.`
  const field = { name: 'password', label: 'Your password', autocomplete: 'current-password', required: !either, help, fault }
  const passkey = html`<p class="help">
    Or <a href="${linkTo(visit.request, adminPaths.confirm)}" target="_blank">confirm with a passkey</a> in another tab, then send
    this form.
  </p>`
  return html`${textField({ ...field, type: 'password' })}
  ${either && [codeField({}), hereOf(visit) !== adminPaths.confirm && passkey]}`
}

/** @returns undefined where the person proved who they are recently, or this form does */
export async function confirmPassword(visit: SignedIn, fields: Fields): Promise<PasswordRefused | undefined> {
  const { session, site, now } = visit
  if (isFresh(session.row, now)) return undefined
  if (isTooLong(fields)) return { status: 400, passwordFault: 'A password has at most 1024 bytes.', headers: {} }
  const refused = await tryProof(visit, fields)
  if (refused) return refused
  await noteAuthenticated(site.store.write, session.row.id, now)
  return undefined
}

async function tryProof(visit: SignedIn, fields: Fields): Promise<PasswordRefused | undefined> {
  const { account } = visit.session
  const code = fields.get('code').trim()
  if (code !== '' && hasSecondFactor(visit)) {
    const result = await tryCode(visit, account, code)
    return result === 'right' ? undefined : toRefused(refusal(result, wrongCode))
  }
  const result = await tryPassword(visit, account.email, fields.get('password'))
  return 'account' in result ? undefined : toRefused(refusal(result, 'That is not your password.'))
}

const toRefused = ({ fault, ...rest }: ReturnType<typeof refusal>): PasswordRefused => ({ ...rest, passwordFault: fault })
