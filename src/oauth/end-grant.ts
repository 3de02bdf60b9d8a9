// Ends a grant outside an action: with its record, and told to the caches after the commit.

import { type AfterCommit, recordChange, type Recording } from '../actions/record-change.ts'
import type { Services } from '../actions/services.ts'
import type { AppGrantRow, Schema } from '../store/schema.ts'
import type { Transaction } from 'kysely'

/** Ends a grant with all that was issued under it; one that has been ended stays so. */
export async function endGrant(
  site: Pick<Services, 'freshness'>,
  db: Transaction<Schema>,
  grant: AppGrantRow,
  { caller, summary, now }: Pick<Recording, 'caller' | 'summary' | 'now'>,
): Promise<AfterCommit> {
  if (grant.revoked_at !== null) return async () => undefined
  const input = { ids: [grant.id] }
  const recording: Recording = { caller, call: 'SVC_Apps.revoke', effect: 'destroy', summary, input, now }
  const { afterCommit } = await recordChange(site, db, recording, (change) => change.update('app', grant, { revoked_at: now }))
  return afterCommit
}
