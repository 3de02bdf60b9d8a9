// The translations of an entry in the answer of `SVC_Content.get`.

import { Type } from 'typebox'
import { entryStatuses, maySee, urlOf } from '../../content/entries/entry.ts'
import { orNull } from '../../content/types/entry-field.ts'
import { languageOf, languagesOf, nameOfLanguage, readLanguages } from '../../content/languages/languages.ts'
import { listGroup } from '../../content/languages/translations.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'

export const translationItem = Type.Object({
  id: Type.String(),
  language: Type.String({ description: 'Language tag.' }),
  name: Type.String({ description: 'Name of the language in that language.' }),
  title: Type.String(),
  path: orNull(Type.String()),
  url: orNull(Type.String()),
  status: Type.Enum([...entryStatuses]),
})

/** Returns the other entries of the group that the caller may see. On sites with one language there are none, and no query runs. */
export async function translationsOf({ caller, db, inTransaction, now, origin, site }: Context, row: EntryRow) {
  // A transaction may have changed the settings.
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
