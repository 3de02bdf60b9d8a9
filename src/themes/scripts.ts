// The right to write code that runs in a visitor's browser: only an admin whose token has no limits has it (attack 146). A designer
// with a limited token therefore can't add scripts to a theme. The check of a file's text is an early warning for its writer.
// `last-look.ts` decides on the rendered page, by who wrote each file.

import { createHash } from 'node:crypto'
import { decodeCharacters } from '../base/decode-characters.ts'
import { Failure } from '../base/failure.ts'
import type { Caller } from '../identity/caller.ts'
import { checkLimits, isUnlimited } from '../identity/check-limits.ts'

/** Code that runs in a browser, by its description. Liquid tags are removed first, so that they can't split a word. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/<\s*(?:[\w.-]+:)?script\b/i, 'a <script> element'],
  [/<\s*(?:iframe|object|embed|base|portal|frame|applet)\b/i, 'an element that brings in other pages'],
  [/\bhttp-equiv\b/i, 'a <meta http-equiv> element'],
  [/[\s"'/]on[a-z]{3,30}\s*=/i, 'an event attribute'],
  [/(?:javascript|vbscript)\s*:/i, 'a javascript: address'],
  [/\bsrcdoc\s*=/i, 'a srcdoc attribute'],
]

/** In a template, a name of an element or attribute that is put together from parts. */
const composed: readonly RegExp[] = [/<[\s/]*\{[{%]/, /\}\}[a-z-]{0,30}\s{0,9}=/i]

/** Describes the first code in a theme's file that a browser would run; undefined if there is none. */
export function scriptIn(path: string, text: string): string | undefined {
  if (path.endsWith('.js')) return 'a script'
  const isTemplate = path.endsWith('.liquid')
  if (!isTemplate && !path.endsWith('.svg')) return undefined
  if (isTemplate && composed.some((pattern) => pattern.test(text)))
    return 'an element or attribute whose name is put together from parts'
  const bare = isTemplate ? text.replace(/\{\{[^{}]*\}\}|\{%[^{}%]*%\}/g, '') : decodeCharacters(text)
  return patterns.find(([pattern]) => pattern.test(bare) || pattern.test(text))?.[1]
}

/** @throws Failure `refused` for a caller with limits, if the file contains code that a browser would run */
export function checkScripts(caller: Caller, path: string, text: string): void {
  const found = scriptIn(path, text)
  if (found === undefined) return
  try {
    checkLimits(caller, 'unlimited', `writing ${found} into ${path}`)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure(error.code, error.message, { ...error.detail, field: 'text' }, { cause: error })
  }
}

/** A file's text with the mark of its writer. */
export interface VouchedText {
  readonly path: string
  readonly text: string
  readonly vouched: string | null
}

/** The mark of a file's writer: the digest of the text, so that it is valid for no other text; empty for a writer with limits. */
export const vouchedBy = (caller: Caller, text: string): string => (isUnlimited(caller) ? digestOf(text) : '')

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** True if a writer without limits wrote the file. Unknown writers count if the text has code that only they may write. */
export const isVouched = ({ path, text, vouched }: VouchedText): boolean =>
  vouched === null ? scriptIn(path, text) !== undefined : vouched === digestOf(text)
