import { sql, type SqlBool } from 'kysely'
import { Type } from 'typebox'
import { formatDate } from '../../settings/time-zone.ts'
import { closed } from '../../base/schema.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec } from '../lists/list.ts'
import { nullable } from '../call/write-answer.ts'
import { action } from '../call/action.ts'
import { fromStrangers, fromStrangersProperty } from '../shared/from-strangers.ts'
import { suggestPaths } from './suggest-path.ts'

const missingList: ListSpec<'missing_path'> = {
  table: 'missing_path',
  key: 'path',
  fields: {
    path: { column: 'path', kind: 'text', sort: true, indexed: true },
    hits: { column: 'hits', kind: 'number', sort: true, indexed: true },
    last_hit: { column: 'last_hit', kind: 'time', sort: true, indexed: true },
    referrer: { column: 'referrer', kind: 'text', nullable: true },
  },
  sort: '-hits',
  search: ['path', 'referrer'],
}

/** True for a missing path that still has neither a public page nor a redirect. */
export const isStillMissing = sql<SqlBool>`not exists (
  select 1 from entry where entry.path = missing_path.path and entry.status = 'published')
  and not exists (select 1 from redirect where redirect.source = missing_path.path)`

const missingItem = Type.Object({
  path: Type.String(),
  hits: Type.Integer(),
  last_hit: Type.String(),
  referrer: nullable(Type.String(), 'The page that linked there last, without its query.'),
  suggestion: nullable(Type.String(), 'The path of the public page that is nearest to it.'),
})

export const missing = action('SVC_Redirects.missing', {
  title: 'List missing paths',
  summary: 'Lists the paths that visitors asked for in vain, most often asked first, each with the page that may be meant.',
  tier: 'read',
  effect: 'read',
  input: closed(listProperties(missingList)),
  output: Type.Object({ ...listOutput(missingItem).properties, ...fromStrangersProperty }),
  examples: [
    { title: 'What visitors miss most', input: { limit: 10 } },
    { title: 'Of the last week', input: { where: { last_hit: { gte: '-7d' } } } },
  ],
  prepare: ({ site }) => site.visits.flush(),
  async run(context, input: ListInput) {
    // Paths that have a page or a redirect by now are left out.
    const page = await listRows(context, missingList, input, {
      narrow: (query) => query.where(isStillMissing),
    })
    const suggestions = await suggestPaths(
      context.db,
      page.rows.map(({ path }) => path),
      context.now,
    )
    const answer = await listAnswer(context, page, ({ path, hits, last_hit: last, referrer }) => ({
      path,
      hits,
      last_hit: formatDate(last),
      referrer,
      suggestion: suggestions.get(path) ?? null,
    }))
    return { ...answer, ...fromStrangers('path', 'referrer') }
  },
})
