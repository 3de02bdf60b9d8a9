// How long an entry's texts may be, and what they may hold. Beyond that a text is stored as written.

import { Failure } from '../failure.ts'

/** Lengths in UTF-16 units. */
export const maxTitleChars = 300
export const maxExcerptChars = 2000
export const maxSeoChars = 500
/** Of a body, in bytes of UTF-8. */
export const maxBodyBytes = 2 * 1024 ** 2

/**
 * A text as it is stored: well-formed, with U+FFFD for a surrogate without its other half.
 * @param maxChars UTF-16 units
 * @throws Failure `invalid` for NUL, which no database keeps alike, or a text that is too long
 */
export function checkText(text: string, field: string, maxChars: number): string {
  if (text.includes('\0'))
    throw new Failure('invalid', `"${field}" holds a NUL character.`, { field, expected: 'a text without U+0000' })
  if (text.length > maxChars)
    throw new Failure('invalid', `"${field}" has ${text.length} characters.`, {
      field,
      expected: `at most ${maxChars} characters`,
    })
  return text.toWellFormed()
}

/**
 * A body as it is stored.
 * @throws Failure `too_large` beyond 2 MiB, `invalid` as `checkText` does
 */
export function checkBody(text: string, field = 'body'): string {
  if (text.length > maxBodyBytes || Buffer.byteLength(text) > maxBodyBytes) {
    throw new Failure('too_large', `"${field}" is longer than 2 MiB: split it into several entries.`, {
      field,
      limit: maxBodyBytes,
    })
  }
  return checkText(text, field, maxBodyBytes)
}

/** A title: one line, without space around it, and not empty. @throws Failure `invalid` */
export function checkTitle(text: string, field = 'title'): string {
  const title = checkText(text, field, maxTitleChars)
  // oxlint-disable-next-line no-control-regex
  if (title.trim() !== '' && !/[\u0001-\u001f\u007f]/.test(title)) return title
  throw new Failure('invalid', `"${field}" must be one line with something in it.`, {
    field,
    expected: 'one line of text, without control characters',
  })
}
