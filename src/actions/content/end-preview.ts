import { Type } from 'typebox'
import { endPreviews, findPreview } from '../../identity/preview-store.ts'
import { closed, severalOf } from '../../base/schema.ts'
import { notFound } from '../../base/failure.ts'
import type { Caller } from '../../identity/caller.ts'
import type { PreviewRow } from '../../store/core/schema.ts'
import { action, type Context } from '../call/action.ts'
import { doneOutput } from '../call/write-answer.ts'
import { ownColumn, seesAll } from './own-previews.ts'

export const endPreview = action('SVC_Content.end-preview', {
  title: 'End [the preview link to {title}|a preview link]',
  summary: 'Ends preview links at once, of entries and themes.',
  did: 'ended [the preview link to {title}|a preview link]',
  tier: 'content',
  effect: 'act',
  failures: ['not_found'],
  // Ending a link only takes access from others, and changes nothing of the site.
  touches: 'entries',
  input: closed({
    ids: severalOf(
      Type.String({ minLength: 1, maxLength: 200 }),
      'Ids of links, from SVC_Content.previews or from the answer that made them; `latest` is the newest of yours.',
      100,
    ),
  }),
  output: doneOutput,
  examples: [{ title: 'A link that was just sent to the wrong person', input: { ids: ['latest'] } }],
  async run({ db, caller }, { ids }) {
    const done = new Set<string>()
    for (const id of ids) done.add((await getOwn(db, caller, id)).id)
    await endPreviews(db, [...done])
    return { done: [...done], unchanged: [], warnings: [], activity_id: null }
  },
})

/** @throws Failure `not_found`, also for another caller's link */
async function getOwn(db: Context['db'], caller: Caller, id: string): Promise<PreviewRow> {
  const [column, value] = ownColumn(caller)
  const newest = db
    .selectFrom('preview')
    .selectAll()
    .where(column, '=', value)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
  const row = id === 'latest' ? await newest.limit(1).executeTakeFirst() : await findPreview(db, id)
  if (row && row.maker !== null && (seesAll(caller) || row[column] === value)) return row
  throw notFound('preview link', id, 'SVC_Content.previews lists them.')
}
