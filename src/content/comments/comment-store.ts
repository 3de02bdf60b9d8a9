// The rows of comments. A comment of a visitor is written without a record: it is on no page and in no history until somebody who
// may moderate has approved it, so a thousand of them make no page stale and fill no activity.

import type { ExpressionBuilder } from 'kysely'
import { type Failure, notFound } from '../../base/failure.ts'
import type { SettingValues } from '../../settings/definitions.ts'
import { newId } from '../../store/core/ids.ts'
import type { Db } from '../../store/core/database.ts'
import type { CommentRow, Schema } from '../../store/core/schema.ts'
import { publicOnly } from '../entries/entry.ts'
import type { CommentState } from './comment-rules.ts'

/** The most comments that a page shows: the newest. */
export const maxShownComments = 500
/** The time within which the same text by the same name is one comment, in milliseconds. */
const sameMs = 24 * 60 * 60_000

export async function findComment(db: Db, id: string): Promise<CommentRow | undefined> {
  return db.selectFrom('comment').selectAll().where('id', '=', id).executeTakeFirst()
}

export const noComment = (id: string): Failure => notFound('comment', id, 'SVC_Comments.list lists them.')

/** @throws Failure `not_found` */
export async function getComment(db: Db, id: string): Promise<CommentRow> {
  const row = await findComment(db, id)
  if (row) return row
  throw noComment(id)
}

/** The comment that an answer stands under. Threads have two levels, so an answer to an answer stands beside it. */
export const threadOf = ({ id, parent_id: parent }: Pick<CommentRow, 'id' | 'parent_id'>): string => parent ?? id

/** The condition that the comments of an entry are shown, as `showsComments` has it. */
export const withComments = (eb: ExpressionBuilder<Schema, 'entry'>, { comments: types }: SettingValues) =>
  eb.or([
    eb('entry.comments', 'in', ['on', 'closed']),
    eb.and([eb('entry.comments', 'is', null), eb('entry.type', 'in', types.length === 0 ? [''] : types)]),
  ])

/** The approved comments of an entry, the oldest first. */
export async function listApproved(db: Db, entryId: string): Promise<readonly CommentRow[]> {
  const rows = await db
    .selectFrom('comment')
    .selectAll()
    .where('entry_id', '=', entryId)
    .where('state', '=', 'approved')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxShownComments)
    .execute()
  return rows.toReversed()
}

/** A comment in a feed, with its entry. */
export interface FeedComment extends CommentRow {
  readonly entry_title: string
  readonly entry_path: string | null
}

/** The comments that visitors see and that were approved or changed last, of all public entries or of one. */
export async function listNewest(
  db: Db,
  values: SettingValues,
  now: number,
  limit: number,
  entryId?: string,
): Promise<readonly FeedComment[]> {
  return db
    .selectFrom('comment')
    .innerJoin('entry', 'entry.id', 'comment.entry_id')
    .leftJoin('comment as above', 'above.id', 'comment.parent_id')
    .selectAll('comment')
    .select(['entry.title as entry_title', 'entry.path as entry_path'])
    .where('comment.state', '=', 'approved')
    .where((eb) => eb.or([eb('comment.parent_id', 'is', null), eb('above.state', '=', 'approved')]))
    .where((eb) => publicOnly(eb, now))
    .where((eb) => withComments(eb, values))
    .$if(entryId !== undefined, (query) => query.where('comment.entry_id', '=', entryId ?? ''))
    .orderBy('comment.updated_at', 'desc')
    .orderBy('comment.id', 'desc')
    .limit(limit)
    .execute()
}

export async function countPending(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('comment')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow()
  return count
}

/** A comment of a visitor. */
export interface VisitorComment {
  readonly entryId: string
  readonly parentId: string | null
  readonly name: string
  readonly email: string | null
  readonly body: string
  readonly state: CommentState
}

/**
 * Stores a comment of a visitor. The same text by the same name is stored once: the form was sent twice.
 * @returns undefined for a comment that is here already
 */
export async function addVisitorComment(db: Db, comment: VisitorComment, now: number): Promise<CommentRow | undefined> {
  const { entryId, parentId, name, email, body, state } = comment
  const same = await db
    .selectFrom('comment')
    .select('id')
    .where('entry_id', '=', entryId)
    .where('created_at', '>', now - sameMs)
    .where('name', '=', name)
    .where('body', '=', body)
    .limit(1)
    .executeTakeFirst()
  if (same) return undefined
  const times = { created_at: now, updated_at: now, revision: 1 }
  const about = { entry_id: entryId, parent_id: parentId, account_id: null, website: null, source: 'visitor', confirmed_at: null }
  const row = { id: newId(now), ...about, name, email, body, state, ...times }
  await db.insertInto('comment').values(row).execute()
  return row
}
