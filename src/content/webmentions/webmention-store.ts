// The rows of webmentions, those that came and those that are to be sent: one for each pair of addresses, so that nothing that is
// said twice is done twice at once.

import { hash } from 'node:crypto'
import type { Db } from '../../store/core/database.ts'
import type { WebmentionRow } from '../../store/core/schema.ts'

/** The longest address of a webmention. */
export const maxMentionUrlChars = 2000

export type Direction = 'in' | 'out'

/** A webmention to queue. */
export type NewWebmention = Pick<WebmentionRow, 'entry_id' | 'source' | 'target'> & { readonly direction: Direction }

const idOf = ({ direction, source, target }: NewWebmention): string =>
  `${direction}_${hash('sha256', JSON.stringify([source, target]), 'base64url').slice(0, 26)}`

/** Queues a webmention, or the same one again. */
export async function queueWebmention(db: Db, mention: NewWebmention, now: number): Promise<void> {
  const again = { state: 'waiting', tries: 0, next_at: now, note: null, entry_id: mention.entry_id }
  const blank = { tried_at: null, status: null, revision: null }
  await db
    .insertInto('webmention')
    .values({ ...mention, id: idOf(mention), ...again, ...blank, created_at: now })
    .onConflict((on) => on.column('id').doUpdateSet(again))
    .execute()
}

/** True if as many webmentions wait as may wait. */
export async function isQueueFull(db: Db, most: number): Promise<boolean> {
  const rows = db.selectFrom('webmention').select('id').where('state', '=', 'waiting').where('direction', '=', 'in')
  return (await rows.offset(most).limit(1).executeTakeFirst()) !== undefined
}

/** The webmention that has been due the longest. Its next try is set first, so that a process that ends leaves none behind. */
export async function takeDue(
  { read, write }: { readonly read: Db; readonly write: Db },
  now: number,
  againMs: number,
): Promise<WebmentionRow | undefined> {
  const due = await read
    .selectFrom('webmention')
    .select('id')
    .where('state', '=', 'waiting')
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(1)
    .executeTakeFirst()
  if (!due) return undefined
  return write
    .updateTable('webmention')
    .set(({ eb }) => ({ tries: eb('tries', '+', 1), next_at: now + againMs, tried_at: now }))
    .where('id', '=', due.id)
    .where('state', '=', 'waiting')
    .returningAll()
    .executeTakeFirst()
}

/** The targets that were told of an entry, with the revision that they were told of. */
export async function listSent(db: Db, entryId: string): Promise<readonly WebmentionRow[]> {
  return db.selectFrom('webmention').selectAll().where('entry_id', '=', entryId).where('direction', '=', 'out').execute()
}

export async function settleWebmention(
  db: Db,
  id: string,
  values: Partial<Pick<WebmentionRow, 'state' | 'next_at' | 'status' | 'note' | 'revision'>>,
): Promise<void> {
  await db.updateTable('webmention').set(values).where('id', '=', id).execute()
}
