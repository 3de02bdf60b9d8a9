import { getComment } from '../../content/comments/comment-store.ts'
import { closed, nonEmptyText } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { combineFields } from '../call/combine.ts'
import { itemAnswer, itemOutput } from '../call/write-answer.ts'
import { commentItem } from './comment-item.ts'
import { bodyProperty, tidyBody, toItem } from './create.ts'

export const update = action('SVC_Comments.update', {
  title: 'Change [the comment of {title}|a comment]',
  summary: 'Changes the text of a comment.',
  did: 'changed [the comment of {title}|a comment]',
  object: { kind: 'comment', page: 'comment' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found'],
  touches: 'site',
  revisioned: true,
  combine: combineFields,
  input: closed({ id: nonEmptyText('Id of a comment.', 40), body: bodyProperty }),
  output: itemOutput(commentItem),
  examples: [{ title: 'Take an address out', input: { id: '01k8zq4v6m3t5c9e2n7r1x0bcm', body: 'Lovely soup.' } }],
  async run(context, { id, body }) {
    const before = await getComment(context.db, id)
    const { row, changed } = await context.change.update('comment', before, { body: tidyBody(body) })
    return itemAnswer(await toItem(context, row), changed)
  },
})
