// SVC_Docs.search: the sections about some words. Any of the words may match, and words that mean the same count as well.

import { Type } from 'typebox'
import type { Section } from '../../content/markdown/outline.ts'
import type { Doc } from '../../docs/index.ts'
import { action } from '../call/action.ts'
import { relatedWords, tellingWords, wordsOf } from '../call/vocabulary.ts'
import { docs, sectionsOf } from './documents.ts'
import { closed, nonEmptyText } from '../../base/schema.ts'

const mostShown = 10
const snippetLength = 240

export const search = action('SVC_Docs.search', {
  title: 'Search the documents',
  summary: 'Finds the sections about some words; those with most of them come first.',
  tier: 'any',
  effect: 'read',
  input: closed({ query: nonEmptyText('Words to look for.', 200) }),
  output: Type.Object({
    items: Type.Array(Type.Object({ doc: Type.String(), section: Type.String(), title: Type.String(), snippet: Type.String() })),
    hint: Type.Optional(Type.String({ description: 'What there is, if nothing was found.' })),
  }),
  examples: [{ title: 'Sections about redirects', input: { query: 'redirect' } }],
  async run({ site }, { query }) {
    const words = tellingWords(query)
    const { documents } = await docs()
    const found = await Promise.all(documents.map(async (one) => searchOne(one, await sectionsOf(site, one), words)))
    const items = found
      .flat()
      .toSorted((a, b) => b.score - a.score)
      .slice(0, mostShown)
      .map(({ score: _score, ...item }) => item)
    if (items.length > 0) return { items }
    return { items, hint: `Nothing was found. The documents are ${documents.map(({ doc }) => doc).join(', ')}.` }
  },
})

interface Found {
  readonly score: number
  readonly doc: string
  readonly section: string
  readonly title: string
  readonly snippet: string
}

function searchOne(document: Doc, sections: readonly Section[], words: readonly string[]): readonly Found[] {
  const { doc } = document
  return saidIn(document, sections).flatMap(({ id, own, ...said }) => {
    const scores = words.map((word) => scoreOf(word, said))
    const score = scores.reduce((sum, one) => sum + one, 0)
    // A section about several words that are sought is worth more than one that says one of them in many places.
    const met = scores.filter((one) => one > 0).length
    return score === 0 ? [] : [{ score: score + 2 * met, doc, section: id, title: said.heading, snippet: snippetOf(own, words) }]
  })
}

/** The words of a section: those of its text, of its title, and of its document. */
interface Said {
  readonly heading: string
  readonly text: ReadonlySet<string>
  readonly title: readonly string[]
  readonly doc: readonly string[]
}

interface Searched extends Said {
  readonly id: string
  readonly own: string
}

/** Other words for the subjects of documents. */
const alsoCalled: Readonly<Record<string, string>> = {
  accounts: 'users people roles sign-in login two-factor',
  'cannot-connect': 'troubleshooting error fails',
  'connecting-clients': 'claude chatgpt cursor assistant connector',
  'content-types': 'custom fields post types models collections',
  languages: 'translate translations multilingual locale',
  markdown: 'formatting syntax text',
  'mcp-connection': 'claude chatgpt assistant connect tools',
  moving: 'migrate import another server',
  nginx: 'reverse proxy web server apache caddy https',
  plugins: 'extensions addons modules',
  rest: 'curl scripts http endpoint',
  staging: 'drafts changes review preview',
  themes: 'design templates css colours fonts layout',
  'tokens-and-tiers': 'api keys permissions rights scopes',
}

/** The words of each document, which are read once because documents never change while the program runs. */
const known = new Map<string, readonly Searched[]>()

function saidIn({ doc, title: ofDoc, text }: Doc, sections: readonly Section[]): readonly Searched[] {
  const before = known.get(doc)
  if (before) return before
  const named = wordsOf(`${doc} ${ofDoc} ${alsoCalled[doc] ?? ''}`)
  const said = sections.map(({ id, title, start }, place) => {
    // Subsections are left out, because each is searched separately.
    const own = text.slice(start, sections[place + 1]?.start ?? text.length)
    return { id, own, heading: title, text: new Set(wordsOf(own)), title: wordsOf(title), doc: named }
  })
  known.set(doc, said)
  return said
}

/** 1 for a word in the text, more in a title; half as much for a word that means the same. */
function scoreOf(word: string, { text, title, doc }: Said): number {
  const of = (one: string) => (text.has(one) ? 1 : 0) + (title.includes(one) ? 2 : 0) + (doc.includes(one) ? 1 : 0)
  return Math.max(of(word), ...relatedWords(word).map((one) => of(one) / 2))
}

function snippetOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = words.flatMap((word) => [word, ...relatedWords(word)].map((one) => lower.indexOf(one)).filter((at) => at >= 0))
  const from = Math.max(0, (places[0] ?? 0) - 80)
  return text
    .slice(from, from + snippetLength)
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .trim()
}
