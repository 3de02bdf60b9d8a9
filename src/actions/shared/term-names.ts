// Names of terms in calls and in answers.

import type { EntryNames } from '../../content/entries/entry-item.ts'
import type { TermOf } from '../../content/terms/term-index.ts'
import { findTerm } from '../../content/terms/terms.ts'
import { findTaxonomy } from '../../content/terms/taxonomies.ts'
import { cutText } from '../../base/cut-text.ts'
import { Failure, invalid, notFound } from '../../base/failure.ts'
import type { Change } from '../../store/change/change.ts'
import type { Db } from '../../store/core/database.ts'
import type { TermRow } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'
import { didYouMean, nearDetail, nearest } from '../../base/nearest.ts'

/** Returns the look-up of terms' names, including terms that this call has written and not committed yet. */
export function termNames(context: Pick<Context, 'site'> & { readonly change?: Change }): TermOf {
  const { site, change } = context
  const written = new Map<string, Partial<TermRow> | null>()
  for (const { kind, id, after } of change?.records ?? [])
    if (kind === 'term') written.set(id, after && { ...written.get(id), ...(after as Partial<TermRow>) })
  if (written.size === 0) return site.terms.of
  return (id) => {
    const known = site.terms.of(id)
    const row = written.get(id)
    if (row === undefined) return known
    return row === null ? undefined : { id, ref: row.ref ?? known?.ref ?? '', name: row.name ?? known?.name ?? '' }
  }
}

/** Returns the names for the values of an entry in an answer. */
export const namesOf = (context: Pick<Context, 'site'> & { readonly change?: Change }): EntryNames => ({
  types: context.site.types.current,
  termOf: termNames(context),
})

/** Returns the term with an id or a name. @throws Failure `not_found`, with the nearest names */
export async function getTerm(db: Db, ref: string): Promise<TermRow> {
  const row = await findTerm(db, ref)
  if (row) return row
  const near = await nearestTerms(db, ref)
  throw notFound('term', ref, near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'SVC_Terms.list lists them.')
}

/** The handling of terms that are not there. */
export interface UnknownTerms {
  /** Returns the term with a name, which it may make. Without this, an unknown term is a failure. */
  find?(ref: string, field: string): Promise<Pick<TermRow, 'id' | 'ref'>>
  /** The hint of that failure about a way to make terms. */
  readonly hint?: string | undefined
}

/**
 * Returns the ids of the terms for an entry of a type.
 * @throws Failure `invalid` for a term that does not exist, or whose taxonomy is not for this type
 */
export async function findTermIds(
  { db }: Pick<Context, 'db'>,
  refs: readonly string[],
  type: string | undefined,
  field = 'terms',
  unknown: UnknownTerms = {},
): Promise<string[]> {
  const ids: string[] = []
  for (const [at, ref] of refs.entries()) {
    const place = `${field}.${at}`
    const term = (await findTerm(db, ref)) ?? (await unknown.find?.(ref, place))
    if (!term) throw await unknownTerm(db, ref, place, unknown.hint)
    const taxonomy = term.ref.slice(0, term.ref.indexOf('/'))
    const types = (await findTaxonomy(db, taxonomy))?.types ?? null
    if (types !== null && type !== undefined && !types.includes(type))
      throw invalid(
        place,
        `Entries of the type ${type} have no terms of the taxonomy ${taxonomy}.`,
        `a term of another taxonomy; ${taxonomy} is for ${types.join(', ')}`,
      )
    ids.push(term.id)
  }
  return ids
}

/** Returns the failure of a field that names an unknown term. @param way the hint about another way to make it */
export async function unknownTerm(db: Db, ref: string, field: string, way?: string): Promise<Failure> {
  const near = await nearestTerms(db, ref)
  return new Failure('invalid', `There is no term ${JSON.stringify(cutText(ref, 200).toWellFormed())}.${didYouMean(near)}`, {
    field,
    expected: near.length > 0 ? near : '`taxonomy/slug` or the id of a term',
    ...nearDetail(near),
    hint: `SVC_Terms.list lists the terms, and SVC_Terms.create adds one.${way === undefined ? '' : ` ${way}`}`,
  })
}

/** The most names that a misspelt name is compared with. */
const maxCompared = 2000

async function nearestTerms(db: Db, ref: string): Promise<readonly string[]> {
  const rows = await db.selectFrom('term').select('ref').orderBy('ref').limit(maxCompared).execute()
  const names = rows.map((row) => row.ref)
  // A bare slug matches all terms with that slug.
  const bare = names.filter((name) => name.endsWith(`/${ref.trim().toLowerCase().replaceAll(' ', '-')}`)).slice(0, 3)
  return bare.length > 0 ? bare : nearest(ref, names)
}
