import { listAction } from '../shared/list-action.ts'
import { countEntries, leanType, typeItem, wholeType } from './item.ts'

export const list = listAction('SVC_Types.list', {
  title: 'List the types',
  summary: 'Lists the types of entries, with the number of entries of each.',
  tier: 'read',
  examples: [
    { title: 'All types', input: {} },
    { title: 'Those with a feed', input: { where: { feed: true } } },
  ],
  list: {
    table: 'entry_type',
    key: 'slug',
    fields: {
      id: { column: 'slug', kind: 'text', indexed: true },
      slug: { column: 'slug', kind: 'text', sort: true, indexed: true },
      name: { column: 'name', kind: 'text', sort: true, indexed: true },
      feed: { column: 'feed', kind: 'boolean' },
      created_at: { column: 'created_at', kind: 'time', sort: true, indexed: true },
      updated_at: { column: 'updated_at', kind: 'time', sort: true, indexed: true },
    },
    sort: 'slug',
    search: ['slug', 'name'],
  },
  item: typeItem,
  async items({ db, select }, rows) {
    const entries = await countEntries(db, rows)
    return (row) => (select ? wholeType : leanType)(row, entries)
  },
})
