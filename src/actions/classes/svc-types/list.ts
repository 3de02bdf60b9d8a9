// SVC_Types.list: lists the types of entries.

import type { EntryTypeRow } from '../../../store/schema.ts'
import { closed } from '../../../schema.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec } from '../../list.ts'
import { action } from '../../action.ts'
import { countEntries, leanType, typeItem, wholeType } from './item.ts'

const typeList: ListSpec<'entry_type'> = {
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
}

export const list = action('SVC_Types.list', {
  title: 'List the types',
  summary: 'Lists the types of entries, with the number of entries of each.',
  tier: 'read',
  effect: 'read',
  input: closed(listProperties(typeList)),
  output: listOutput(typeItem),
  examples: [
    { title: 'All types', input: {} },
    { title: 'Those with a feed', input: { where: { feed: true } } },
  ],
  async run(context, input: ListInput) {
    const page = await listRows(context, typeList, input)
    const rows = page.rows as readonly EntryTypeRow[]
    const entries = await countEntries(
      context.db,
      rows.map(({ slug }) => slug),
    )
    return listAnswer(context, page, (row) => (context.select ? wholeType : leanType)(row as EntryTypeRow, entries))
  },
})
