import { Type } from 'typebox'
import { action } from '../call/action.ts'
import { docs, section, sectionsOf, sectionItems } from './documents.ts'
import { closed, flag } from '../../base/schema.ts'

export const list = action('SVC_Docs.list', {
  title: 'List the documents',
  summary: 'Lists the documents, and with `full` their sections.',
  tier: 'any',
  effect: 'read',
  input: closed({
    full: flag('Lists the sections of each document too, which is long. SVC_Docs.search finds sections by words.'),
  }),
  output: Type.Object({
    items: Type.Array(Type.Object({ doc: Type.String(), title: Type.String(), sections: Type.Optional(Type.Array(section)) })),
  }),
  examples: [{ title: 'All of them', input: {} }],
  async run({ site }, { full = site.release.catalogue === 'long' }) {
    const { documents } = await docs()
    if (!full) return { items: documents.map(({ doc, title }) => ({ doc, title })) }
    const items = documents.map(async (one) => ({
      doc: one.doc,
      title: one.title,
      sections: sectionItems(await sectionsOf(site, one)),
    }))
    return { items: await Promise.all(items) }
  },
})
