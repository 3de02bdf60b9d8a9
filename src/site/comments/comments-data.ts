// The comments of an entry as data of its page, and the form for another one.

import { commentMarkup } from '../../content/comments/comment-html.ts'
import {
  type CommentedEntry,
  maxCommentChars,
  maxNameChars,
  showsComments,
  takesComments,
} from '../../content/comments/comment-rules.ts'
import { listApproved } from '../../content/comments/comment-store.ts'
import { urlOf } from '../../content/entries/entry.ts'
import type { CommentRow, EntryRow } from '../../store/core/schema.ts'
import type { ThemeComment, ThemeCommentForm, ThemeComments } from '../../themes/contract.ts'
import type { Frame } from '../pages/frame.ts'

/** The part of a form that a visitor's last post decides. */
export type PostedComment = Pick<ThemeCommentForm, 'sent' | 'reply_to' | 'typed' | 'faults'>

export const nothingTyped = { name: '', email: '', text: '' } as const
export const noFaults = { name: null, email: null, text: null, form: null } as const
const most = { max_name: maxNameChars, max_text: maxCommentChars } as const
const nothingPosted: PostedComment = { sent: false, reply_to: '', typed: nothingTyped, faults: noFaults }

type Commented = CommentedEntry & Pick<EntryRow, 'id' | 'path' | 'password_hash'>

/** The comments under an entry; null if its page has none, as the home page. */
export async function commentsOf(frame: Frame, row: Commented): Promise<ThemeComments | null> {
  const { site, origin, posted } = frame
  const { values } = site.settings
  if (row.password_hash !== null || !(posted || showsComments(values, row))) return null
  const items = threadsOf(await listApproved(site.store.read, row.id))
  const action = new URL(urlOf(origin, row.path ?? '/')).pathname
  return {
    count: items.reduce((count, { answers }) => count + 1 + answers.length, 0),
    items,
    // A visitor who was late gets the form back, with the text.
    form:
      posted || takesComments(values, row)
        ? { action, ...most, confirms: values.comments_trusted, ...(posted ?? nothingPosted) }
        : null,
  }
}

/** Puts answers under their comments. An answer to a comment that is not shown isn't shown either. */
function threadsOf(rows: readonly CommentRow[]): readonly ThemeComment[] {
  const answers = new Map<string, ThemeComment[]>()
  for (const row of rows)
    if (row.parent_id !== null) answers.set(row.parent_id, [...(answers.get(row.parent_id) ?? []), commentOf(row, [])])
  return rows.filter((row) => row.parent_id === null).map((row) => commentOf(row, answers.get(row.id) ?? []))
}

/** The address of a writer, if it can be linked. */
export const websiteOf = ({ website }: Pick<CommentRow, 'website'>): string | null =>
  website !== null && /^https?:\/\//i.test(website) && URL.canParse(website) ? website : null

function commentOf(row: CommentRow, answers: readonly ThemeComment[]): ThemeComment {
  return {
    id: row.id,
    name: row.name,
    url: websiteOf(row),
    date: new Date(row.created_at).toISOString(),
    own: row.account_id !== null,
    content: { markup: commentMarkup(row.body) },
    answers,
  }
}

/** Names the comments of a page, for the version of a page that is stored for bad times. It changes when one is taken away. */
export const versionOfComments = (comments: ThemeComments | null): string =>
  comments === null
    ? ''
    : comments.items.flatMap(({ id, content, answers }) => [id, content.markup.length, ...answers.map((one) => one.id)]).join(' ')
