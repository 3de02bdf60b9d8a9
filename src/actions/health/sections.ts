// The check of texts with lines that begin with `:::`. They were plain text before sections existed, and may have meant something
// in another program.

import { ok, warning } from '../../doctor/finding.ts'
import { plainColonLines } from '../../content/sections/section-place.ts'
import type { Check } from './health-check.ts'

/** The most entries that are looked through, and that the sentence names. */
const maxEntries = 500
const maxNamed = 10
const maxLines = 5

export const sectionsCheck: Check = {
  id: 'sections',
  async run({ store }) {
    const rows = await store.read
      .selectFrom('entry')
      .select(['title', 'path', 'body'])
      .where('status', '!=', 'trash')
      .where('body', 'like', '%:::%')
      .orderBy('path')
      .limit(maxEntries)
      .execute()
    const found = rows.flatMap(({ title, path, body }) => {
      const lines = plainColonLines(body)
      return lines.length === 0 ? [] : [`${JSON.stringify(title)} at ${path ?? 'no path'} (${linesIn(lines)})`]
    })
    if (found.length === 0) return ok('No text has a line with ::: that is no section.')
    const more = found.length > maxNamed ? ` and ${found.length - maxNamed} more` : ''
    return warning(
      `A line that begins with ::: and is no closed section of a known kind appears as text: ${found.slice(0, maxNamed).join(', ')}${more}.`,
      'SVC_Content.check {"where": {}, "rules": ["sections"]}',
    )
  },
}

const linesIn = (lines: readonly number[]): string =>
  `${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, maxLines).join(', ')}${lines.length > maxLines ? ', …' : ''}`
