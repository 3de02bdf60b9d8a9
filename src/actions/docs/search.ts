import { Type } from 'typebox'
import type { Section } from '../../content/markdown/outline.ts'
import type { Doc } from '../../docs/index.ts'
import { action } from '../call/action.ts'
import { docs, sectionsOf } from './documents.ts'
import { closed, nonEmptyText } from '../../base/schema.ts'

export const search = action('SVC_Docs.search', {
  title: 'Search the documents',
  summary: 'Finds the sections that contain all words of a query.',
  tier: 'any',
  effect: 'read',
  input: closed({ query: nonEmptyText('Words to look for.', 200) }),
  output: Type.Object({
    items: Type.Array(Type.Object({ doc: Type.String(), section: Type.String(), title: Type.String(), snippet: Type.String() })),
  }),
  examples: [{ title: 'Sections about redirects', input: { query: 'redirect' } }],
  async run({ site }, { query }) {
    const words = query
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
    const { documents } = await docs()
    const found = await Promise.all(documents.map(async (one) => searchOne(one, await sectionsOf(site, one), words)))
    return { items: found.flat().slice(0, 20) }
  },
})

function searchOne(
  { doc, text }: Doc,
  sections: readonly Section[],
  words: readonly string[],
): { doc: string; section: string; title: string; snippet: string }[] {
  return sections.flatMap(({ id, title, start }, place) => {
    // Subsections are left out, because each is searched separately.
    const own = text.slice(start, sections[place + 1]?.start ?? text.length)
    const lower = own.toLowerCase()
    if (words.length === 0 || !words.every((word) => lower.includes(word))) return []
    const from = Math.max(0, lower.indexOf(words[0] ?? '') - 80)
    return [
      {
        doc,
        section: id,
        title,
        snippet: own
          .slice(from, from + 240)
          .toWellFormed()
          .replace(/\s+/g, ' ')
          .trim(),
      },
    ]
  })
}
