// Ends a grant outside an action, with its activity record.

import { type Commit, recordChange, type Recording } from '../../actions/call/commit.ts'
import type { AppGrantRow } from '../../store/core/schema.ts'

/** Ends a grant and all tokens that were issued under it. A grant that has already ended doesn't change. */
export async function endGrant(
  open: Commit,
  grant: AppGrantRow,
  { caller, summary, now }: Pick<Recording, 'caller' | 'summary' | 'now'>,
): Promise<void> {
  if (grant.revoked_at !== null) return
  const recording: Recording = { caller, call: 'SVC_Apps.revoke', effect: 'destroy', summary, input: { ids: [grant.id] }, now }
  await recordChange(open, recording, (change) => change.update('app', grant, { revoked_at: now }))
}
