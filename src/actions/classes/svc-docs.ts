// SVC_Docs: the documents in src/docs, whole, by section and by search. They ship with the program and need no sign-in.

import { Type } from 'typebox'
import { findSection, type Section } from '../../content/outline.ts'
import type { Doc } from '../../docs/index.ts'
import { Failure, notFound } from '../../failure.ts'
import { createLate } from '../../late.ts'
import { action, type Context } from '../action.ts'
import { nearest } from '../nearest.ts'

/** Read by few callers, and as large as a third of the code. */
const docs = createLate(() => import('../../docs/index.ts'))

const section = Type.Object({ section: Type.String(), title: Type.String(), level: Type.Integer() })

export const docsList = action({
  class: 'SVC_Docs',
  name: 'list',
  title: 'List the documents',
  summary: 'Lists the documents and their sections.',
  tier: 'any',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({
    items: Type.Array(Type.Object({ doc: Type.String(), title: Type.String(), sections: Type.Array(section) })),
  }),
  examples: [{ title: 'All of them', input: {} }],
  async run({ site }) {
    const { documents } = await docs()
    const items = documents.map(async (one) => ({ doc: one.doc, title: one.title, sections: told(await sectionsOf(site, one)) }))
    return { items: await Promise.all(items) }
  },
})

export const docsGet = action({
  class: 'SVC_Docs',
  name: 'get',
  title: 'Read a document',
  summary: 'Reads a document, or one section of it, as Markdown.',
  tier: 'any',
  effect: 'read',
  failures: ['not_found'],
  touches: 'nothing',
  input: Type.Object(
    {
      doc: Type.String({ description: 'Document, such as `mcp-connection`.', maxLength: 100 }),
      section: Type.Optional(Type.String({ description: 'Id or title of a section, as in `list`.', maxLength: 200 })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    doc: Type.String(),
    title: Type.String(),
    section: Type.Union([Type.String(), Type.Null()]),
    text: Type.String(),
    sections: Type.Array(section),
  }),
  examples: [
    { title: 'How to connect an AI client', input: { doc: 'mcp-connection' } },
    { title: 'One section', input: { doc: 'rest', section: 'failures' } },
  ],
  async run({ site }, { doc, section: wanted }) {
    const document = await getDocument(doc)
    const { title, text } = document
    const sections = await sectionsOf(site, document)
    if (wanted === undefined) return { doc, title, section: null, text, sections: told(sections) }
    const found = findSection(sections, wanted)
    if (!found) throw unknownSection(doc, sections, wanted)
    return { doc, title, section: found.id, text: text.slice(found.start, found.end), sections: told(sections) }
  },
})

export const search = action({
  class: 'SVC_Docs',
  name: 'search',
  title: 'Search the documents',
  summary: 'Finds the sections that contain all words of a query.',
  tier: 'any',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: Type.Object(
    { query: Type.String({ description: 'Words to look for.', minLength: 1, maxLength: 200 }) },
    { additionalProperties: false },
  ),
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
    // Subsections are left out, because each is searched on its own.
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

async function getDocument(doc: string): Promise<Doc> {
  const { documents } = await docs()
  const found = documents.find((one) => one.doc === doc)
  if (found) return found
  const near = nearest(
    doc,
    documents.map((one) => one.doc),
  )
  throw notFound('document', doc, near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'SVC_Docs.list lists the documents.')
}

function unknownSection(doc: string, sections: readonly Section[], wanted: string): Failure {
  const ids = sections.map(({ id }) => id)
  const near = nearest(wanted, ids)
  return new Failure('not_found', `There is no section ${JSON.stringify(wanted)} in ${doc}.`, {
    id: wanted,
    field: 'section',
    expected: `one of ${ids.join(', ')}`,
    ...(near.length > 0 ? { nearest: near } : {}),
  })
}

/** The documents never change while the program runs, so their sections are read once. */
const known = new Map<string, readonly Section[]>()

async function sectionsOf({ renderer }: Context['site'], { doc, text }: Doc): Promise<readonly Section[]> {
  const sections = known.get(doc) ?? (await renderer.outline(text))
  known.set(doc, sections)
  return sections
}

function told(sections: readonly Section[]): { section: string; title: string; level: number }[] {
  return sections.map(({ id, title, level }) => ({ section: id, title, level }))
}
