import { Type } from 'typebox'
import { action } from '../call/action.ts'
import { docs, section, sectionsOf, sectionItems } from './documents.ts'
import { closed } from '../../base/schema.ts'

export const list = action('SVC_Docs.list', {
  title: 'List the documents',
  summary: 'Lists the documents and their sections.',
  tier: 'any',
  effect: 'read',
  input: closed({}),
  output: Type.Object({
    items: Type.Array(Type.Object({ doc: Type.String(), title: Type.String(), sections: Type.Array(section) })),
  }),
  examples: [{ title: 'All of them', input: {} }],
  async run({ site }) {
    const { documents } = await docs()
    const items = documents.map(async (one) => ({
      doc: one.doc,
      title: one.title,
      sections: sectionItems(await sectionsOf(site, one)),
    }))
    return { items: await Promise.all(items) }
  },
})
