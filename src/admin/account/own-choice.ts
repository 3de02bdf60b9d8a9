// A person's own choice, as a column of their account that no action changes.

import { commit, recordChange } from '../../actions/call/commit.ts'
import { getAccount } from '../../identity/account-store.ts'
import type { AccountRow } from '../../store/core/schema.ts'
import type { SignedIn } from '../visit.ts'

/** The choices of a person. */
type OwnChoice = Partial<Pick<AccountRow, 'enter_breaks' | 'proposal_mails'>>

/** Stores a choice, with its record. @param call the name of the record, such as `SVC_Accounts.set-writing` */
export async function keepChoice(visit: SignedIn, call: string, summary: string, choice: OwnChoice): Promise<void> {
  const { site, session, caller, now } = visit
  const { id } = session.account
  await commit(site, call, async (open) => {
    const before = await getAccount(open.db, id)
    const recording = { caller, call, effect: 'act', summary, input: { id, ...choice }, now } as const
    await recordChange(open, recording, (change) => change.update('account', before, choice))
  })
}
