// SVC_Skills.list: lists the owner's instructions to assistants, each with when to read it.

import type { SkillRow } from '../../../store/schema.ts'
import { action } from '../../action.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec } from '../../list.ts'
import { skillItem, beforeReading, leanItem, wholeItem } from './skill-item.ts'
import { closed } from '../../../schema.ts'

const skillList: ListSpec<'skill'> = {
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
}

export const list = action('SVC_Skills.list', {
  title: 'List the skills',
  summary: "Lists the owner's instructions to assistants, each with when to read it.",
  tier: 'read',
  effect: 'read',
  input: closed(listProperties(skillList)),
  output: listOutput(skillItem),
  examples: [
    { title: 'All skills', input: {} },
    { title: 'Skills about prices', input: { search: 'prices' } },
  ],
  prepare: beforeReading,
  async run(context, input: ListInput) {
    const page = await listRows(context, skillList, input)
    return listAnswer(context, page, (row) => (context.select ? wholeItem(row as SkillRow) : leanItem(row as SkillRow)))
  },
})
