// Titles and names of old systems, which hold HTML.

import { readHtml, textIn } from '../../content/from-html/tree.ts'

/** Returns the words of a short text: without tags, with entities decoded, on one line. */
export function plainTitle(html: string): string {
  const text = /[<&]/.test(html) ? textIn(readHtml(html)) : html
  return text.replace(/\s+/g, ' ').trim()
}
