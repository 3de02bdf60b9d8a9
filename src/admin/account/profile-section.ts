// The form for a person's own name and public profile, which `save-profile.ts` takes. Everybody chooses their name. Only people who
// may publish edit their profile, because it is public. An admin edits it for the others, on the page of the person.

import { html, type Html } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import { type AccountRole, isLowerRole } from '../../identity/caller.ts'
import type { Fields } from '../form.ts'
import { textField } from '../parts/fields.ts'
import { faultsOf, postForm } from '../parts/post-form.ts'
import { profileFieldNames, profileFields } from '../people/profile-fields.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'

/** The purpose of the form, in its token. */
export const purpose = 'own-profile'

/** The state after a refused form: the failure and the values that were filled in. */
export interface ProfileView {
  readonly fields: Fields
  readonly failure: Failure
}

/** Returns true for people who edit their own public profile here. */
export const mayPublish = ({ session }: SignedIn): boolean => !isLowerRole(session.account.role as AccountRole, 'content')

export function profileSection(visit: SignedIn, view?: ProfileView): Html {
  const { t, session } = visit
  const { account } = session
  const faults = faultsOf(t, view?.failure, ['name', ...profileFieldNames])
  const fields = view?.fields
  const name = fields?.get('name') ?? account.name
  return html`<section class="card" aria-labelledby="profile">
    <h2 id="profile">${t(mayPublish(visit) ? 'account.profile' : 'account.own_name')}</h2>
    ${postForm(visit, {
      path: adminPaths.profile,
      purpose,
      body: html`${textField({ name: 'name', label: t('people.name'), value: name, autocomplete: 'name', required: true, help: t('account.name_help'), fault: faults.at('name') })}
        ${mayPublish(visit) && profileFields(t, { profile: { ...account, public: account.public === 1 }, fields, fault: faults.at })}
        <p class="actions"><button class="primary">${t('account.save')}</button></p>`,
    })}
  </section>`
}
