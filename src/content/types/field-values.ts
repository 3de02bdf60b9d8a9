// The checks and stored forms of single fields: dates, language tags, terms, and the metadata for search engines.

import { cutText } from '../../base/cut-text.ts'
import { invalid } from '../../base/failure.ts'
import { parseDate } from '../../settings/time-zone.ts'
import { termIdsOf } from '../../store/change/entry-terms.ts'
import type { FieldInput, FieldOutput } from './entry-field.ts'
import { checkText, maxSeoChars } from '../entries/entry-text.ts'
import { checkUrl, mediaSchemes } from '../markdown/safe-url.ts'
import type { TermName } from '../terms/term-index.ts'
import { termsColumn } from '../terms/terms.ts'

/** The metadata of an entry for search engines and link previews. */
export interface Seo {
  title: string | null
  description: string | null
  canonical: string | null
  noindex: boolean
  /** The id of a media file. */
  image: string | null
}

/** The column `seo` with all its members. */
export function toSeo(column: string): Seo {
  return { title: null, description: null, canonical: null, noindex: false, image: null, ...(JSON.parse(column) as Partial<Seo>) }
}

/** The input `seo`. Members that are left out stay, and null clears them. */
export type SeoInput = { readonly [K in keyof Seo]?: Seo[K] | null }

/** Makes the column `seo`. Only members with a value are stored, in one order, so that equal values are equal texts. */
export async function toSeoColumn(
  given: SeoInput,
  { stored, findImageId }: Pick<FieldInput, 'stored' | 'findImageId'>,
): Promise<string> {
  const { title, description, canonical, noindex, image } = { ...(typeof stored === 'string' ? toSeo(stored) : {}), ...given }
  if (typeof canonical === 'string' && !checkUrl(canonical, mediaSchemes).safe) {
    throw invalid('seo.canonical', '"seo.canonical" must be an address of the web.', 'https://… or a path')
  }
  return JSON.stringify({
    ...(title ? { title: checkText(title, 'seo.title', maxSeoChars) } : {}),
    ...(description ? { description: checkText(description, 'seo.description', maxSeoChars) } : {}),
    ...(canonical ? { canonical: checkText(canonical, 'seo.canonical', maxSeoChars) } : {}),
    ...(noindex === true ? { noindex: true } : {}),
    ...(image ? { image: given.image ? await toImageId(image, { findImageId, field: 'seo.image' }) : image } : {}),
  })
}

/** A date as UTC milliseconds. @throws Failure `invalid` */
export function toTime(text: string, { field, timeZone }: Pick<FieldInput, 'field' | 'timeZone'>): number {
  const at = parseDate(text, timeZone, 'start')
  if (at !== undefined) return at
  const why = /^\d{4}-\d\d-\d\d/.test(text) ? ': there is no such day or time' : ''
  throw invalid(
    field,
    `${JSON.stringify(cutText(text, 40).toWellFormed())} in "${field}" is not a date${why}.`,
    'a date such as 2026-11-21, 2026-11-21T08:30 or 2026-11-21T08:30:00+01:00',
  )
}

/** A language tag in its canonical form (BCP 47). @throws Failure `invalid` */
export function toLocale(tag: string): string {
  const known = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/.test(tag) ? parseLocale(tag) : undefined
  if (known !== undefined) return known
  throw invalid('locale', '"locale" is not a language tag.', 'such as de, en-GB or pt-BR')
}

function parseLocale(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The id of an author. @throws Failure `invalid` for an account that this caller can't name */
export async function toAuthorId(ref: string, { findAuthorId }: Pick<FieldInput, 'findAuthorId'>): Promise<string> {
  const id = await findAuthorId(ref)
  if (id !== undefined) return id
  throw invalid('author', 'There is no such account to be the author.', 'id of an account, or your own e-mail address')
}

/** The id of an image. @throws Failure `invalid` */
export async function toImageId(ref: string, { field, findImageId }: Pick<FieldInput, 'field' | 'findImageId'>): Promise<string> {
  const id = await findImageId(ref)
  if (id !== undefined) return id
  throw invalid(field, `"${field}" names no image of this site.`, 'id or path of an image, as SVC_Media.list gives them, or null')
}

/** The id of a parent. `path.ts` checks that it can be a parent of this entry. @throws Failure `invalid` */
export async function toParentId(ref: string, { findEntryId }: Pick<FieldInput, 'findEntryId'>): Promise<string> {
  const id = await findEntryId(ref)
  if (id !== undefined) return id
  throw invalid(
    'parent',
    `There is no page ${JSON.stringify(ref.slice(0, 200).toWellFormed())} to be the parent.`,
    'id or path of a page, or null',
  )
}

/**
 * Finds the group of translations that an entry joins. `translations.ts` checks that the entry may join it.
 * @throws Failure `invalid`
 */
export async function toGroup(ref: string, { findGroup }: Pick<FieldInput, 'findGroup'>): Promise<string> {
  const group = await findGroup(ref)
  if (group !== undefined) return group
  throw invalid(
    'translation_of',
    `There is no entry ${JSON.stringify(ref.slice(0, 200).toWellFormed())} to be a translation of.`,
    'id or path of an entry, or null',
  )
}

/** The column `terms`. @throws Failure `invalid` for a term that does not exist, or that entries of this type can't have */
export async function toTermsColumn(
  refs: readonly string[],
  { findTermIds, type }: Pick<FieldInput, 'findTermIds' | 'type'>,
): Promise<string> {
  return termsColumn(await findTermIds(refs, type.slug))
}

/** The terms of an entry as answers show them. A deleted term is left out. */
export function toTermNames(column: string, { termOf }: Pick<FieldOutput, 'termOf'>): TermName[] {
  return termIdsOf(column).flatMap((id) => termOf(id) ?? [])
}
