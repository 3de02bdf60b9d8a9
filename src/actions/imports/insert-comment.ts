// A comment that was written on another site, or on this one before it moved.

import { Type } from 'typebox'
import { boundedText, nonEmptyText } from '../../base/schema.ts'
import type { Change } from '../../store/change/change.ts'
import type { CommentRow } from '../../store/core/schema.ts'

/** The fields about the writer and the time of a comment, in both of its forms. */
export const writtenBy = {
  email: Type.Optional(boundedText('Never shown to visitors.', 254)),
  website: Type.Optional(boundedText('The address of the writer\u2019s site.', 1000)),
  posted_at: nonEmptyText('ISO 8601.', 100),
  approved: Type.Boolean(),
}

export type OldComment = Pick<CommentRow, 'id' | 'entry_id' | 'parent_id' | 'name' | 'email' | 'website' | 'body'> & {
  readonly approved: boolean
  /** In UTC milliseconds. */
  readonly postedAt: number
}

/** Inserts a comment with the time at which it was written. It belongs to no account. */
export const insertComment = (change: Change, { approved, postedAt, ...row }: OldComment) =>
  change.insert('comment', {
    ...row,
    state: approved ? 'approved' : 'pending',
    account_id: null,
    source: 'import',
    confirmed_at: null,
    created_at: postedAt,
    updated_at: change.now,
  })
