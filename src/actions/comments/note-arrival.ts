// The event of a comment that arrived and waits. It names the comment and its entry, and has neither its text nor the mail address.

import type { Transaction } from 'kysely'
import type { Caller } from '../../identity/caller.ts'
import { newId } from '../../store/core/ids.ts'
import type { CommentRow, EntryRow, Schema } from '../../store/core/schema.ts'
import type { Services } from '../call/services.ts'

const call = 'SVC_Comments.create'

/** Queues the event in the transaction of the comment. After the commit, wake `site.webhooks`. */
export function noteArrival(
  { webhooks }: Pick<Services, 'webhooks'>,
  db: Transaction<Schema>,
  { id, name, state, revision }: CommentRow,
  { path }: Pick<EntryRow, 'path'>,
  caller: Caller,
  now: number,
): void {
  const runs = [{ name: call, tier: 'content', effect: 'write' }] as const
  const record = { kind: 'comment', id, before: null, after: { state }, revision, label: { title: name, path } } as const
  const facts = { id: newId(now), call, runs, summary: 'A comment arrived.', input: {} }
  webhooks.note(db, { ...facts, caller, records: [record], now })
}
