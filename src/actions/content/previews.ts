// SVC_Content.previews: lists the preview links of entries and themes.

import { type Static, Type } from 'typebox'
import type { Caller } from '../../identity/caller.ts'
import type { PreviewRow } from '../../store/core/schema.ts'
import { isMakerAllowed } from '../../identity/link-maker.ts'
import { makerOfRow } from '../../identity/preview-store.ts'
import { formatDate } from '../../settings/time-zone.ts'
import { onlyValues } from '../lists/list.ts'
import { listAction } from '../shared/list-action.ts'
import { nullable } from '../call/write-answer.ts'
import type { WherePart } from '../lists/where-part.ts'
import type { Context } from '../call/action.ts'
import { ownColumn, seesAll } from './own-previews.ts'

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

/** The condition for callers who don't see all links: those of their token or, without a token, of their account. */
function onlyFor(caller: Caller): readonly WherePart[] {
  if (seesAll(caller)) return []
  const [column, value] = ownColumn(caller)
  return [onlyValues('preview', { column, kind: 'text', indexed: true, ordered: ['created_at'] }, [value])]
}

export const previews = listAction('SVC_Content.previews', {
  title: 'List the preview links',
  summary: 'Lists the preview links that you have made, of entries and themes. An admin sees all of them.',
  tier: 'content',
  examples: [{ title: 'The newest links', input: {} }],
  list: {
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
  },
  item: previewItem,
  options: ({ caller }) => ({
    only: onlyFor(caller),
    // Links of earlier releases are left out. Expired links are deleted within a minute.
    narrow: (query) => query.where('preview.maker', 'is not', null),
  }),
  items: (context) => (row) => itemOf(context, row),
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
    works: maker !== undefined && row.expires_at > now && (await isMakerAllowed(db, maker, { address: undefined, now })),
    created_at: formatDate(row.created_at),
    expires_at: formatDate(row.expires_at),
  }
}
