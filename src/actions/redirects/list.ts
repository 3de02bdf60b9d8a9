import type { FormerPathRow } from '../../store/core/schema.ts'
import { closed, flag } from '../../base/schema.ts'
import type { Db } from '../../store/core/database.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec } from '../lists/list.ts'
import { action } from '../call/action.ts'
import { hitsOf, itemOf, movedItem, redirectItem } from './item.ts'

const redirectList: ListSpec<'redirect'> = {
  table: 'redirect',
  key: 'id',
  fields: {
    id: { column: 'id', kind: 'text', indexed: true },
    from: { column: 'source', kind: 'text', sort: true, indexed: true },
    to: { column: 'target', kind: 'text', nullable: true, indexed: true },
    status: { column: 'status', kind: 'number' },
    origin: { column: 'origin', kind: 'choice', choices: ['hand', 'term'] },
    note: { column: 'note', kind: 'text', nullable: true },
    created_at: { column: 'created_at', kind: 'time', sort: true, indexed: true },
    updated_at: { column: 'updated_at', kind: 'time', sort: true, indexed: true },
  },
  sort: 'from',
  search: ['source', 'target', 'note'],
}

/** The former paths of entries, which redirect automatically. */
const movedList: ListSpec<'former_path'> = {
  table: 'former_path',
  key: 'path',
  fields: {
    from: { column: 'path', kind: 'text', sort: true, indexed: true },
    created_at: { column: 'created_at', kind: 'time', sort: true, indexed: true },
  },
  sort: 'from',
  search: ['path'],
}

export const list = action('SVC_Redirects.list', {
  title: 'List redirects',
  summary: 'Lists redirects: the ones that were written, or with `moved` the former paths of entries.',
  tier: 'read',
  effect: 'read',
  input: closed({
    ...listProperties(redirectList),
    moved: flag('Lists the paths at which entries were before, instead. They are filtered and sorted by from and created_at.'),
  }),
  output: listOutput(redirectItem),
  examples: [
    { title: 'All redirects below a path', input: { where: { from: { gte: '/blog/', lt: '/blog0' } } } },
    { title: 'Where entries were before', input: { moved: true } },
  ],
  prepare: ({ site }) => site.visits.flush(),
  async run(context, { moved, ...input }) {
    if (moved) {
      const page = await listRows(context, movedList, { ...input, moved } as ListInput)
      const paths = await presentPaths(context.db, page.rows as readonly FormerPathRow[])
      return listAnswer(context, page, (row) => movedItem(row as FormerPathRow, paths.get((row as FormerPathRow).entry_id)))
    }
    const page = await listRows(context, redirectList, input as ListInput)
    const hits = await hitsOf(context.db, page.rows)
    return listAnswer(context, page, (row) => itemOf(row, hits.get(row.id), context.select !== undefined))
  },
})

async function presentPaths(db: Db, rows: readonly FormerPathRow[]): Promise<ReadonlyMap<string, string | null>> {
  const ids = [...new Set(rows.map((row) => row.entry_id))]
  if (ids.length === 0) return new Map()
  const found = await db.selectFrom('entry').select(['id', 'path']).where('id', 'in', ids).execute()
  return new Map(found.map(({ id, path }) => [id, path]))
}
