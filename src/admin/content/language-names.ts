// The names of languages in the language of the page.

import type { Words } from '../words.ts'

/** Returns a function that names a language by its tag (BCP 47). Making it is slow, so use one for all languages of a page. */
export function languageNames(t: Words): (tag: string) => string {
  const names = new Intl.DisplayNames(t.language, { type: 'language' })
  return (tag) => names.of(tag) ?? tag
}
