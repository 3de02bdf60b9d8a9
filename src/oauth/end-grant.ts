// Ends a grant outside an action, with an activity record; the caches are updated after the commit.

import { type AfterCommit, recordChange, type Recording } from '../actions/record-change.ts'
import type { Services } from '../actions/services.ts'
import type { AppGrantRow, Schema } from '../store/schema.ts'
import type { Transaction } from 'kysely'

/** Ends a grant and all tokens that were issued under it. A grant that has ended stays as it is. */
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
