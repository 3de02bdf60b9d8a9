// What is most sensitive wants the password of the last quarter of an hour (attack 128): the field that asks for it, and whether it is right.

import type { HtmlValue } from '../doors/html.ts'
import { isFresh, noteAuthenticated } from '../identity/session.ts'
import { textField } from './fields.ts'
import type { Fields } from './form.ts'
import { isTooLong, refusal, tryPassword } from './sign-in-page.ts'
import type { SignedIn } from './visit.ts'

/** How a page is shown whose password was not right. */
export interface PasswordRefused {
  readonly status: number
  readonly passwordFault: string
  readonly headers: Readonly<Record<string, string>>
}

/** The field of a form, where the password was given some time ago. */
export function passwordAgain({ session, now }: SignedIn, fault: string | undefined): HtmlValue {
  if (isFresh(session.row, now)) return false
  const help = 'Asked again, as you signed in some time ago.'
  const field = { name: 'password', label: 'Your password', autocomplete: 'current-password', required: true, help, fault }
  return textField({ ...field, type: 'password' })
}

/** Undefined when all is well: the password was given lately, or is right now. */
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
