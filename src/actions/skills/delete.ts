import { Type } from 'typebox'
import { action } from '../call/action.ts'
import { writeProperties } from '../call/write-answer.ts'
import { skillItem, beforeWriting, idProperty, getSkill, leanItem, wholeItem } from './skill-item.ts'
import { closed } from '../../base/schema.ts'

export const deleteSkill = action('SVC_Skills.delete', {
  title: 'Delete [the skill {title}|a skill]',
  summary: 'Deletes a skill and its file.',
  did: 'deleted [the skill {title}|a skill]',
  tier: 'admin',
  effect: 'write',
  failures: ['not_found'],
  touches: 'site',
  revisioned: true,
  input: closed({ id: idProperty }),
  output: Type.Object({ item: skillItem, ...writeProperties }),
  examples: [{ title: 'One by its slug', input: { id: 'house-style' } }],
  prepares: [],
  prepare: beforeWriting,
  async run({ change, db, select }, { id }) {
    const row = await getSkill(db, id)
    await change.remove('skill', row)
    return { item: select ? wholeItem(row) : leanItem(row), warnings: [], activity_id: null }
  },
})
