// SVC_Content.preview: a link to an entry as it is or with other fields, or to a new entry. It saves no entry.

import { Type } from 'typebox'
import { checkStagingLimits } from '../../content/entries/allowed.ts'
import { pathNamed } from '../../content/entries/entry.ts'
import { blankColumns } from '../../content/types/field-lists.ts'
import { mergeEntry } from '../../content/entries/pending.ts'
import { slugify } from '../../content/entries/slug.ts'
import { Failure, invalid } from '../../base/failure.ts'
import { newId } from '../../store/core/ids.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { action, type Context } from '../call/action.ts'
import { linkOutput, makeLink } from '../shared/preview-link.ts'
import { columnsFrom, fieldProperties } from './fields.ts'
import { idProperty, getNamed } from './named.ts'
import { findingsIn } from './warnings.ts'
import { closed, flag } from '../../base/schema.ts'

const usualSeconds = 3600
const maxSeconds = 7 * 86_400

export const preview = action('SVC_Content.preview', {
  title: 'Make a preview link to [{title}|an entry]',
  summary: 'Makes a link that shows a page before it is public: as it is, with other fields, or a new one. Saves no entry.',
  // Anyone can open the link, so its maker must have the right to write the content that it shows.
  did: 'made a preview link to [{title}|an entry]',
  object: { kind: 'entry', page: 'editEntry' },
  tier: 'content',
  effect: 'act',
  failures: ['not_found', 'unprocessable', 'refused'],
  touches: 'entries',
  batchable: false,
  secrets: ['url'],
  input: closed({
    id: Type.Optional({
      ...idProperty,
      description: 'Id or path of an entry. It is shown with the changes that wait for `publish`.',
    }),
    ...fieldProperties,
    follow: flag('Shows the newest revision of the entry at any time. Otherwise the link keeps showing the present one.'),
    expires_in: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: maxSeconds,
        description: `Seconds for which the link works. The default is ${usualSeconds}.`,
      }),
    ),
  }),
  output: linkOutput,
  links: 'url',
  examples: [
    { title: 'A page with the changes that wait', input: { id: '/about' } },
    { title: 'The same page with another text', input: { id: '/about', body: '# About\n\nWe have moved.', expires_in: 600 } },
    { title: 'A post that does not exist yet', input: { type: 'post', title: 'Summer fair', body: 'Come at **ten**.' } },
  ],
  async prepare(context, { body }) {
    await findingsIn(context, body)
  },
  async run(context, { id, follow = false, expires_in: seconds = usualSeconds, ...input }) {
    const { now, db } = context
    const before = id === undefined ? undefined : (await mergeEntry(db, await getShown(context, id))).row
    const isGiven = Object.values(input).some((value) => value !== undefined)
    if (follow && (isGiven || !before)) throw followsNothing()
    const given = isGiven || !before
    const shown = before ? { ...before, ...(given && (await columnsFrom(context, input, before))) } : await newRow(context, input)
    // Both rows are checked, so that no given author or type makes another person's draft one's own.
    for (const row of before ? [before, shown] : [shown]) checkStagingLimits(context.caller, row)
    return makeLink(context, 'preview', {
      entry_id: before?.id ?? null,
      theme: null,
      title: shown.title,
      revision: before?.revision ?? null,
      content: follow ? '' : JSON.stringify(shown),
      follow,
      until: now + seconds * 1000,
    })
  },
})

const followsNothing = () =>
  invalid('follow', '`follow` shows what is saved, so it goes with the `id` of an entry and no other fields.', '`id` alone')

async function getShown(context: Context, id: string): Promise<EntryRow> {
  const row = await getNamed(context, id)
  if (row.status !== 'trash') return row
  throw new Failure('refused', 'This entry is in the trash.', {
    rule: 'entries in the trash have no page',
    hint: 'SVC_Content.restore takes it out, as a draft.',
  })
}

/** Returns a row as `create` would make it. Its path is only shown, so it need not be free. */
async function newRow(context: Context, input: Parameters<typeof columnsFrom>[1]): Promise<EntryRow> {
  const { type, title } = input
  if (type === undefined || title === undefined)
    throw invalid(
      type === undefined ? 'id' : 'title',
      'What should the preview show? Give the `id` of an entry, or `type` and `title` of a new one.',
      '`id`, or `type` and `title`',
    )
  const { now, caller } = context
  const columns = await columnsFrom(context, input, undefined)
  const slug = columns.slug ?? (slugify(title) || type)
  const counted = { id: newId(now), created_at: now, updated_at: now, revision: 1 }
  const author = { author_id: caller.account?.id ?? null, published_at: now }
  const given = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined && value !== null))
  return { ...blankColumns, ...author, ...given, ...counted, type, title, slug, path: pathNamed(slug) }
}
