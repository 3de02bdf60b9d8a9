// SVC_Content.previews and end-preview: the links to pages that are not public, and to the whole site in another theme.

import { type Static, Type } from 'typebox'
import { notFound } from '../../../failure.ts'
import { type Caller, includesTier, limitsOf, ownerOf } from '../../../identity/caller.ts'
import { mayStill } from '../../../identity/link-maker.ts'
import { endPreviews, findPreview, makerOfRow } from '../../../identity/preview-store.ts'
import { formatDate } from '../../../settings/time-zone.ts'
import type { PreviewRow } from '../../../store/schema.ts'
import { action, type Context } from '../../action.ts'
import { type ListInput, listAnswer, listOutput, listProperties, listRows, type ListSpec, onlyValues } from '../../list.ts'
import type { WherePart } from '../../where-part.ts'
import { doneOutput, nullable } from '../../write-answer.ts'
import { closed } from '../../../schema.ts'

const previewList: ListSpec<'preview'> = {
  table: 'preview',
  key: 'id',
  fields: {
    id: { column: 'id', kind: 'text', indexed: true },
    created_at: { column: 'created_at', kind: 'time', sort: true },
    expires_at: { column: 'expires_at', kind: 'time', sort: true, indexed: true },
    entry: { column: 'entry_id', kind: 'text', nullable: true },
    theme: { column: 'theme', kind: 'text', nullable: true },
  },
  sort: '-created_at',
  search: ['title'],
}

const previewItem = Type.Object({
  id: Type.String(),
  title: nullable(Type.String()),
  entry: nullable(Type.String(), 'The id of the entry that the link shows; null for one that does not exist yet.'),
  theme: nullable(Type.String(), 'The theme in which the link shows the whole site.'),
  revision: nullable(Type.Integer(), 'The revision that the link shows.'),
  follow: Type.Boolean({ description: 'Whether the link shows the newest revision.' }),
  by: Type.String({ description: 'Who made the link.' }),
  token: nullable(Type.String(), 'The name of the token or app that made the link.'),
  works: Type.Boolean({
    description: 'False once the link has expired, or the token, app or account that made it has ended or got tighter limits.',
  }),
  created_at: Type.String(),
  expires_at: Type.String(),
})
export type PreviewItem = Static<typeof previewItem>

/** True for an admin without limits, who sees all links. */
const seesAll = (caller: Caller): boolean => includesTier(caller.tier, 'admin') && limitsOf(caller).length === 0

/** The condition for all other callers: the links of their token or, without a token, those of their account. */
function onlyFor(caller: Caller): readonly WherePart[] {
  if (seesAll(caller)) return []
  const [column, value] = ownColumn(caller)
  return [onlyValues('preview', { column, kind: 'text', indexed: true, ordered: ['created_at'] }, [value])]
}

const ownColumn = (caller: Caller): readonly ['owner' | 'account_id', string] =>
  caller.account && !caller.token ? ['account_id', caller.account.id] : ['owner', ownerOf(caller)]

export const previews = action('SVC_Content.previews', {
  title: 'List the preview links',
  summary: 'Lists the preview links that you have made, of entries and themes. An admin sees all of them.',
  tier: 'content',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: closed(listProperties(previewList)),
  output: listOutput(previewItem),
  examples: [{ title: 'The newest links', input: {} }],
  async run(context, input: ListInput) {
    const page = await listRows(context, previewList, input, {
      only: onlyFor(context.caller),
      // Links of earlier releases are left out. Expired links are deleted within a minute.
      narrow: (query) => query.where('preview.maker', 'is not', null),
    })
    return listAnswer(context, page, (row) => itemOf(context, row as PreviewRow))
  },
})

async function itemOf({ db, now }: Context, row: PreviewRow): Promise<PreviewItem> {
  const maker = makerOfRow(row)
  return {
    id: row.id,
    title: row.title,
    entry: row.entry_id,
    theme: row.theme,
    revision: row.revision,
    follow: row.follow === 1,
    by: row.by_name ?? '',
    token: row.token_name,
    works: maker !== undefined && row.expires_at > now && (await mayStill(db, maker, { address: undefined, now })),
    created_at: formatDate(row.created_at),
    expires_at: formatDate(row.expires_at),
  }
}

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
    ids: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      description: 'Ids of links, from SVC_Content.previews or from the answer that made them; `latest` is the newest of yours.',
      minItems: 1,
      maxItems: 100,
    }),
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
