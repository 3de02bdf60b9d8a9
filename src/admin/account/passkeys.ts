// Adding a passkey to one's own account.

import { passkeyPlace, readNewPasskey } from '../../identity/passkeys.ts'
import { addPasskey } from '../../identity/second-factor-store.ts'
import { provenTaker } from '../access/confirm-password.ts'
import { takeFormChallenge } from '../access/passkey-form.ts'
import { goDone } from '../parts/done-notice.ts'
import type { Work } from '../parts/post-form.ts'
import { adminPaths } from '../paths.ts'
import { accountReply } from './account-page.ts'
import { changeFactors } from './change-factors.ts'
import { codesReply } from './recovery-codes.ts'

const maxNameChars = 60

const addOwnPasskey: Work = async (visit, fields) => {
  const { session, request, holder, now, t } = visit
  const { id } = session.account
  const place = passkeyPlace(request)
  const challenge = await takeFormChallenge(visit, { does: 'add', account: id, holder }, fields)
  const made = place && challenge !== undefined && (await readNewPasskey(fields.get('credential'), { place, challenge }))
  if (!made) return accountReply(visit, { status: 403, fault: t('account.passkey_refused') })
  const name = fields.get('name').trim().slice(0, maxNameChars) || t('account.passkey')
  const codes = await changeFactors(visit, 'Adds a passkey as a second factor.', (change) =>
    addPasskey(change, { ...made, account_id: id, name, created_at: now, used_at: null }),
  )
  return codes ? codesReply(visit, codes, t('account.first_passkey')) : goDone(visit, adminPaths.account, 'account.done_passkey')
}

export const takePasskey = provenTaker(adminPaths.passkeys, addOwnPasskey, accountReply)
