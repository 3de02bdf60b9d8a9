// The name of a language in the language of the page.

import type { Words } from '../words.ts'

/** @param tag BCP 47 */
export const languageName = (t: Words, tag: string): string =>
  new Intl.DisplayNames(t.language, { type: 'language' }).of(tag) ?? tag
