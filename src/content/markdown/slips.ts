// Slips in a text that whoever wrote it would want to know of: line breaks that came as two characters, and a first heading that
// repeats the title.

import { trimEndOf, trimStartOf } from '../../base/trim-text.ts'
import { type Warning, withoutCode } from './markup.ts'

/**
 * The warning about the two characters `\n` in a text instead of line breaks, if there are more than before. A path such as
 * `C:\new` and a formula such as `\neq` have them too, so before a small letter they count only in a text without any line break.
 */
export function literalBreaks(before: string, after: string): Warning[] {
  const found = countBreaks(after)
  if (found === 0 || found <= countBreaks(before)) return []
  const times = found === 1 ? 'once' : `${found} times`
  const message = `The two characters \\n occur ${times} in the text and visitors see them, where line breaks may be meant. In JSON, a line break is \\n with one backslash.`
  return [{ code: 'literal_newline', message }]
}

function countBreaks(text: string): number {
  if (!text.includes('\\n')) return 0
  const plain = withoutCode(text)
  const isOneLine = !text.includes('\n') && !/[$]|[A-Za-z]:\\/.test(plain)
  return plain.match(isOneLine ? /\\n/g : /\\n(?![a-z])/g)?.length ?? 0
}

/** The warning about a first heading that says the same as the title, which the page shows above it. */
export function titleRepeated(title: string, body: string): Warning[] {
  const heading = firstHeading(body)
  if (heading === undefined || plain(heading) === '' || plain(heading) !== plain(title)) return []
  const message = `The text begins with the heading ${JSON.stringify(heading)}, and the page shows the title above it: the same twice. Leave the heading out of the body.`
  return [{ code: 'title_repeated', message }]
}

/** The text of a heading with which a body begins. */
function firstHeading(body: string): string | undefined {
  const [line = '', below = ''] = body.slice(0, maxLookedAt).trimStart().split('\n', 2)
  if (/^#{1,6}[ \t]/.test(line)) return trimEndOf(withoutId(trimStartOf(line, '#').trim()), '# \t').trim()
  return below !== '' && (trimEndOf(below.trimEnd(), '=') === '' || trimEndOf(below.trimEnd(), '-') === '')
    ? line.trim()
    : undefined
}

/** The most characters in which a first heading is looked for. */
const maxLookedAt = 2000

/** A heading without its id, such as `{#hours}`. */
function withoutId(heading: string): string {
  const at = heading.lastIndexOf('{#')
  return at > 0 && heading.endsWith('}') ? heading.slice(0, at) : heading
}

/** A text without anything but its letters and digits, as headings and titles are compared. */
const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
