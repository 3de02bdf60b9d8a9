// One's own name and public profile. Everybody chooses their name; those who may publish also say what the site shows of them, because a profile is
// public. For the others an admin does so, on the page of the person.

import { commit, recordChange } from '../../actions/commit.ts'
import { profileColumns } from '../../actions/classes/account-profile.ts'
import { html, type Html } from '../../doors/html.ts'
import { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { getAccount, readName } from '../../identity/account-store.ts'
import { type AccountRole, isLowerRole } from '../../identity/caller.ts'
import { formStatus } from '../failure.ts'
import { type Fields, readFields } from '../form.ts'
import { goDone } from '../parts/done-notice.ts'
import { textField } from '../parts/fields.ts'
import { faultsOf, postForm } from '../parts/post-form.ts'
import { profileFieldNames, profileFields, readProfile } from '../people/profile-fields.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { accountReply } from './account-page.ts'

const purpose = 'own-profile'
const call = 'SVC_Accounts.set-profile'

/** After a form that failed: its failure, and what was filled in. */
export interface ProfileView {
  readonly fields: Fields
  readonly failure: Failure
}

const mayPublish = ({ session }: SignedIn): boolean => !isLowerRole(session.account.role as AccountRole, 'content')

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

/** POST: changes one's own name and, for those who may publish, the public profile. */
export async function saveProfile(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, purpose)
  try {
    await changeProfile(visit, fields)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const atField = ['name', ...profileFieldNames].some((name) => name === error.detail.field)
    return accountReply(visit, {
      status: formStatus[error.code],
      profile: { fields, failure: error },
      fault: atField ? undefined : error.message,
    })
  }
  return goDone(visit, adminPaths.account, 'account.done_profile')
}

async function changeProfile(visit: SignedIn, fields: Fields): Promise<void> {
  const { site, session, caller, now } = visit
  const { id } = session.account
  const name = readName(fields.get('name'))
  const profile = mayPublish(visit) ? readProfile(fields) : {}
  const input = { id, name, ...profile }
  await commit(site, call, async (open) => {
    const before = await getAccount(open.db, id)
    const columns = await profileColumns(open.db, before, profile, name)
    const recording = { caller, call, effect: 'act', summary: 'Changes their own name and profile.', input, now } as const
    await recordChange(open, recording, (change) => change.update('account', before, { name, ...columns }))
  })
}
