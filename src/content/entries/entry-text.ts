// The lengths and characters that an entry's texts may have. Within these limits a text is stored as written.

import { Failure, invalid } from '../../base/failure.ts'

/** Lengths in UTF-16 units. */
export const maxTitleChars = 300
export const maxExcerptChars = 2000
export const maxSeoChars = 500
/** The size of a body, in bytes of UTF-8. */
export const maxBodyBytes = 2 * 1024 ** 2

/**
 * Checks a text and makes it well-formed: a lone surrogate becomes U+FFFD.
 * @param maxChars in UTF-16 units
 * @throws Failure `invalid` for a text that is too long, or with NUL, which databases store in different ways
 */
export function checkText(text: string, field: string, maxChars: number): string {
  if (text.includes('\0')) throw invalid(field, `"${field}" contains a NUL character.`, 'a text without U+0000')
  if (text.length > maxChars) throw invalid(field, `"${field}" has ${text.length} characters.`, `at most ${maxChars} characters`)
  return text.toWellFormed()
}

/**
 * Checks a body, as `checkText` does.
 * @throws Failure `too_large` beyond 2 MiB, `invalid` as `checkText` does
 */
export function checkBody(text: string): string {
  if (text.length > maxBodyBytes || Buffer.byteLength(text) > maxBodyBytes) {
    throw new Failure('too_large', '"body" is longer than 2 MiB: split it into several entries.', {
      field: 'body',
      limit: maxBodyBytes,
    })
  }
  return checkText(text, 'body', maxBodyBytes)
}

/** Checks a title: one line, not empty, without control characters. @throws Failure `invalid` */
export function checkTitle(text: string): string {
  const title = checkText(text, 'title', maxTitleChars)
  // oxlint-disable-next-line no-control-regex
  if (title.trim() !== '' && !/[\u0001-\u001f\u007f]/.test(title)) return title
  throw invalid('title', '"title" must be one line of text, and not empty.', 'one line of text, without control characters')
}
