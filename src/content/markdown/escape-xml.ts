// Text as XML. Characters that XML 1.0 can't represent are left out (attack 97).

import { htmlEntities } from './escape-html.ts'

/** A text without the characters that XML 1.0 does not have, for a CDATA section. @see https://www.w3.org/TR/xml/#charsets */
export const xmlCharacters = (text: string): string =>
  text.toWellFormed().replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')

/** A text for element content or a quoted attribute. */
export const xmlText = (text: string): string => xmlCharacters(text).replace(/[&<>"']/g, (char) => htmlEntities[char] ?? '')

/** An element with a text; an empty string if there is no text. */
export const xmlElement = (name: string, text: string | null | undefined): string =>
  text === null || text === undefined || text === '' ? '' : `<${name}>${xmlText(text)}</${name}>`
