import { Type } from 'typebox'
import { action } from '../call/action.ts'
import { skillItem, beforeReading, idProperty, getSkill, wholeItem } from './skill-item.ts'
import { closed } from '../../base/schema.ts'

export const get = action('SVC_Skills.get', {
  title: 'Show a skill',
  summary: 'Shows one skill.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  input: closed({ id: idProperty }),
  output: Type.Object({ item: skillItem }),
  examples: [{ title: 'One by its slug', input: { id: 'house-style' } }],
  prepare: beforeReading,
  run: async ({ db }, { id }) => ({ item: wholeItem(await getSkill(db, id)) }),
})
