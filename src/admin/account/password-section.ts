// The form for changing one's own password. access/password-page.ts takes it.

import { html, type Html } from '../../doors/html.ts'
import { passwordField } from '../access/set-up-page.ts'
import { csrfField } from '../form.ts'
import { textField } from '../parts/fields.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'

/** The faults of the current password and of the new one. */
export interface PasswordFault {
  readonly current?: string
  readonly password?: string
}

export function passwordSection(visit: SignedIn, { current, password }: PasswordFault = {}): Html {
  const { request, session, t } = visit
  return html`<section class="card" aria-labelledby="password">
    <h2 id="password">${t('account.change_password')}</h2>
    <p>${t('account.change_password_help')}</p>
    <form method="post" action="${linkTo(request, adminPaths.password)}">
      ${csrfField(visit, 'password')}
      <input type="hidden" name="username" value="${session.account.email}" autocomplete="username" />
      ${textField({ name: 'current', label: t('account.current_password'), type: 'password', autocomplete: 'current-password', required: true, fault: current })}
      ${passwordField(visit, { label: t('account.new_password'), fault: password })}
      <button class="primary">${t('account.change_password_button')}</button>
    </form>
  </section>`
}
