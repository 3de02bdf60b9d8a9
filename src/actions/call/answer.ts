// Makes the answer of a call: the selected fields as JSON text, within the size limit.

import { Failure } from '../../base/failure.ts'
import { jsonText, JsonText } from '../../base/json.ts'
import type { CallOptions } from './options.ts'
import { project } from './select.ts'

/** The longest answer, in bytes of JSON. A longer one would not fit into the context of many AI clients. */
export const maxAnswerBytes = 80 * 1024

type Answer = JsonText | Readonly<Record<string, unknown>>

/**
 * Returns the answer as JSON text.
 * @param isLong true if the caller takes an answer of any length
 * @throws Failure `invalid` for an unknown field in `select`, `too_large`
 */
export function finish(data: Answer, { select }: CallOptions, isLong = false): JsonText {
  const answer = select ? selected(data, select) : data
  const text = answer instanceof JsonText ? answer : new JsonText(jsonText(answer))
  if (isLong || fits(text.text)) return text
  throw new Failure('too_large', 'This answer is longer than 80 KB. Ask for less.', {
    limit: maxAnswerBytes,
    hint: 'Name the fields you need in `select`, a smaller `limit`, or one `section`.',
  })
}

const selected = (data: Answer, select: readonly string[]): Answer =>
  project((data instanceof JsonText ? data.parse() : data) as Readonly<Record<string, unknown>>, select)

/** Counts bytes only if the text may be too long. A UTF-16 unit has at most three bytes in UTF-8. */
const fits = (text: string): boolean => text.length * 3 <= maxAnswerBytes || Buffer.byteLength(text) <= maxAnswerBytes
