// The translations of an entry, as `SVC_Content.get` answers them.

import { Type } from 'typebox'
import { entryStatuses, maySee, urlOf } from '../../../content/entry.ts'
import { orNull } from '../../../content/entry-field.ts'
import { languageOf, languagesOf, nameOfLanguage, readLanguages } from '../../../content/languages.ts'
import { listGroup } from '../../../content/translations.ts'
import type { EntryRow } from '../../../store/schema.ts'
import type { Context } from '../../action.ts'

export const translationItem = Type.Object({
  id: Type.String(),
  language: Type.String({ description: 'Language tag.' }),
  name: Type.String({ description: 'Name of the language in that language.' }),
  title: Type.String(),
  path: orNull(Type.String()),
  url: orNull(Type.String()),
  status: Type.Enum([...entryStatuses]),
})

/**
 * The other entries of the group, as far as the caller may see them. Sites with one language have none, and the question costs them nothing.
 */
export async function translationsOf({ caller, db, inTransaction, now, origin, site }: Context, row: EntryRow) {
  // A transaction may have changed the settings itself.
  const languages = inTransaction ? await readLanguages(db) : languagesOf(site.settings.values)
  if (languages.further.length === 0) return []
  const group = await listGroup(db, row, languages)
  return group
    .filter((member) => member.id !== row.id && maySee(caller, member, now))
    .map(({ id, title, path, status, locale }) => {
      const language = languageOf(languages, locale)
      return { id, language, name: nameOfLanguage(language), title, path, url: path && urlOf(origin, path), status }
    })
}
