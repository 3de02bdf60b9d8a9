// The password of an entry in the editor. It takes effect at once, so it is saved with a button and never by itself, and no page
// shows it again.

import { maxPasswordChars, minPasswordChars } from '../../actions/content/page-password.ts'
import { content } from '../../actions/content/index.ts'
import type { Failure } from '../../base/failure.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Fields } from '../form.ts'
import { run } from '../page.ts'
import { checkField, textField } from '../parts/fields.ts'
import type { SignedIn } from '../visit.ts'
import { faultOf, type FormParts } from './form-parts.ts'

/** The names of its controls, which the scripts of the editor neither send nor keep on the device. */
const names = { password: 'password', remove: 'password_remove' } as const

export function passwordField(parts: FormParts): Html {
  const { t } = parts.visit
  const has = parts.item.has_password
  const remove: HtmlValue = has && checkField({ name: names.remove, label: t('content.password_remove') })
  return html`${textField({
    name: names.password,
    type: 'password',
    label: t(has ? 'content.password_new' : 'content.password'),
    autocomplete: 'new-password',
    minLength: minPasswordChars,
    help: t(has ? 'content.password_help_set' : 'content.password_help'),
    fault: faultOf(t, parts, names.password),
  })}
  ${remove}`
}

type PasswordInput = { readonly password?: string | null }

/** The argument of a form; empty if the password stays as it is. */
export function passwordIn(fields: Fields): PasswordInput {
  const typed = fields.get(names.password).slice(0, maxPasswordChars + 1)
  if (typed !== '') return { password: typed }
  return fields.get(names.remove) === 'yes' ? { password: null } : {}
}

/** Writes the password of a form alone, since it can't wait with other changes. Returns the new revision of the entry. */
export async function savePassword(
  visit: SignedIn,
  id: string,
  { fields, revision }: { readonly fields: Fields; readonly revision: number },
): Promise<{ readonly revision: number; readonly failure?: Failure }> {
  const input = passwordIn(fields)
  if (Object.keys(input).length === 0) return { revision }
  const { data, failure } = await run(visit, content.update, { id, ...input }, { ifRevision: revision })
  return failure ? { revision, failure } : { revision: data.item.revision }
}
