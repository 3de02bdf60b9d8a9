// Takes the form for a person's own name and public profile (`profile-section.ts`).

import type { Static } from 'typebox'
import { profileColumns } from '../../actions/accounts/account-profile.ts'
import type { accounts } from '../../actions/accounts/index.ts'
import { commit, recordChange } from '../../actions/call/commit.ts'
import { Failure } from '../../base/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { getAccount, readName } from '../../identity/account-store.ts'
import { type Fields, readFields } from '../form.ts'
import { goDone } from '../parts/done-notice.ts'
import { inputFrom } from '../parts/form-input.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { accountReply } from './account-page.ts'
import { profileForm } from './profile-section.ts'

const call = 'SVC_Accounts.set-profile'

/** POST: changes the person's own name and, for people who may publish, their public profile. */
export async function saveProfile(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, adminPaths.profile)
  try {
    await changeProfile(visit, fields)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return accountReply(visit, { fields, failure: error })
  }
  return goDone(visit, adminPaths.account, 'account.done_profile')
}

async function changeProfile(visit: SignedIn, fields: Fields): Promise<void> {
  const { site, session, caller, now } = visit
  const { id } = session.account
  const {
    id: _other,
    name: given = '',
    ...profile
  } = inputFrom(profileForm(visit), fields) as Static<typeof accounts.update.input>
  const name = readName(given)
  const input = { id, name, ...profile }
  await commit(site, call, async (open) => {
    const before = await getAccount(open.db, id)
    const columns = await profileColumns(open.db, before, profile, name)
    const recording = { caller, call, effect: 'act', summary: 'Changes their own name and profile.', input, now } as const
    await recordChange(open, recording, (change) => change.update('account', before, { name, ...columns }))
  })
}
