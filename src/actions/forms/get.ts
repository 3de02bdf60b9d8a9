import { Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { getForm } from '../../forms/form-store.ts'
import { includesTier } from '../../identity/caller.ts'
import { action } from '../call/action.ts'
import { formItem, formItemOf, idProperty } from './form-item.ts'

export const get = action('SVC_Forms.get', {
  title: 'Show a form',
  summary: 'Shows one form with its fields.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  input: closed({ id: idProperty }),
  output: Type.Object({ item: formItem }),
  examples: [{ title: 'By its slug', input: { id: 'contact' } }],
  run: async ({ db, caller }, { id }) => ({ item: formItemOf(await getForm(db, id), includesTier(caller.tier, 'admin')) }),
})
