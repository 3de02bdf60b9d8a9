import { oldKinds } from '../../content/redirects/old-addresses.ts'
import { namesOfTargets } from '../../content/redirects/old-names.ts'
import { closed } from '../../base/schema.ts'
import { formatDate } from '../../settings/time-zone.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec } from '../lists/list.ts'
import { action } from '../call/action.ts'
import { oldItem } from './old-item.ts'

const oldList: ListSpec<'old_address'> = {
  table: 'old_address',
  key: 'id',
  fields: {
    id: { column: 'id', kind: 'text', indexed: true },
    old: { column: 'old', kind: 'text', indexed: true },
    kind: { column: 'kind', kind: 'choice', choices: oldKinds },
    site: { column: 'site', kind: 'text' },
    created_at: { column: 'created_at', kind: 'time', sort: true, indexed: true },
  },
  sort: '-created_at',
  search: ['old'],
}

export const old = action('SVC_Redirects.old', {
  title: 'List old addresses',
  summary: 'Lists the addresses that imported things had on their old site: paths, and numbers as in `/?p=123`.',
  tier: 'read',
  effect: 'read',
  input: closed(listProperties(oldList)),
  output: listOutput(oldItem),
  examples: [
    { title: 'One number', input: { where: { old: '123', kind: 'item' } } },
    { title: 'All paths below one', input: { where: { old: { gte: '/blog/', lt: '/blog0' } } } },
  ],
  async run(context, input: ListInput) {
    const page = await listRows(context, oldList, input)
    const names = await namesOfTargets(context.db, page.rows)
    return listAnswer(context, page, ({ id, site, kind, old: address, created_at: at }) => ({
      id,
      site,
      kind,
      old: address,
      to: names.get(id) ?? null,
      created_at: formatDate(at),
    }))
  },
})
