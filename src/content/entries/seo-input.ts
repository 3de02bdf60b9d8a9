// The input schema of the metadata for search engines, for entries and terms.

import { Type } from 'typebox'
import { textOrNull, orNull } from '../types/entry-field.ts'
import { maxSeoChars } from './entry-text.ts'
import { closed } from '../../base/schema.ts'

/** The longest id or path of a media file. */
const maxNameChars = 1100

export const seoInput = closed({
  title: Type.Optional(textOrNull('Title in search results, if it differs from `title`.', maxSeoChars)),
  description: Type.Optional(textOrNull('Description in search results.', maxSeoChars)),
  canonical: Type.Optional(textOrNull('Address of the original, if this is a copy.', maxSeoChars)),
  noindex: Type.Optional(orNull(Type.Boolean(), 'Asks search engines not to list the entry.')),
  image: Type.Optional(
    textOrNull('Image for cards in social networks, if it differs from `cover`: id or path of a media file.', maxNameChars),
  ),
})
