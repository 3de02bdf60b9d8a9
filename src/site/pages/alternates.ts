// The language of a public page, and the same page in other languages. Only public pages are named (attack 89).

import type { Services } from '../../actions/call/services.ts'
import { isPublic, urlOf } from '../../content/entries/entry.ts'
import {
  branchOf,
  languageAt,
  languageBelow,
  languageOf,
  languagePath,
  languagesOf,
  nameOfLanguage,
} from '../../content/languages/languages.ts'
import { listPublishedGroup, type Translation } from '../../content/languages/translations.ts'
import type { EntryRow } from '../../store/core/schema.ts'

/** A page in one language, as menus of languages and the head of a page name it. */
export interface Alternate {
  /** BCP 47. */
  readonly language: string
  /** The name of the language in that language. */
  readonly name: string
  readonly url: string
  /** True if this is the page itself. */
  readonly current: boolean
  /** True for the version that is offered to visitors whose language the site does not have. */
  readonly isDefault: boolean
}

type Parts = Pick<Services, 'clock' | 'settings' | 'store'>

/** The path of the home page to which an entry belongs. */
export const homePathOf = ({ settings }: Pick<Services, 'settings'>, locale: string | null): string => {
  const branch = branchOf(languagesOf(settings.values), locale)
  return branch === null ? '/' : languagePath(branch)
}

/** The language of a path, whether or not the path has a page. */
export function languageOfPath({ settings }: Pick<Services, 'settings'>, path: string): string {
  const languages = languagesOf(settings.values)
  return languageBelow(languages, path) ?? (languages.main || 'en')
}

/** The further language whose home page is at a path. */
export const findHomeLanguage = ({ settings }: Pick<Services, 'settings'>, path: string): string | undefined =>
  languageAt(languagesOf(settings.values), path)

/**
 * A public entry in all its languages, its own included; empty if there is no translation.
 * @param origin with the base path, without a slash at the end
 */
export async function listAlternates(site: Parts, entry: EntryRow, origin: string): Promise<readonly Alternate[]> {
  const languages = languagesOf(site.settings.values)
  if (languages.further.length === 0) return []
  const group = await listPublishedGroup(site.store.read, entry, languages, site.clock.now())
  if (group.length < 2) return []
  return group.map(({ id, locale, path }) =>
    alternate(languageOf(languages, locale), urlOf(origin, path ?? '/'), id === entry.id, languages.main),
  )
}

/**
 * The home page in all languages of the site; empty if there is one language.
 * @param current the further language of the page, or null
 */
export function listHomes(
  { settings }: Pick<Services, 'settings'>,
  current: string | null,
  origin: string,
): readonly Alternate[] {
  const { main, further } = languagesOf(settings.values)
  if (further.length === 0) return []
  const others = further.map((language) => alternate(language, origin + languagePath(language), language === current, main))
  return [alternate(main, `${origin}/`, current === null, main), ...others]
}

function alternate(language: string, url: string, current: boolean, main: string): Alternate {
  return { language, name: nameOfLanguage(language), url, current, isDefault: language === main }
}

/** The translation of the home page's entry, which is the home page of its language. */
export async function findTranslatedHome(site: Parts, home: EntryRow, language: string): Promise<Translation | undefined> {
  const group = await listPublishedGroup(site.store.read, home, languagesOf(site.settings.values), site.clock.now())
  return group.find((member) => member.locale === language && isPublic(member, site.clock.now()))
}
