// SVC_Comments.create: a comment of a person with an account. Visitors write theirs on the page itself.

import { Type } from 'typebox'
import { maxCommentChars, takesComments, tidyText } from '../../content/comments/comment-rules.ts'
import { getComment, threadOf } from '../../content/comments/comment-store.ts'
import { Failure, invalid } from '../../base/failure.ts'
import { closed, nonEmptyText } from '../../base/schema.ts'
import { nameOf } from '../../identity/caller.ts'
import { newId } from '../../store/core/ids.ts'
import type { CommentRow, EntryRow } from '../../store/core/schema.ts'
import { action, type WriteContext } from '../call/action.ts'
import { itemAnswer, itemOutput } from '../call/write-answer.ts'
import { getNamed, idProperty } from '../content/named.ts'
import { commentItem, commentItems } from './comment-item.ts'

export const bodyProperty = nonEmptyText('Plain text. An empty line begins a paragraph.', maxCommentChars)

export const create = action('SVC_Comments.create', {
  title: 'Comment on an entry',
  summary: 'Adds a comment in your own name, which is approved at once. Visitors write theirs on the page.',
  did: 'commented on an entry',
  object: { kind: 'comment', page: 'comment' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found'],
  touches: 'site',
  input: closed({
    entry: idProperty,
    body: bodyProperty,
    reply_to: Type.Optional(nonEmptyText('Id of the comment that it answers.', 40)),
  }),
  output: itemOutput(commentItem),
  examples: [{ title: 'A note of the author', input: { entry: '/hello', body: 'Thank you all for reading.' } }],
  async run(context, { entry: ref, body, reply_to: replyTo }) {
    const entry = await getNamed(context, ref)
    checkTaken(context, entry)
    const row = await context.change.insert('comment', {
      id: newId(context.now),
      entry_id: entry.id,
      parent_id: replyTo === undefined ? null : await threadIn(context, entry, replyTo),
      state: 'approved',
      name: nameOf(context.caller).slice(0, 200),
      email: null,
      website: null,
      body: tidyBody(body),
      account_id: context.caller.account?.id ?? null,
      source: 'account',
      confirmed_at: null,
    })
    return itemAnswer(await toItem(context, row), ['body'])
  },
})

export const toItem = async (context: WriteContext, row: CommentRow) => (await commentItems(context, [row]))(row)

/** @throws Failure `invalid` for a text without anything that can be seen */
export function tidyBody(body: string): string {
  const text = tidyText(body)
  if (text !== '') return text
  const expected = 'a text with at least one character that can be seen'
  throw invalid('body', `"body" must be ${expected}.`, expected)
}

function checkTaken({ site }: WriteContext, entry: EntryRow): void {
  if (takesComments(site.settings.values, entry)) return
  throw new Failure('refused', `${entry.path ?? entry.id} takes no comments.`, {
    field: 'entry',
    rule: 'comments are on for the types in the setting `comments`, and for entries by their field `comments`',
    hint: 'SVC_Settings.update changes the setting, SVC_Content.update the field.',
  })
}

async function threadIn({ db }: WriteContext, entry: EntryRow, id: string): Promise<string> {
  const comment = await getComment(db, id)
  if (comment.entry_id === entry.id) return threadOf(comment)
  const expected = 'a comment on the same entry'
  throw invalid('reply_to', `"reply_to" must be ${expected}.`, expected)
}
