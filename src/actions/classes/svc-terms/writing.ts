// SVC_Terms.create, update, delete and merge.

import { type Static, Type } from 'typebox'
import { toSeoColumn } from '../../../content/field-values.ts'
import { findImageId } from '../../../media/media-rows.ts'
import { seoInput } from '../../../content/seo-input.ts'
import { changeTerm, deleteTerm, insertTerm, mergeTerm, type TermPatch } from '../../../content/write-term.ts'
import { Failure } from '../../../failure.ts'
import type { TermRow } from '../../../store/schema.ts'
import { action, type WriteContext } from '../../action.ts'
import { getTerm, unknownTerm } from '../../term-names.ts'
import { findTerm } from '../../../content/terms.ts'
import { doneOutput, nullable, writeProperties } from '../../write-answer.ts'
import { writingOf } from '../svc-content/writing.ts'
import { oneTerm, termItem } from './item.ts'
import { getTaxonomy, termId } from './reading.ts'
import { closed } from '../../../schema.ts'

const name = Type.String({ description: 'One line, such as `News`.', minLength: 1, maxLength: 200 })
const fields = {
  slug: Type.Optional(
    Type.String({ description: 'Last part of the address. The default is made from the name.', minLength: 1, maxLength: 1100 }),
  ),
  parent: Type.Optional(
    nullable(Type.String({ minLength: 1, maxLength: 300 }), 'Id or name of the term above it, in a taxonomy that is a tree.'),
  ),
  text: Type.Optional(nullable(Type.String({ maxLength: 20_000 }), 'Markdown for the head of the archive.')),
  seo: Type.Optional(nullable(seoInput, 'Metadata of the archive for search engines. Members that are left out stay unchanged.')),
}
const fieldsSchema = Type.Object({ name: Type.Optional(name), ...fields })

const publicNames: Readonly<Record<string, string>> = { parent_id: 'parent' }
const output = Type.Object({ item: termItem, changed: Type.Array(Type.String()), ...writeProperties })

export const create = action('SVC_Terms.create', {
  title: 'Create [the term {title}|a term]',
  summary: 'Adds a term to a taxonomy, such as a category or a tag.',
  did: 'created [the term {title}|a term]',
  object: { kind: 'term', page: 'term' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'exists'],
  touches: 'site',
  input: closed({
    taxonomy: Type.String({
      description: 'Slug of the taxonomy: `category`, `tag` or one of your own.',
      minLength: 1,
      maxLength: 100,
    }),
    name,
    ...fields,
  }),
  output,
  examples: [
    { title: 'A tag', input: { taxonomy: 'tag', name: 'Boats' } },
    { title: 'A category below another', input: { taxonomy: 'category', name: 'Local news', parent: 'category/news' } },
  ],
  async run(context, { taxonomy, ...given }) {
    const { slug } = await getTaxonomy(context.db, taxonomy)
    const row = await insertTerm(writingOf(context), slug, {
      ...(await columnsOf(context, given, undefined)),
      name: lineOf(given.name),
    })
    return { item: await oneTerm(context, row), changed: [], warnings: [], activity_id: null }
  },
})

export const update = action('SVC_Terms.update', {
  title: 'Change [the term {title}|a term]',
  summary: 'Changes a term. A new slug redirects the old archive.',
  did: 'changed [the term {title}|a term]',
  object: { kind: 'term', page: 'term' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'exists'],
  touches: 'site',
  revisioned: true,
  input: closed({ id: termId, name: Type.Optional(name), ...fields }),
  output,
  examples: [{ title: 'Another name and slug', input: { id: 'category/news', name: 'Latest news', slug: 'latest-news' } }],
  async run(context, { id, ...given }) {
    const before = await getTerm(context.db, id)
    const { row, changed } = await changeTerm(writingOf(context), before, await columnsOf(context, given, before))
    return {
      item: await oneTerm(context, row),
      changed: changed.map((column) => publicNames[column] ?? column),
      warnings: [],
      activity_id: null,
    }
  },
})

async function columnsOf(
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
function lineOf(given: string): string {
  const line = given.replace(/\s+/g, ' ').trim().toWellFormed()
  if (line !== '') return line
  throw new Failure('invalid', '"name" is empty.', { field: 'name', expected: 'one line, such as `News`' })
}

const idsProperty = Type.Array(termId, { description: 'Ids or names of terms.', minItems: 1, maxItems: 100 })

export const remove = action('SVC_Terms.delete', {
  title: 'Delete [the term {title}|a term]',
  summary: 'Deletes terms. Their entries stay, without them; the terms below them move up.',
  did: 'deleted [the term {title}|a term]',
  object: { kind: 'term', page: 'term' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'exists', 'in_use'],
  touches: 'site',
  input: closed({ ids: idsProperty }),
  output: doneOutput,
  examples: [{ title: 'One tag', input: { ids: ['tag/sale'] } }],
  async run(context, { ids }) {
    const done = await eachTerm(context, ids, (row) => deleteTerm(writingOf(context), row))
    return { done, unchanged: [], warnings: [], activity_id: null }
  },
})

export const merge = action('SVC_Terms.merge', {
  title: 'Merge [the terms {title}|terms]',
  summary: 'Merges terms into another of the same taxonomy. Their archives redirect to its archive.',
  did: 'merged [the terms {title}|terms]',
  object: { kind: 'term', page: 'term' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'exists', 'in_use'],
  touches: 'site',
  input: closed({ ids: idsProperty, into: termId }),
  output: doneOutput,
  examples: [{ title: 'One tag into another', input: { ids: ['tag/sale'], into: 'tag/offers' } }],
  async run(context, { ids, into }) {
    const target = await getTerm(context.db, into)
    const done = await eachTerm(context, ids, async (row, at) => {
      if (row.id === target.id || row.taxonomy !== target.taxonomy)
        throw new Failure('invalid', `${row.ref} can't be merged into ${target.ref}.`, {
          field: `ids.${at}`,
          expected: `another term of ${target.taxonomy}`,
        })
      await mergeTerm(writingOf(context), row, await getTerm(context.db, target.id))
    })
    return { done, unchanged: [], warnings: [], activity_id: null }
  },
})

/** Runs a function once for each term, with its present row. @returns the ids of the terms */
async function eachTerm(
  { db }: WriteContext,
  refs: readonly string[],
  run: (row: TermRow, at: number) => Promise<void>,
): Promise<string[]> {
  const ids: string[] = []
  for (const ref of refs) {
    const { id } = await getTerm(db, ref)
    if (!ids.includes(id)) ids.push(id)
  }
  for (const [at, id] of ids.entries()) await run(await getTerm(db, id), at)
  return ids
}
