// A term in an answer.

import { type Static, Type } from 'typebox'
import { toSeo } from '../../content/types/field-values.ts'
import { countPublicEntries, pathOfTerm } from '../../content/terms/terms.ts'
import { urlOf } from '../../content/entries/entry.ts'
import { formatDate } from '../../settings/time-zone.ts'
import type { TermRow } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'
import { nullable } from '../call/write-answer.ts'

export const termItem = Type.Object({
  id: Type.String(),
  ref: Type.String({ description: 'Its name, `taxonomy/slug`.' }),
  taxonomy: Type.String(),
  slug: Type.String(),
  name: Type.String(),
  parent: nullable(Type.String(), 'Id of the term above it.'),
  path: Type.String({ description: 'Path of its archive.' }),
  url: Type.String(),
  count: Type.Integer({ description: 'Number of public entries, with those of the terms below it.' }),
  text: Type.Optional(Type.String({ description: 'Markdown.' })),
  seo: Type.Optional(
    Type.Object({
      title: nullable(Type.String()),
      description: nullable(Type.String()),
      canonical: nullable(Type.String()),
      noindex: Type.Boolean(),
    }),
  ),
  created_at: Type.Optional(Type.String()),
  updated_at: Type.Optional(Type.String()),
  revision: Type.Integer(),
})

export type TermItem = Static<typeof termItem>

/** @param whole true to include the long members */
export function termItemOf({ origin }: Pick<Context, 'origin'>, row: TermRow, count: number, whole: boolean): TermItem {
  const { id, ref, taxonomy, slug, name, parent_id: parent, revision } = row
  const path = pathOfTerm(row)
  const long = whole && {
    text: row.text,
    seo: toSeo(row.seo),
    created_at: formatDate(row.created_at),
    updated_at: formatDate(row.updated_at),
  }
  return { id, ref, taxonomy, slug, name, parent, path, url: urlOf(origin, path), count, ...long, revision }
}

/** Returns a single term with its count. */
export async function oneTerm(context: Context, row: TermRow, whole = context.select !== undefined): Promise<TermItem> {
  return termItemOf(context, row, (await countPublicEntries(context.db, [row.id])).get(row.id) ?? 0, whole)
}
