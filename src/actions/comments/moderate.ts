import { Type } from 'typebox'
import { commentStates } from '../../content/comments/comment-rules.ts'
import { getComment } from '../../content/comments/comment-store.ts'
import { closed } from '../../base/schema.ts'
import type { CommentRow } from '../../store/core/schema.ts'
import { action } from '../call/action.ts'
import { doneOutput } from '../call/write-answer.ts'
import { doneAnswer, eachOnce } from '../shared/several.ts'
import { commentIds } from './comment-item.ts'

export const moderate = action('SVC_Comments.moderate', {
  title: 'Moderate [the comment of {title}|comments]',
  summary: 'Approves comments, or puts them back, among the spam or into the trash. Spam and trash are deleted after 30 days.',
  did: 'moderated [the comment of {title}|comments]',
  object: { kind: 'comment', page: 'comment' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found'],
  touches: 'site',
  input: closed({ ids: commentIds, status: Type.Enum([...commentStates], { description: 'What becomes of them.' }) }),
  output: doneOutput,
  examples: [{ title: 'Approve one', input: { ids: ['01k8zq4v6m3t5c9e2n7r1x0bcm'], status: 'approved' } }],
  async run({ db, change }, { ids, status }) {
    const rows = await eachOnce(ids, (id) => getComment(db, id))
    const [done, unchanged]: [CommentRow[], CommentRow[]] = [[], []]
    for (const row of rows) {
      const { changed } = await change.update('comment', row, { state: status })
      ;(changed.length > 0 ? done : unchanged).push(row)
    }
    return doneAnswer(done, unchanged)
  },
})
