// Sensitive forms need proof within the last 15 minutes that the person is present (attack 128): the password, or a code if the
// account has a second factor. This file has the fields and their check.

import { randomBytes } from 'node:crypto'
import { html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { isFresh, noteAuthenticated } from '../../identity/session.ts'
import { textField } from '../parts/fields.ts'
import { hereOf } from '../navigation.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { Fields } from '../form.ts'
import type { Refused } from '../framed-reply.ts'
import { type Again, formTaker, type Work } from '../parts/post-form.ts'
import type { SignedIn } from '../visit.ts'
import { isTooLong, refusal, tryCode, tryPassword } from './attempts.ts'
import { codeField } from './second-step-page.ts'

/**
 * Returns the fault for the form that was submitted, among several such forms on a page.
 * @param path the address of the form
 * @param id the object of the form
 */
export const proofFault = (visit: SignedIn, refused: Refused, path: string, id?: string): string | undefined =>
  hereOf(visit) === path && (id === undefined || id === refused.proofOf) ? refused.passwordFault : undefined

const hasSecondFactor = ({ session }: SignedIn): boolean => session.account.second_factor === 1

/** The field for the password, or for a code. False if the last sign-in is recent enough. */
export function passwordAgain(visit: SignedIn, fault: string | undefined): HtmlValue {
  if (isFresh(visit.session.row, visit.now)) return false
  const { t } = visit
  const either = hasSecondFactor(visit)
  // A page may have these fields in several forms.
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

/** Checks the proof in a form. @returns undefined if the person gave proof recently, or gives it with this form */
export async function confirmPassword(visit: SignedIn, fields: Fields): Promise<Refused | undefined> {
  const { session, site, now } = visit
  if (isFresh(session.row, now)) return undefined
  const proofOf = fields.get('id')
  if (isTooLong(fields)) return { status: 400, passwordFault: visit.t('access.password_too_long'), proofOf, headers: {} }
  const refused = await tryProof(visit, fields)
  if (refused) return refused
  await noteAuthenticated(site.store.write, session.row.id, now)
  // Updated as in the database: the proof also counts for the rest of this request.
  session.row.authenticated_at = now
  delete visit.caller.unproven
  return undefined
}

/** Returns the handler of forms that need the proof. @param works as in `formTaker` */
export function provenTaker(
  purpose: string,
  works: Readonly<Record<string, Work>> | Work,
  again: Again,
): (visit: SignedIn) => Promise<Reply> {
  const proven =
    (work: Work): Work =>
    async (visit, fields) => {
      const refused = await confirmPassword(visit, fields)
      return refused ? again(visit, { ...refused, fields }) : work(visit, fields)
    }
  if (typeof works === 'function') return formTaker(purpose, proven(works), again)
  const all = Object.entries(works).map(([name, work]) => [name, proven(work)])
  return formTaker(purpose, Object.fromEntries(all) as typeof works, again)
}

async function tryProof(visit: SignedIn, fields: Fields): Promise<Refused | undefined> {
  const { account } = visit.session
  const code = fields.get('code').trim()
  if (code !== '' && hasSecondFactor(visit)) {
    const result = await tryCode(visit, account, code)
    return result === 'right' ? undefined : toRefused(fields, refusal(visit, result, 'access.wrong_code'))
  }
  const result = await tryPassword(visit, account.email, fields.get('password'))
  return 'account' in result ? undefined : toRefused(fields, refusal(visit, result, 'access.not_your_password'))
}

const toRefused = (fields: Fields, { fault, ...rest }: ReturnType<typeof refusal>): Refused => ({
  ...rest,
  passwordFault: fault,
  proofOf: fields.get('id'),
})
