// The forms of the second factors: removing one, and making new recovery codes.

import type { Reply } from '../../http/reply.ts'
import { makeRecoveryCodes } from '../../identity/recovery-codes.ts'
import { removeFactor } from '../../identity/second-factor-store.ts'
import { confirmPassword } from '../access/confirm-password.ts'
import { readFields } from '../form.ts'
import { goDone } from '../parts/done-notice.ts'
import { adminPaths } from '../paths.ts'
import { goTo } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { accountReply } from './account-page.ts'
import { changeFactors } from './change-factors.ts'
import { codesReply } from './recovery-codes.ts'
import { appId, recoveryPurpose, removalPurpose } from './second-step-section.ts'

/** POST: removes the app or a passkey. */
export async function removeSecondFactor(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, removalPurpose)
  const refused = await confirmPassword(visit, fields)
  if (refused) return accountReply(visit, refused)
  const id = fields.get('id')
  const summary = id === appId ? 'Removes the authenticator app.' : 'Removes a passkey.'
  await changeFactors(visit, summary, (change) =>
    removeFactor(change, visit.session.account.id, id === appId ? { app: true } : { passkey: id }),
  )
  return goDone(visit, adminPaths.account, 'account.done_removed')
}

/** POST: replaces the recovery codes. */
export async function replaceRecoveryCodes(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, recoveryPurpose)
  const { account } = visit.session
  if (account.second_factor === 0) return goTo(visit, adminPaths.account)
  const refused = await confirmPassword(visit, fields)
  if (refused) return accountReply(visit, refused)
  let codes: readonly string[] = []
  await changeFactors(visit, 'Makes new recovery codes.', async ({ db }) => {
    codes = await makeRecoveryCodes(db, account.id)
  })
  return codesReply(visit, codes, visit.t('account.codes_replaced'))
}
