// The languages of a site. The default language is at the root. Each further language has a path, such as `/de`. An entry whose
// `locale` is a further language is below that path. Every other entry is at the root, even if the site does not have its language.

import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { definitions } from '../../settings/definitions.ts'
import type { Db } from '../../store/core/database.ts'
import type { Schema } from '../../store/core/schema.ts'

export interface Languages {
  /** The default language of the site, whose entries are at the root. */
  readonly main: string
  /** The further languages, each with its path. */
  readonly further: readonly string[]
}

/** A part of the site: a further language, or null for the root. */
export interface LanguageBranch {
  readonly languages: Languages
  readonly branch: string | null
}

/** The languages that the settings name. */
export function languagesOf({
  language,
  languages,
}: {
  readonly language: string
  readonly languages: readonly string[]
}): Languages {
  return { main: language, further: languages }
}

/** The languages as a transaction sees them, which may have changed the settings. */
export async function readLanguages(db: Db): Promise<Languages> {
  const rows = await db.selectFrom('setting').select(['key', 'value']).where('key', 'in', ['language', 'languages']).execute()
  const valueOf = (key: string) => {
    const row = rows.find((one) => one.key === key)
    return row && (JSON.parse(row.value) as unknown)
  }
  const main = definitions.language.parse(valueOf('language'))
  const further = definitions.languages.parse(valueOf('languages'))
  return {
    main: 'value' in main ? main.value : definitions.language.fallback,
    further: 'value' in further ? further.value : definitions.languages.fallback,
  }
}

/** The language in which an entry is written. */
export const languageOf = ({ main }: Languages, locale: string | null): string => locale ?? main

/** The further language to which an entry belongs; null if it is at the root. */
export const branchOf = ({ further }: Languages, locale: string | null): string | null =>
  locale !== null && further.includes(locale) ? locale : null

/** The path of a language's home page: `/de`, and `/pt-br` for `pt-BR`. */
export const languagePath = (language: string): string => `/${language.toLowerCase()}`

/** Returns the beginning of the paths of entries with this locale: an empty text or `/de`. */
export function prefixOf(languages: Languages, locale: string | null): string {
  const branch = branchOf(languages, locale)
  return branch === null ? '' : languagePath(branch)
}

/** The further language whose home page is at a path. */
export const languageAt = ({ further }: Languages, path: string): string | undefined =>
  further.find((language) => languagePath(language) === path)

/** The further language whose home page is at or above a path: `de` for `/de` and `/de/team`. */
export const languageBelow = ({ further }: Languages, path: string): string | undefined =>
  further.find((language) => `${path}/`.toLowerCase().startsWith(`${languagePath(language)}/`))

/** True if a slug could be the path of a language. For any other slug the settings need not be read. */
export const mayBeLanguage = (slug: string): boolean => /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/.test(slug)

/** The condition that an entry belongs to a further language, or to the root. A site with one language needs no condition. */
export function inBranch(
  eb: ExpressionBuilder<Schema, 'entry'>,
  { further }: Languages,
  branch: string | null,
): Expression<SqlBool> {
  if (branch !== null) return eb('entry.locale', '=', branch)
  if (further.length === 0) return eb.and([])
  return eb.or([eb('entry.locale', 'is', null), eb('entry.locale', 'not in', further)])
}

/** The name of a language in that language, such as `Deutsch`. */
export function nameOfLanguage(language: string): string {
  const name = new Intl.DisplayNames([language], { type: 'language', languageDisplay: 'standard' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}
