// The words of comments: the tabs of their list by status, and the buttons that move comments from one to another.

import { type CommentState, commentStates } from '../../content/comments/comment-rules.ts'
import { attribute, html, type Html } from '../../doors/shared/html.ts'
import type { MessageKey, Words } from '../words.ts'

/** The statuses in the order of the tabs. */
export const statusTabs: Readonly<Record<CommentState, { readonly label: MessageKey; readonly empty: MessageKey }>> = {
  pending: { label: 'comments.pending', empty: 'comments.empty_pending' },
  approved: { label: 'comments.approved', empty: 'comments.empty_approved' },
  spam: { label: 'comments.spam', empty: 'comments.empty_spam' },
  trash: { label: 'comments.trash', empty: 'comments.empty_trash' },
}

/** The buttons, by the status that they give. */
const buttons: Readonly<Record<CommentState, MessageKey>> = {
  approved: 'comments.approve',
  pending: 'comments.hold',
  spam: 'comments.to_spam',
  trash: 'comments.to_trash',
}

export const isStatus = (text: string): text is CommentState => (commentStates as readonly string[]).includes(text)

/** The buttons for comments with a status. Comments that wait or are shown need no way back to the waiting ones. */
export const statusButtons = (t: Words, now: CommentState): Html =>
  html`${commentStates
    .filter((status) => status !== now && !(status === 'pending' && now !== 'spam' && now !== 'trash'))
    .map(
      (status) =>
        html`<button ${attribute('class', status === 'trash' ? 'danger' : undefined)} name="do" value="${status}">
          ${t(buttons[status])}
        </button> `,
    )}`
