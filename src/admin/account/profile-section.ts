// The form for a person's own name and public profile, which `save-profile.ts` takes. Everybody chooses their name. Only people who
// may publish edit their profile, because it is public. An admin edits it for the others, on the page of the person.

import { html, type Html } from '../../doors/shared/html.ts'
import { accounts } from '../../actions/accounts/index.ts'
import { type AccountRole, isLowerRole } from '../../identity/caller.ts'
import type { Refused } from '../framed-reply.ts'
import { hereOf } from '../navigation.ts'
import { controlsOf, type FormRows } from '../parts/declared-form.ts'
import { panel } from '../parts/panel.ts'
import { postForm } from '../parts/post-form.ts'
import { profileRows } from '../people/profile-fields.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'

const nameRow = { name: 'name', label: 'people.name', autocomplete: 'name', required: true, help: 'account.name_help' } as const

/** The form of this person, whose fields are named as those of the action for others. */
export const profileForm = (visit: SignedIn) => ({
  action: accounts.update,
  rows: (mayPublish(visit) ? [nameRow, ...profileRows] : [nameRow]) satisfies FormRows,
})

/** Returns true for people who edit their own public profile here. */
const mayPublish = ({ session }: SignedIn): boolean => !isLowerRole(session.account.role as AccountRole, 'content')

export function profileSection(visit: SignedIn, refused: Refused): Html {
  const { t, session } = visit
  const item = { ...session.account, public: session.account.public === 1 }
  // The form of a passkey has a field of the same name.
  const own = hereOf(visit) === adminPaths.profile ? refused : {}
  const body = html`${controlsOf(t, profileForm(visit), { item, refused: own })}
    <p class="actions"><button class="primary">${t('account.save')}</button></p>`
  const title = t(mayPublish(visit) ? 'account.profile' : 'account.own_name')
  return panel('profile', title, postForm(visit, { path: adminPaths.profile, body }), 'card')
}
