import { closed } from '../../base/schema.ts'
import { getForm } from '../../forms/form-store.ts'
import { action } from '../call/action.ts'
import { doneOutput } from '../call/write-answer.ts'
import { doneAnswer } from '../shared/several.ts'
import { idProperty } from './form-item.ts'

export const remove = action('SVC_Forms.delete', {
  title: 'Delete [the form {title}|a form]',
  summary: 'Deletes a form. What was sent by it stays until its days are over, or until it is erased.',
  did: 'deleted [the form {title}|a form]',
  tier: 'content',
  effect: 'write',
  touches: 'site',
  failures: ['not_found'],
  revisioned: true,
  input: closed({ id: idProperty }),
  output: doneOutput,
  examples: [{ title: 'By its slug', input: { id: 'contact' } }],
  async run({ change, db }, { id }) {
    const row = await getForm(db, id)
    await change.remove('form', row)
    return doneAnswer([row])
  },
})
