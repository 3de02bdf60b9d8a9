// What a plugin says to people, as it may stand in a page, in a list and on a terminal: one short line.

import { cutText } from '../cut-text.ts'

/** A text without control characters, of at most so many characters. */
export function plainLine(text: string, maxLength: number): string {
  const line = text
    .slice(0, maxLength + 1)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .toWellFormed()
  return cutText(line, maxLength)
}
