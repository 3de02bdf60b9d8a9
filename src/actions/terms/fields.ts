// The arguments that set the fields of a term, and the answer of a write to a term.

import { type Static, Type } from 'typebox'
import { seoInput } from '../../content/entries/seo-input.ts'
import { toSeoColumn } from '../../content/types/field-values.ts'
import { findImageId } from '../../media/media-rows.ts'
import type { TermPatch } from '../../content/terms/write-term.ts'
import type { TermRow } from '../../store/core/schema.ts'
import { findTerm } from '../../content/terms/terms.ts'
import { invalid } from '../../base/failure.ts'
import { nullable, itemOutput } from '../call/write-answer.ts'
import type { WriteContext } from '../call/action.ts'
import { unknownTerm } from '../shared/term-names.ts'
import { termItem } from './item.ts'
import { nonEmptyText, clearableText } from '../../base/schema.ts'

export const termId = nonEmptyText('Id or name of a term, such as `category/news`.', 300)

/** The most characters of a term's name. */
export const maxTermName = 200

export const name = nonEmptyText('One line, such as `News`.', maxTermName)

export const fields = {
  slug: Type.Optional(nonEmptyText('Last part of the address. The default is made from the name.', 1100)),
  parent: Type.Optional(
    nullable(Type.String({ minLength: 1, maxLength: 300 }), 'Id or name of the term above it, in a taxonomy that is a tree.'),
  ),
  text: clearableText('Markdown for the head of the archive.', 20_000),
  seo: Type.Optional(nullable(seoInput, 'Metadata of the archive for search engines. Members that are left out stay unchanged.')),
}

const fieldsSchema = Type.Object({ name: Type.Optional(name), ...fields })

export const output = itemOutput(termItem)

export async function columnsOf(
  { db }: WriteContext,
  { name: given, slug, parent, text, seo }: Static<typeof fieldsSchema>,
  before: TermRow | undefined,
): Promise<TermPatch> {
  const above = typeof parent === 'string' ? await findTerm(db, parent) : undefined
  if (typeof parent === 'string' && !above) throw await unknownTerm(db, parent, 'parent')
  return {
    name: given === undefined ? undefined : lineOf(given),
    slug,
    parent_id: parent === undefined ? undefined : (above?.id ?? null),
    text: text === undefined ? undefined : (text ?? '').toWellFormed(),
    seo:
      seo === undefined
        ? undefined
        : seo === null
          ? '{}'
          : await toSeoColumn(seo, { stored: before?.seo, findImageId: (ref) => findImageId(db, ref) }),
  }
}

/** @throws Failure `invalid` for a name without a visible character */
export function lineOf(given: string, field = 'name'): string {
  const line = given.replace(/\s+/g, ' ').trim().toWellFormed()
  if (line !== '') return line
  throw invalid(field, field === 'name' ? '"name" is empty.' : 'The name of the term is empty.', 'one line, such as `News`')
}
