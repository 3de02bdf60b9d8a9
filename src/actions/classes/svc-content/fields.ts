// The fields of an entry that a caller may set, and how they are read: names to ids, dates to milliseconds, `null` to nothing.

import { type Static, Type } from 'typebox'
import { type EntryStatus, entryTypes, findEntry, parseSeo, type Seo } from '../../../content/entry.ts'
import {
  holdBody,
  holdText,
  holdTitle,
  maxBodyBytes,
  maxExcerptChars,
  maxSeoChars,
  maxTitleChars,
} from '../../../content/entry-text.ts'
import { checkUrl, mediaSchemes } from '../../../content/safe-url.ts'
import { newTiming, settleTiming } from '../../../content/status.ts'
import type { EntryPatch } from '../../../content/write-entry.ts'
import { Failure } from '../../../failure.ts'
import { parseDate } from '../../../settings/time-zone.ts'
import type { EntryRow } from '../../../store/schema.ts'
import type { Context } from '../../action.ts'
import { mayLookUp } from '../../look-up.ts'
import { named } from './named.ts'

const textOrNull = (description: string, maxLength: number) =>
  Type.Union([Type.String({ maxLength }), Type.Null()], { description })
const optionalText = (description: string, maxLength: number) => Type.Optional(textOrNull(description, maxLength))

const maxDateChars = 100
/** Of what names another thing: an id, a path, an address. */
const maxNameChars = 1100

const seo = Type.Object(
  {
    title: optionalText('Title in search results, where it is another one.', maxSeoChars),
    description: optionalText('Description in search results.', maxSeoChars),
    canonical: optionalText('Address of the original, where this is a copy.', maxSeoChars),
    noindex: Type.Optional(Type.Union([Type.Boolean(), Type.Null()], { description: 'Asks search engines to leave it out.' })),
  },
  { additionalProperties: false },
)

/** Statuses that can be asked for; the trash has actions of its own. */
const askable = ['draft', 'scheduled', 'published', 'private'] as const satisfies readonly Exclude<EntryStatus, 'trash'>[]

export const typeProperty = Type.Enum([...entryTypes], {
  description: 'page: stands below its parents; post: dated, at the top.',
})
export const titleProperty = Type.String({
  description: `One line, at most ${maxTitleChars} characters.`,
  maxLength: maxTitleChars,
})

/** Properties that create, update and put take alike, none of them required. */
export const fieldProperties = {
  type: Type.Optional(typeProperty),
  title: Type.Optional(titleProperty),
  slug: Type.Optional(
    Type.String({ description: 'Last part of its address; from the title unless given.', maxLength: maxNameChars }),
  ),
  body: optionalText('Markdown, at most 2 MiB.', maxBodyBytes),
  excerpt: optionalText('What lists and feeds show of it, at most 2,000 characters.', maxExcerptChars),
  status: Type.Optional(Type.Enum([...askable], { description: '`published` with a future `published_at` is scheduled.' })),
  published_at: optionalText("When it was or will be published: with an offset, or in the site's time zone.", maxDateChars),
  unpublish_at: optionalText('When it stops being public.', maxDateChars),
  author: optionalText('Id or e-mail address of an account.', maxNameChars),
  parent: optionalText('Id or path of the page it stands below.', maxNameChars),
  position: Type.Optional(
    Type.Union([Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 }), Type.Null()], {
      description: 'Order among its siblings; 0 unless given.',
    }),
  ),
  seo: Type.Optional(Type.Union([seo, Type.Null()], { description: 'For search engines; members that are left out stay.' })),
  locale: optionalText("Language tag such as `de` or `pt-BR`, where it is not the site's language.", 100),
}

const fieldsSchema = Type.Object(fieldProperties, { additionalProperties: false })
export type EntryInput = Static<typeof fieldsSchema>

/**
 * The columns that an input means, for a new entry or for one that is there.
 * @throws Failure `invalid` naming the field, `refused` for an author that is not the caller's to name
 */
export async function columnsOf(context: Context, input: EntryInput, before: EntryRow | undefined): Promise<EntryPatch> {
  const { title, slug, body, excerpt, position } = input
  return {
    ...(input.type === undefined ? {} : { type: input.type }),
    ...(title === undefined ? {} : { title: holdTitle(title) }),
    ...(slug === undefined ? {} : { slug }),
    ...(body === undefined ? {} : { body: body === null ? '' : holdBody(body) }),
    ...(excerpt === undefined ? {} : { excerpt: excerpt === null ? null : holdText(excerpt, 'excerpt', maxExcerptChars) }),
    ...(position === undefined ? {} : { position: position ?? 0 }),
    ...(input.seo === undefined ? {} : { seo: seoColumn(input.seo, before) }),
    ...(input.locale === undefined ? {} : { locale: localeColumn(input.locale) }),
    ...(input.author === undefined ? {} : { author_id: await authorColumn(context, input.author) }),
    ...(input.parent === undefined ? {} : { parent_id: await parentColumn(context, input.parent) }),
    ...timingColumns(context, input, before),
  }
}

function timingColumns(
  context: Context,
  { status, published_at, unpublish_at }: EntryInput,
  before: EntryRow | undefined,
): EntryPatch {
  const asked = {
    status,
    published_at: timeOf(context, published_at, 'published_at'),
    unpublish_at: timeOf(context, unpublish_at, 'unpublish_at'),
  }
  const timing = settleTiming(before ?? newTiming, asked, context.now)
  return { status: timing.status, published_at: timing.published_at, unpublish_at: timing.unpublish_at }
}

/** A date as it was given, in UTC milliseconds. @throws Failure `invalid` */
export function timeOf<T extends string | null | undefined>(
  context: Context,
  text: T,
  field: string,
): number | Exclude<T, string> {
  if (text === null || text === undefined) return text as Exclude<T, string>
  const at = parseDate(text, context.site.settings.values.time_zone, 'start')
  if (at !== undefined) return at
  throw new Failure('invalid', `"${field}" is no date.`, {
    field,
    expected: 'a date such as 2026-11-21, 2026-11-21T08:30 or 2026-11-21T08:30:00+01:00',
  })
}

/** Only what differs from nothing is kept, in one order, so that equal ones are equal texts. */
function seoColumn(given: Exclude<EntryInput['seo'], undefined>, before: EntryRow | undefined): string {
  const old: Partial<Seo> = given === null || !before ? {} : parseSeo(before.seo)
  const { title, description, canonical, noindex } = { ...old, ...given }
  if (typeof canonical === 'string' && !checkUrl(canonical, mediaSchemes).safe) {
    throw new Failure('invalid', '"seo.canonical" must be an address of the web.', {
      field: 'seo.canonical',
      expected: 'https://… or a path',
    })
  }
  return JSON.stringify({
    ...(title ? { title: holdText(title, 'seo.title', maxSeoChars) } : {}),
    ...(description ? { description: holdText(description, 'seo.description', maxSeoChars) } : {}),
    ...(canonical ? { canonical: holdText(canonical, 'seo.canonical', maxSeoChars) } : {}),
    ...(noindex === true ? { noindex: true } : {}),
  })
}

function localeColumn(tag: string | null): string | null {
  if (tag === null) return null
  const known = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/.test(tag) ? canonicalLocale(tag) : undefined
  if (known !== undefined) return known
  throw new Failure('invalid', '"locale" is no language tag.', { field: 'locale', expected: 'such as de, en-GB or pt-BR' })
}

function canonicalLocale(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Who may not see the accounts names another one by its id only, so that nobody finds out here whose addresses have accounts. */
async function authorColumn(context: Context, ref: string | null): Promise<string | null> {
  const { caller, db } = context
  if (ref === null) return null
  if (ref === caller.account?.id || ref.toLowerCase() === caller.account?.email) return caller.account?.id ?? null
  const byEmail = mayLookUp(context, 'SVC_Accounts.list')
  const accounts = await db
    .selectFrom('account')
    .select('id')
    .where((eb) => eb.or([eb('id', '=', ref), ...(byEmail ? [eb('email', '=', ref.trim().toLowerCase())] : [])]))
    .execute()
  const found = accounts.find(({ id }) => id === ref) ?? accounts[0]
  if (found) return found.id
  throw new Failure('invalid', 'There is no such account to be the author.', {
    field: 'author',
    expected: 'id of an account, or your own e-mail address',
  })
}

async function parentColumn(context: Context, ref: string | null): Promise<string | null> {
  if (ref === null) return null
  const parent = await findEntry(context.db, named(context, ref))
  if (parent) return parent.id
  throw new Failure('invalid', `There is no page ${JSON.stringify(ref.slice(0, 200).toWellFormed())} to stand below.`, {
    field: 'parent',
    expected: 'id or path of a page, or null',
  })
}
