import { Type } from 'typebox'
import { findSection, type Section } from '../../content/markdown/outline.ts'
import type { Doc } from '../../docs/index.ts'
import { Failure, notFound } from '../../base/failure.ts'
import { action } from '../call/action.ts'
import { nearest } from '../../base/nearest.ts'
import { docs, section, sectionsOf, sectionItems } from './documents.ts'
import { boundedText, closed } from '../../base/schema.ts'
import { nullable } from '../call/write-answer.ts'

export const get = action('SVC_Docs.get', {
  title: 'Read a document',
  summary: 'Reads a document, or one section of it, as Markdown.',
  tier: 'any',
  effect: 'read',
  failures: ['not_found'],
  input: closed({
    doc: boundedText('Document, such as `mcp-connection`.', 100),
    section: Type.Optional(boundedText('Id or title of a section, as in `list`.', 200)),
  }),
  output: Type.Object({
    doc: Type.String(),
    title: Type.String(),
    section: nullable(Type.String()),
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
    if (wanted === undefined) return { doc, title, section: null, text, sections: sectionItems(sections) }
    const found = findSection(sections, wanted)
    if (!found) throw unknownSection(doc, sections, wanted)
    return { doc, title, section: found.id, text: text.slice(found.start, found.end), sections: sectionItems(sections) }
  },
})

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
