// Proposals and comments that wait for a decision of the people of the site, as their mails list them.

import { cutText } from '../../base/cut-text.ts'
import { countPending } from '../../content/comments/comment-store.ts'
import type { Db } from '../../store/core/database.ts'
import type { AccountRow } from '../../store/core/schema.ts'
import type { Services } from '../call/services.ts'
import { mailedPath } from '../comments/mailed-link.ts'
import { findMailOrigin } from './site-mail.ts'

/** One kind of thing that waits. */
export interface DecisionsWaiting {
  readonly kind: 'proposals' | 'comments'
  readonly count: number
  /** Undefined if none waits. */
  readonly newestAt: number | undefined
  /** The page that lists them, below the base path. */
  readonly path: string
  /** The newest of them as lines of a mail to this person. */
  lineFor(account: AccountRow, now: number): string
}

const maxListed = 10
const maxCommentText = 500

const withRest = (lines: readonly string[], more: boolean, between: string): string =>
  [...lines, ...(more ? ['…'] : [])].join(between)

export async function waitingProposals(db: Db): Promise<DecisionsWaiting> {
  const waiting = await db
    .selectFrom('proposal')
    .select(['title', 'created_at'])
    .where('state', '=', 'waiting')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1000)
    .execute()
  const lines = waiting.slice(0, maxListed).map(({ title }) => `– ${title}`)
  return {
    kind: 'proposals',
    count: waiting.length,
    newestAt: waiting[0]?.created_at,
    path: '/admin/approvals',
    lineFor: () => withRest(lines, waiting.length > maxListed, '\n'),
  }
}

export async function waitingComments(site: Services, db: Db): Promise<DecisionsWaiting> {
  const newest = await db
    .selectFrom('comment')
    .innerJoin('entry', 'entry.id', 'comment.entry_id')
    .select(['comment.id', 'comment.name', 'comment.body', 'comment.created_at', 'entry.title'])
    .where('comment.state', '=', 'pending')
    .orderBy('comment.created_at', 'desc')
    .orderBy('comment.id')
    .limit(maxListed)
    .execute()
  const count = newest.length < maxListed ? newest.length : await countPending(db)
  const origin = newest.length > 0 ? await findMailOrigin(site, db) : undefined
  return {
    kind: 'comments',
    count,
    newestAt: newest[0]?.created_at,
    path: '/admin/comments',
    lineFor: (account, now) => {
      const lines = newest.map((comment) => {
        const link = origin + mailedPath(site.key, comment, account, now)
        return `${comment.name} – ${comment.title}\n${cutText(comment.body, maxCommentText)}\n${link}`
      })
      return withRest(lines, count > maxListed, '\n\n')
    },
  }
}
