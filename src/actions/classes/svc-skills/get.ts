// SVC_Skills.get: shows one skill.

import { Type } from 'typebox'
import { action } from '../../action.ts'
import { skillItem, beforeReading, idProperty, getSkill, wholeItem } from './skill-item.ts'

export const get = action({
  class: 'SVC_Skills',
  name: 'get',
  title: 'Show a skill',
  summary: 'Shows one skill.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  touches: 'nothing',
  input: Type.Object({ id: idProperty }, { additionalProperties: false }),
  output: Type.Object({ item: skillItem }),
  examples: [{ title: 'One by its slug', input: { id: 'house-style' } }],
  prepare: beforeReading,
  run: async ({ db }, { id }) => ({ item: wholeItem(await getSkill(db, id)) }),
})
