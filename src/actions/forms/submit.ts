import { Type } from 'typebox'
import type { Transaction } from 'kysely'
import { closed } from '../../base/schema.ts'
import { Failure, invalid } from '../../base/failure.ts'
import { getForm } from '../../forms/form-store.ts'
import type { Schema } from '../../store/core/schema.ts'
import { action } from '../call/action.ts'
import { writeProperties } from '../call/write-answer.ts'
import { idProperty } from './form-item.ts'
import { fieldsOf } from '../../forms/form-store.ts'
import type { VisitorFormRow } from '../../store/core/schema.ts'
import { consentName, submitForm, type Submitted } from './submit-form.ts'

/** The sentences for values that are refused. */
const wrong = {
  form_required: 'is required',
  form_email: 'must be one mail address, such as anna@example.org',
  form_url: 'must be an address such as https://example.org',
  form_number: 'must be a number',
  form_date: 'must be a day such as 2026-11-21',
  form_choice: 'must be one of the choices of the field',
  form_long: 'is too long',
  form_files_kind: 'takes no files of this kind',
  form_files_many: 'takes at most five files',
  form_files_large: 'takes at most 10 MB',
  form_files_full: 'takes no files at the moment',
} as const

/** @throws Failure for a value of a field that takes files, which only its page can send */
function checkNoFiles(form: VisitorFormRow, values: Readonly<Record<string, string>>): void {
  const field = fieldsOf(form).find(({ kind, required, name }) => kind === 'files' && (required || values[name] !== undefined))
  if (!field) return
  const words = `The field ${field.name} takes files, which are sent only from the page with the form.`
  throw invalid(`values.${field.name}`, words, 'a form that is sent from its page')
}

export const submit = action('SVC_Forms.submit', {
  title: 'Send [the form {title}|a form]',
  summary: 'Sends a form as a visitor does. It is stored, and its receivers get it by mail.',
  did: 'sent [the form {title}|a form]',
  tier: 'content',
  effect: 'write',
  touches: 'site',
  failures: ['not_found', 'refused'],
  secrets: ['values'],
  input: closed({
    id: idProperty,
    values: Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 20_000 }), {
      description: 'The values by the names of the fields.',
    }),
    consent: Type.Optional(Type.Boolean({ description: 'True where the form asks for consent.' })),
  }),
  output: Type.Object({ thanks: Type.String(), ...writeProperties }),
  examples: [
    {
      title: 'A message',
      input: { id: 'contact', values: { name: 'Anna', email: 'anna@example.com', message: 'Do you have rye bread on Mondays?' } },
    },
  ],
  async run({ site, db, now, caller, afterCommit }, { id, values, consent }) {
    const form = await getForm(db, id)
    checkNoFiles(form, values)
    const textOf = (name: string) => (name === consentName ? (consent === true ? 'yes' : '') : (values[name] ?? ''))
    // Strangers send forms from their pages. Whoever may call has seen no page, and needs none.
    const sent = { form, textOf, hidden: '', token: undefined, path: null, caller }
    check(await submitForm(site, db as Transaction<Schema>, sent, now))
    afterCommit(() => {
      site.mail.ring()
      site.webhooks.wake()
    })
    return { thanks: form.thanks, warnings: [], activity_id: null }
  },
})

/** @throws Failure for everything but a form that was taken */
function check(outcome: Submitted): void {
  if (outcome.state === 'faults') {
    const [[name, fault] = ['', 'form_required'] as const] = Object.entries(outcome.faults)
    const field = name === consentName ? 'consent' : `values.${name}`
    throw invalid(field, `"${field}" ${wrong[fault]}.`, wrong[fault])
  }
  if (outcome.state === 'wait')
    throw new Failure('rate_limited', 'Too many forms came from this address.', { retry_after: outcome.seconds })
  if (outcome.state === 'closed')
    throw new Failure('refused', 'This form takes no submissions now.', { rule: 'a form that is closed takes nothing' })
}
