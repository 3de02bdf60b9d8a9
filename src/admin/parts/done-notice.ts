// What the form that led to a page has done. The address of the page names it as `done`.

import type { HtmlValue } from '../../doors/html.ts'
import type { Visit } from '../visit.ts'
import type { MessageKey } from '../words.ts'
import { doneBox } from './fields.ts'

/** The notice; nothing where the address names none. @param words by the values of `done` @param values of their placeholders */
export function doneNotice(
  { request, t }: Visit,
  words: Readonly<Record<string, MessageKey>>,
  values: Readonly<Record<string, string>> = {},
): HtmlValue {
  const key = new Map(Object.entries(words)).get(request.query.get('done') ?? '')
  return doneBox(key && t(key, values))
}
