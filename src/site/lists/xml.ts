// Text as XML. Characters that XML 1.0 can't represent are left out (attack 97).

import { htmlEntities } from '../../content/markdown/escape-html.ts'

/** A text for element content or a quoted attribute. @see https://www.w3.org/TR/xml/#charsets */
export const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"']/g, (char) => htmlEntities[char] ?? '')

/** An element with a text; an empty string if there is no text. */
export const xmlElement = (name: string, text: string | null | undefined): string =>
  text === null || text === undefined || text === '' ? '' : `<${name}>${xmlText(text)}</${name}>`
