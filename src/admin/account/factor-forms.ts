// The forms of the second factors: removing one, and making new recovery codes.

import type { Reply } from '../../http/reply.ts'
import { makeRecoveryCodes } from '../../identity/recovery-codes.ts'
import { removeFactor } from '../../identity/second-factor-store.ts'
import { provenTaker } from '../access/confirm-password.ts'
import { goDone } from '../parts/done-notice.ts'
import type { Work } from '../parts/post-form.ts'
import { adminPaths } from '../paths.ts'
import { goTo } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { accountReply } from './account-page.ts'
import { changeFactors } from './change-factors.ts'
import { codesReply } from './recovery-codes.ts'
import { appId } from './second-step-section.ts'

/** POST: removes the app or a passkey. */
export const removeSecondFactor = provenTaker(
  adminPaths.removeFactor,
  async (visit, fields) => {
    const id = fields.get('id')
    const summary = id === appId ? 'Removes the authenticator app.' : 'Removes a passkey.'
    await changeFactors(visit, summary, (change) =>
      removeFactor(change, visit.session.account.id, id === appId ? { app: true } : { passkey: id }),
    )
    return goDone(visit, adminPaths.account, 'account.done_removed')
  },
  accountReply,
)

const replaceCodes: Work = async (visit) => {
  let codes: readonly string[] = []
  await changeFactors(visit, 'Makes new recovery codes.', async ({ db }) => {
    codes = await makeRecoveryCodes(db, visit.session.account.id)
  })
  return codesReply(visit, codes, visit.t('account.codes_replaced'))
}

const takeCodesForm = provenTaker(adminPaths.recoveryCodes, replaceCodes, accountReply)

/** POST: replaces the recovery codes. An account without a second factor has none. */
export const replaceRecoveryCodes = async (visit: SignedIn): Promise<Reply> =>
  visit.session.account.second_factor === 0 ? goTo(visit, adminPaths.account) : takeCodesForm(visit)
