// What a call answers, as its caller asked for it: the selected fields, as JSON text, within the size that every answer keeps.

import { Failure } from '../failure.ts'
import { jsonText, JsonText } from '../json.ts'
import type { CallOptions } from './options.ts'
import { project } from './select.ts'

/** No answer is longer, in bytes of JSON (ACTIONS.md "Size"). */
export const maxAnswerBytes = 80 * 1024

type Answer = JsonText | Readonly<Record<string, unknown>>

/** An answer as the caller asked for it. @throws Failure `invalid` for a selected field that isn't there, `too_large` */
export function finish(data: Answer, { select }: CallOptions): JsonText {
  const answer = select ? selected(data, select) : data
  const text = answer instanceof JsonText ? answer : new JsonText(jsonText(answer))
  if (fits(text.text)) return text
  throw new Failure('too_large', 'This answer is longer than 80 KB: ask for less of it.', {
    limit: maxAnswerBytes,
    hint: 'Name the fields you need in `select`, a smaller `limit`, or one `section`.',
  })
}

const selected = (data: Answer, select: readonly string[]): Answer =>
  project((data instanceof JsonText ? data.parse() : data) as Readonly<Record<string, unknown>>, select)

/** Counted only where it may be too long: a character has three bytes at most. */
const fits = (text: string): boolean => text.length * 3 <= maxAnswerBytes || Buffer.byteLength(text) <= maxAnswerBytes
