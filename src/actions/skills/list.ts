import { listAction } from '../shared/list-action.ts'
import { skillItem, beforeReading, leanItem, wholeItem } from './skill-item.ts'

export const list = listAction('SVC_Skills.list', {
  title: 'List the skills',
  summary: "Lists the owner's instructions to assistants, each with when to read it.",
  tier: 'read',
  examples: [
    { title: 'All skills', input: {} },
    { title: 'Skills about prices', input: { search: 'prices' } },
  ],
  list: {
    table: 'skill',
    key: 'slug',
    fields: {
      id: { column: 'slug', kind: 'text', indexed: true },
      slug: { column: 'slug', kind: 'text', sort: true, indexed: true },
      when: { column: 'when', kind: 'text' },
      text: { column: 'text', kind: 'text' },
      created_at: { column: 'created_at', kind: 'time', sort: true },
      updated_at: { column: 'updated_at', kind: 'time', sort: true },
    },
    sort: 'slug',
    search: ['slug', 'when', 'text'],
  },
  item: skillItem,
  prepare: beforeReading,
  items: ({ select }) => (select ? wholeItem : leanItem),
})
