// Adding a passkey to one's own account.

import type { Reply } from '../../http/reply.ts'
import { passkeyPlace, readNewPasskey } from '../../identity/passkeys.ts'
import { addPasskey } from '../../identity/second-factor-store.ts'
import { confirmPassword } from '../access/confirm-password.ts'
import { takeFormChallenge } from '../access/passkey-form.ts'
import { readFields } from '../form.ts'
import { goDone } from '../parts/done-notice.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { accountReply } from './account-page.ts'
import { changeFactors } from './change-factors.ts'
import { passkeyPurpose } from './second-step-section.ts'
import { codesReply } from './recovery-codes.ts'

const maxNameChars = 60

export async function takePasskey(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, passkeyPurpose)
  const { session, request, holder, now, t } = visit
  const { id } = session.account
  const refused = await confirmPassword(visit, fields)
  if (refused) return accountReply(visit, refused)
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
