// Sensitive forms need a password that was given within the last quarter of an hour (attack 128). This is the field and its check.

import type { HtmlValue } from '../../doors/html.ts'
import { isFresh, noteAuthenticated } from '../../identity/session.ts'
import { textField } from '../parts/fields.ts'
import type { Fields } from '../form.ts'
import { isTooLong, refusal, tryPassword } from './sign-in-page.ts'
import type { SignedIn } from '../visit.ts'

/** How a page answers a wrong password. */
export interface PasswordRefused {
  readonly status: number
  readonly passwordFault: string
  readonly headers: Readonly<Record<string, string>>
}

/** The password field, where the last sign-in is too long ago; false where it is not. */
export function passwordAgain({ session, now }: SignedIn, fault: string | undefined): HtmlValue {
  if (isFresh(session.row, now)) return false
  const help = 'You signed in some time ago, so please confirm your password.'
  const field = { name: 'password', label: 'Your password', autocomplete: 'current-password', required: true, help, fault }
  return textField({ ...field, type: 'password' })
}

/** @returns undefined where the password was given recently, or this form has the right one */
export async function confirmPassword(visit: SignedIn, fields: Fields): Promise<PasswordRefused | undefined> {
  const { session, site, now } = visit
  if (isFresh(session.row, now)) return undefined
  if (isTooLong(fields)) return { status: 400, passwordFault: 'A password has at most 1024 bytes.', headers: {} }
  const result = await tryPassword(visit, session.account.email, fields.get('password'))
  if ('account' in result) {
    await noteAuthenticated(site.store.write, session.row.id, now)
    return undefined
  }
  const { status = 403, headers = {}, fault } = refusal(result)
  return { status, headers, passwordFault: result.refused === 'wrong' ? 'That is not your password.' : fault }
}
