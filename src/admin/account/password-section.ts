// The form for changing one's own password. access/password-page.ts takes it.

import { html, type Html } from '../../doors/shared/html.ts'
import { passwordField } from '../access/set-up-page.ts'
import { textField } from '../parts/fields.ts'
import { panel } from '../parts/panel.ts'
import { postForm } from '../parts/post-form.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'

/** The faults of the current password and of the new one. */
export interface PasswordFault {
  readonly current?: string
  readonly password?: string
}

export function passwordSection(visit: SignedIn, { current, password }: PasswordFault = {}): Html {
  const { session, t } = visit
  const form = postForm(visit, {
    path: adminPaths.password,
    body: html`<input type="hidden" name="username" value="${session.account.email}" autocomplete="username" />
      ${textField({ name: 'current', label: t('account.current_password'), type: 'password', autocomplete: 'current-password', required: true, fault: current })}
      ${passwordField(visit, { label: t('account.new_password'), fault: password })}
      <button class="primary">${t('account.change_password_button')}</button>`,
  })
  return panel(
    'password',
    t('account.change_password'),
    html`<p>${t('account.change_password_help')}</p>
      ${form}`,
    'card',
  )
}
