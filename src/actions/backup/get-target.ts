import { Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { nullable } from '../call/write-answer.ts'
import { readTargetItem, targetItem } from './target-item.ts'

export const getTarget = action('SVC_Backup.get-target', {
  title: 'Show where backups are sent',
  summary: 'Shows where sealed backups are sent, and the outcome of the last attempt. The secret is never shown.',
  tier: 'admin',
  effect: 'read',
  touches: 'access',
  input: closed({}),
  output: Type.Object({ item: nullable(targetItem, 'Null where no place is set.') }),
  examples: [{ title: 'The place and its state', input: {} }],
  run: async ({ db }) => ({ item: await readTargetItem(db) }),
})
