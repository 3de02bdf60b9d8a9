// Who may write what runs in a visitor's browser: an admin whose token has no limits, and nobody else (attack 146). A theme that was given to a
// designer's token therefore stays without scripts of the designer. The check of a file's text is an early word for its writer; `last-look.ts`
// decides on the rendered page, and asks here who wrote each file.

import { createHash } from 'node:crypto'
import { decodeCharacters } from '../decode-characters.ts'
import { Failure } from '../failure.ts'
import type { Caller } from '../identity/caller.ts'
import { checkLimits, isUnlimited } from '../identity/check-limits.ts'

/** What runs in a browser, by the words that say so. Tags of Liquid are taken out first, so that they can't part a word. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/<\s*(?:[\w.-]+:)?script\b/i, 'a <script> element'],
  [/<\s*(?:iframe|object|embed|base|portal|frame|applet)\b/i, 'an element that brings in other pages'],
  [/\bhttp-equiv\b/i, 'a <meta http-equiv> element'],
  [/[\s"'/]on[a-z]{3,30}\s*=/i, 'an event attribute'],
  [/(?:javascript|vbscript)\s*:/i, 'a javascript: address'],
  [/\bsrcdoc\s*=/i, 'a srcdoc attribute'],
]

/** In a template, the name of an element or attribute that is put together from parts. */
const composed: readonly RegExp[] = [/<[\s/]*\{[{%]/, /\}\}[a-z-]{0,30}\s{0,9}=/i]

/** What in a file of a theme would run in a browser; undefined where nothing does. */
export function scriptIn(path: string, text: string): string | undefined {
  if (path.endsWith('.js')) return 'a script'
  const isTemplate = path.endsWith('.liquid')
  if (!isTemplate && !path.endsWith('.svg')) return undefined
  if (isTemplate && composed.some((pattern) => pattern.test(text)))
    return 'an element or attribute whose name is put together from parts'
  const bare = isTemplate ? text.replace(/\{\{[^{}]*\}\}|\{%[^{}%]*%\}/g, '') : decodeCharacters(text)
  return patterns.find(([pattern]) => pattern.test(bare) || pattern.test(text))?.[1]
}

/** @throws Failure `refused` for a caller with limits, if the file runs something in a browser */
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

/** The text of a file, and what its row says about the writer. */
export interface VouchedText {
  readonly path: string
  readonly text: string
  readonly vouched: string | null
}

/** What the row of a file says about its writer. It holds for this text alone, so nothing that brings back another text brings it along. */
export const vouchedBy = (caller: Caller, text: string): string => (isUnlimited(caller) ? digestOf(text) : '')

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** Whether a writer without limits wrote a file. Of a file whose writer isn't known this is sure if no other writer could have written it. */
export const isVouched = ({ path, text, vouched }: VouchedText): boolean =>
  vouched === null ? scriptIn(path, text) !== undefined : vouched === digestOf(text)
