// SVC_Comments.list. Those who may moderate see all comments; everybody else sees those that are on a public page.

import { Type } from 'typebox'
import { commentSources, commentStates } from '../../content/comments/comment-rules.ts'
import { withComments } from '../../content/comments/comment-store.ts'
import { publicOnly } from '../../content/entries/entry.ts'
import { includesTier } from '../../identity/caller.ts'
import { closed } from '../../base/schema.ts'
import { action, type Context } from '../call/action.ts'
import {
  listAnswer,
  type ListInput,
  type ListOptions,
  listOutput,
  listProperties,
  listRows,
  type ListSpec,
} from '../lists/list.ts'
import { fromStrangers, fromStrangersProperty } from '../shared/from-strangers.ts'
import { commentItem, commentItems, strangersMembers } from './comment-item.ts'

const commentList: ListSpec<'comment'> = {
  table: 'comment',
  key: 'id',
  fields: {
    id: { column: 'id', kind: 'text', indexed: true },
    entry: { column: 'entry_id', kind: 'text', indexed: true },
    reply_to: { column: 'parent_id', kind: 'text', nullable: true },
    status: { column: 'state', kind: 'choice', choices: [...commentStates], indexed: true },
    name: { column: 'name', kind: 'text' },
    source: { column: 'source', kind: 'choice', choices: [...commentSources] },
    created_at: { column: 'created_at', kind: 'time', sort: true, indexed: true },
  },
  sort: '-created_at',
  search: ['name', 'body'],
}

export const list = action('SVC_Comments.list', {
  title: 'List comments',
  summary: 'Lists comments, newest first. Anonymous callers see approved ones of public entries.',
  tier: 'any',
  effect: 'read',
  input: closed(listProperties(commentList)),
  output: Type.Object({ ...listOutput(commentItem).properties, ...fromStrangersProperty }),
  examples: [
    { title: 'The ones that wait', input: { where: { status: 'pending' } } },
    { title: 'The latest that visitors see', input: { where: { status: 'approved' }, limit: 10 } },
  ],
  async run(context, input: ListInput) {
    const page = await listRows(context, commentList, input, visible(context))
    return {
      ...(await listAnswer(context, page, await commentItems(context, page.rows))),
      ...fromStrangers(...strangersMembers),
    }
  },
})

function visible({ caller, site, now }: Context): Omit<ListOptions<'comment', never>, 'columns'> {
  if (includesTier(caller.tier, 'content')) return {}
  return {
    narrow: (query) =>
      query.where('comment.state', '=', 'approved').where('comment.entry_id', 'in', (eb) =>
        eb
          .selectFrom('entry')
          .select('entry.id')
          .where((entries) => publicOnly(entries, now))
          .where((entries) => withComments(entries, site.settings.values)),
      ),
  }
}
