// Text from a plugin, made safe for a page, a list and a terminal: one short line.

import { cutText } from '../base/cut-text.ts'

/** Replaces control characters by spaces and cuts the text. */
export function plainLine(text: string, maxLength: number): string {
  const line = text
    .slice(0, maxLength + 1)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .toWellFormed()
  return cutText(line, maxLength)
}
