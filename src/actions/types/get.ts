import { Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { countEntries, getType, typeIdProperty, typeItem, wholeType } from './item.ts'

export const get = action('SVC_Types.get', {
  title: 'Show a type',
  summary: 'Shows a type of entries with the fields that it defines.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  input: closed({ id: typeIdProperty }),
  output: Type.Object({ item: typeItem }),
  examples: [{ title: 'One by its slug', input: { id: 'post' } }],
  async run({ db }, { id }) {
    const row = await getType(db, id)
    return { item: wholeType(row, await countEntries(db, [row])) }
  },
})
