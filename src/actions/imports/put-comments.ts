// SVC_Import.put-comments: takes over the comments that an export of a site has.

import { type Static, Type } from 'typebox'
import { closed, nonEmptyText } from '../../base/schema.ts'
import { maxCommentChars, tidyText } from '../../content/comments/comment-rules.ts'
import { toTime } from '../../content/types/field-values.ts'
import { targetsNamed } from '../../content/redirects/old-names.ts'
import { action, type WriteContext } from '../call/action.ts'
import { writeProperties } from '../call/write-answer.ts'
import { insertComment, writtenBy } from './insert-comment.ts'

const comment = closed({
  id: Type.String({
    pattern: '^[A-Za-z0-9_-]{26}$',
    maxLength: 26,
    description: 'Its id. A comment that is here stays as it is.',
  }),
  entry: nonEmptyText('Path of the entry.', 1100),
  parent: Type.Optional(nonEmptyText('The id of the comment that it answers.', 26)),
  name: nonEmptyText('The name of the writer.', 200),
  ...writtenBy,
  text: nonEmptyText('Plain text.', 4 * maxCommentChars),
})

export const putComments = action('SVC_Import.put-comments', {
  title: 'Take over the comments of an export',
  summary: 'Takes over the comments of an export with their ids and dates. Those of entries that are not here are left out.',
  did: 'took over the comments of an export',
  tier: 'admin',
  effect: 'write',
  touches: 'unlimited',
  batchable: false,
  input: closed({
    comments: Type.Array(comment, { minItems: 1, maxItems: 500, description: 'Answers after what they answer.' }),
  }),
  output: Type.Object({ made: Type.Integer({ description: 'How many comments were made.' }), ...writeProperties }),
  examples: [
    {
      title: 'A comment',
      input: {
        comments: [
          {
            id: '01jcomment0of0another0site',
            entry: '/hello',
            name: 'Ann',
            posted_at: '2024-05-01T08:30:00Z',
            approved: true,
            text: 'Good bread.',
          },
        ],
      },
    },
  ],
  async run(context, { comments }) {
    return { made: await takeOver(context, comments), warnings: [], activity_id: null }
  },
})

/** @returns how many comments were made. An answer whose first comment is not here stands by itself. */
async function takeOver({ change, db, site }: WriteContext, comments: readonly Static<typeof comment>[]): Promise<number> {
  const asked = comments.flatMap(({ id, parent }) => [id, parent ?? id])
  const found = await db.selectFrom('comment').select(['id', 'entry_id']).where('id', 'in', asked).execute()
  const entryOf = new Map(found.map(({ id, entry_id: entry }) => [id, entry]))
  const targets = await targetsNamed(
    db,
    comments.map(({ entry }) => entry),
  )
  const timeZone = site.settings.values.time_zone
  let made = 0
  for (const [at, { id, entry, parent, name, email, website, posted_at: posted, approved, text }] of comments.entries()) {
    const target = targets.get(entry)
    if (entryOf.has(id) || target?.targetKind !== 'entry') continue
    const answers = parent !== undefined && entryOf.get(parent) === target.targetId
    await insertComment(change, {
      id,
      entry_id: target.targetId,
      parent_id: answers ? parent : null,
      name,
      email: email || null,
      website: website || null,
      body: tidyText(text),
      approved,
      postedAt: toTime(posted, { field: `comments[${at}].posted_at`, timeZone }),
    })
    entryOf.set(id, target.targetId)
    made++
  }
  return made
}
