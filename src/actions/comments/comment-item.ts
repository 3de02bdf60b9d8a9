// A comment in the answers of SVC_Comments, with the entry that it is about. The mail address is for admins.

import { type Static, Type } from 'typebox'
import { type CommentState, commentSources, commentStates } from '../../content/comments/comment-rules.ts'
import { includesTier } from '../../identity/caller.ts'
import { formatDate } from '../../settings/time-zone.ts'
import type { CommentRow } from '../../store/core/schema.ts'
import { nonEmptyText, severalOf } from '../../base/schema.ts'
import type { Context } from '../call/action.ts'
import { nullable } from '../call/write-answer.ts'

export const commentItem = Type.Object({
  id: Type.String(),
  entry: Type.String({ description: 'Id of the entry.' }),
  entry_title: Type.String(),
  entry_path: nullable(Type.String()),
  reply_to: nullable(Type.String(), 'The comment that it answers.'),
  status: Type.Enum([...commentStates]),
  name: Type.String(),
  email: Type.Optional(nullable(Type.String(), 'For admins only.')),
  website: nullable(Type.String()),
  body: Type.String({ description: 'Plain text.' }),
  source: Type.Enum([...commentSources]),
  created_at: Type.String(),
  revision: Type.Integer(),
})

export type CommentItem = Static<typeof commentItem>

/** The members of an item that strangers wrote. */
export const strangersMembers = ['name', 'email', 'website', 'body'] as const

export const commentIds = severalOf(nonEmptyText('Id of a comment.', 40), 'The comments.', 100)

/** Reads the entries of these comments. @returns a function that makes the item of a comment */
export async function commentItems(
  { db, caller }: Pick<Context, 'db' | 'caller'>,
  rows: readonly CommentRow[],
): Promise<(row: CommentRow) => CommentItem> {
  const ids = [...new Set(rows.map((row) => row.entry_id))]
  const found =
    ids.length === 0 ? [] : await db.selectFrom('entry').select(['id', 'title', 'path']).where('id', 'in', ids).execute()
  const entries = new Map(found.map((entry) => [entry.id, entry]))
  const showsEmail = includesTier(caller.tier, 'admin')
  return (row) => ({
    id: row.id,
    entry: row.entry_id,
    entry_title: entries.get(row.entry_id)?.title ?? '',
    entry_path: entries.get(row.entry_id)?.path ?? null,
    reply_to: row.parent_id,
    status: row.state as CommentState,
    name: row.name,
    ...(showsEmail && { email: row.email }),
    website: row.website,
    body: row.body,
    source: row.source as CommentItem['source'],
    created_at: formatDate(row.created_at),
    revision: row.revision,
  })
}
