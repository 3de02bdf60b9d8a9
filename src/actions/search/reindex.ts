// SVC_Search.reindex: indexes all entries again. Searches and writes continue at the same time.

import { Type } from 'typebox'
import { action } from '../call/action.ts'
import { writeProperties } from '../call/write-answer.ts'
import { closed } from '../../base/schema.ts'

export const reindex = action('SVC_Search.reindex', {
  title: 'Rebuild the search index',
  summary: 'Rebuilds the search index from all entries. Searches and writes continue.',
  did: 'rebuilt the search index',
  tier: 'admin',
  effect: 'act',
  touches: 'site',
  job: true,
  outside: true,
  input: closed({}),
  output: Type.Object({
    indexed: Type.Integer({ description: 'The number of entries that were put into the index.' }),
    ...writeProperties,
  }),
  examples: [{ title: 'After a search did not find what is there', input: {} }],
  async run({ site, signal, progress, dryRun }) {
    const indexed = dryRun ? 0 : await site.search.reindex(signal, (done, total) => progress?.({ done, total }))
    return { indexed, warnings: [], activity_id: null }
  },
})
