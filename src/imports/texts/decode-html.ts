// Character references of HTML, such as `&lt;`, as the characters that they stand for.

import { Parser } from 'htmlparser2'

/** Decodes the references of a text without tags. */
export function decodeHtml(text: string): string {
  if (!text.includes('&')) return text
  let decoded = ''
  const parser = new Parser({ ontext: (part) => void (decoded += part) })
  parser.write(text.replaceAll('<', '&lt;'))
  parser.end()
  return decoded
}
