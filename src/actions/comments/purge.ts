import { forgetObject } from '../../activity/forget.ts'
import { getComment } from '../../content/comments/comment-store.ts'
import { Failure } from '../../base/failure.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { doneOutput } from '../call/write-answer.ts'
import { checkExpected, expectProperty } from '../shared/expect.ts'
import { doneAnswer, eachOnce } from '../shared/several.ts'
import { commentIds } from './comment-item.ts'

export const purge = action('SVC_Comments.purge', {
  title: 'Delete [the comment of {title}|comments] for good',
  summary: 'Destroys comments that are spam or in the trash.',
  did: 'deleted [the comment of {title}|comments] for good',
  object: { kind: 'comment', page: 'comment' },
  tier: 'admin',
  effect: 'destroy',
  failures: ['not_found', 'conflict'],
  touches: 'site',
  input: closed({ ids: commentIds, expect: expectProperty('comments') }),
  output: doneOutput,
  examples: [{ title: 'One from the trash', input: { ids: ['01k8zq4v6m3t5c9e2n7r1x0bct'], expect: 1 } }],
  async run({ db, change }, { ids, expect }) {
    const rows = await eachOnce(ids, (id) => getComment(db, id))
    const other = rows.find(({ state }) => state !== 'trash' && state !== 'spam')
    if (other)
      throw new Failure('refused', `The comment ${other.id} is neither spam nor in the trash.`, {
        field: 'ids',
        rule: 'purge from the spam and the trash only',
        hint: 'SVC_Comments.moderate puts it there.',
      })
    checkExpected(rows.length, expect, 'comments')
    for (const row of rows) {
      await change.remove('comment', row)
      await forgetObject(db, 'comment', row.id)
    }
    return doneAnswer(rows)
  },
})
