// Changes of a person's own second factors. Each is committed together with its activity record. Adding the first factor signs the
// person out everywhere else, because those sessions began with only a password.

import { commit, recordChange } from '../../actions/call/commit.ts'
import { getAccount } from '../../identity/account-store.ts'
import { settleSecondFactor } from '../../identity/second-factor-store.ts'
import { endSessionsOf } from '../../identity/session.ts'
import type { Change } from '../../store/change/change.ts'
import type { SignedIn } from '../visit.ts'

const call = 'SVC_Accounts.set-second-factor'

/** @returns the recovery codes, if these are the account's first ones */
export async function changeFactors(
  { site, session, caller, now }: SignedIn,
  summary: string,
  work: (change: Change) => Promise<unknown>,
): Promise<readonly string[] | undefined> {
  const { id } = session.account
  return commit(site, call, async (open) => {
    const before = await getAccount(open.db, id)
    const recording = { caller, call, effect: 'act', summary, input: { id }, now } as const
    const { account, codes } = await recordChange(open, recording, async (change) => {
      await work(change)
      return settleSecondFactor(change, before)
    })
    if (before.second_factor === 0 && account.second_factor === 1) await endSessionsOf(open.db, id, now, session.row.id)
    return codes
  })
}
