// SVC_Docs: the documents in src/docs, whole, by section and by search. They ship with the program; nobody has to sign in for them.

import { Type } from 'typebox'
import { findSection, outline } from '../../content/outline.ts'
import { type Doc, documents } from '../../docs/index.ts'
import { Failure, notFound } from '../../failure.ts'
import { type Action, action } from '../action.ts'
import { nearest } from '../nearest.ts'

const section = Type.Object({ section: Type.String(), title: Type.String(), level: Type.Integer() })

const list = action({
  class: 'SVC_Docs',
  name: 'list',
  summary: 'Lists the documents and their sections.',
  tier: 'any',
  effect: 'read',
  touches: 'nothing',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({
    items: Type.Array(Type.Object({ doc: Type.String(), title: Type.String(), sections: Type.Array(section) })),
  }),
  examples: [{ title: 'All of them', input: {} }],
  run: () => ({ items: documents.map(({ doc, title, text }) => ({ doc, title, sections: sectionsOf(text) })) }),
})

const get = action({
  class: 'SVC_Docs',
  name: 'get',
  summary: 'Reads a document, or one section of it, as Markdown.',
  tier: 'any',
  effect: 'read',
  touches: 'nothing',
  input: Type.Object(
    {
      doc: Type.String({ description: 'Document, such as `mcp-connection`.', maxLength: 100 }),
      section: Type.Optional(Type.String({ description: 'Section, by its id or title, as `list` tells them.', maxLength: 200 })),
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
  run(_context, { doc, section: wanted }) {
    const { title, text } = getDocument(doc)
    if (wanted === undefined) return { doc, title, section: null, text, sections: sectionsOf(text) }
    const found = findSection(text, wanted)
    if (!found) throw unknownSection(doc, text, wanted)
    return { doc, title, section: found.id, text: text.slice(found.start, found.end), sections: sectionsOf(text) }
  },
})

const search = action({
  class: 'SVC_Docs',
  name: 'search',
  summary: 'Finds the sections that hold all words of a query.',
  tier: 'any',
  effect: 'read',
  touches: 'nothing',
  input: Type.Object(
    { query: Type.String({ description: 'Words to look for.', minLength: 1, maxLength: 200 }) },
    { additionalProperties: false },
  ),
  output: Type.Object({
    items: Type.Array(Type.Object({ doc: Type.String(), section: Type.String(), title: Type.String(), snippet: Type.String() })),
  }),
  examples: [{ title: 'Where redirects are spoken of', input: { query: 'redirect' } }],
  run(_context, { query }) {
    const words = query
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
    return { items: documents.flatMap((document) => searchOne(document, words)).slice(0, 20) }
  },
})

function searchOne(
  { doc, text }: Doc,
  words: readonly string[],
): { doc: string; section: string; title: string; snippet: string }[] {
  const sections = outline(text)
  return sections.flatMap(({ id, title, start }, place) => {
    // A section's own words: those of its subsections are found there.
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

function getDocument(doc: string): Doc {
  const found = documents.find((one) => one.doc === doc)
  if (found) return found
  const near = nearest(
    doc,
    documents.map((one) => one.doc),
  )
  throw notFound('document', doc, near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'SVC_Docs.list tells which there are.')
}

function unknownSection(doc: string, text: string, wanted: string): Failure {
  const ids = outline(text).map(({ id }) => id)
  const near = nearest(wanted, ids)
  return new Failure('not_found', `There is no section ${JSON.stringify(wanted)} in ${doc}.`, {
    id: wanted,
    field: 'section',
    expected: `one of ${ids.join(', ')}`,
    ...(near.length > 0 ? { nearest: near } : {}),
  })
}

function sectionsOf(text: string): { section: string; title: string; level: number }[] {
  return outline(text).map(({ id, title, level }) => ({ section: id, title, level }))
}

export const docsActions: readonly Action[] = [list, get, search]
