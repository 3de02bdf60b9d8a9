// The words of the themes that come with Postern, in the language of the admin. A `theme.json` has them in English, and the
// messages of the group `themes` have each text in every language. The words of other themes stay as they are.

import { themes } from '../messages/en/index.ts'
import type { MessageKey, Words } from '../words.ts'

const keys = new Map(Object.entries(themes).map(([name, text]) => [text, `themes.${name}` as MessageKey]))

/** A label, a help or a description of a theme. */
export function themeWord(t: Words, text: string): string {
  const key = keys.get(text)
  return key === undefined ? text : t(key)
}
