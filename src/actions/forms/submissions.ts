import { type Static, Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { filesOf, valuesOf } from '../../forms/form-store.ts'
import { formatDate } from '../../settings/time-zone.ts'
import type { FormSubmissionRow } from '../../store/core/schema.ts'
import { action } from '../call/action.ts'
import { nullable } from '../call/write-answer.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec } from '../lists/list.ts'
import { fromStrangers, fromStrangersProperty } from '../shared/from-strangers.ts'

/** The states of a submission. */
export const states = ['new', 'done', 'spam'] as const
export type SubmissionState = (typeof states)[number]

export const submissionList: ListSpec<'form_submission'> = {
  table: 'form_submission',
  key: 'id',
  fields: {
    id: { column: 'id', kind: 'text', indexed: true },
    form: { column: 'form_id', kind: 'text', indexed: true },
    state: { column: 'state', kind: 'choice', choices: states },
    email: { column: 'email', kind: 'text', indexed: true, nullable: true },
    created_at: { column: 'created_at', kind: 'time', sort: true, indexed: true },
  },
  sort: '-created_at',
  search: ['contents'],
}

const submissionItem = Type.Object({
  id: Type.String(),
  form: Type.String({ description: 'Id of the form.' }),
  state: Type.Enum([...states]),
  reason: nullable(Type.String(), 'The reason why it looks like spam.'),
  values: Type.Record(Type.String(), Type.String()),
  email: nullable(Type.String()),
  path: nullable(Type.String(), 'The page with the form.'),
  files: Type.Array(Type.Object({ field: Type.String(), name: Type.String(), kind: Type.String(), bytes: Type.Integer() }), {
    description: 'The files. Only people who are signed in can download them, in the admin.',
  }),
  created_at: Type.String(),
  expires_at: Type.String(),
})

export const toSubmission = (row: FormSubmissionRow): Static<typeof submissionItem> => ({
  id: row.id,
  form: row.form_id,
  state: row.state as SubmissionState,
  reason: row.reason,
  values: { ...valuesOf(row) },
  email: row.email,
  path: row.path,
  files: [...filesOf(row)],
  created_at: formatDate(row.created_at),
  expires_at: formatDate(row.expires_at),
})

export const submissions = action('SVC_Forms.submissions', {
  title: 'List submissions',
  summary: 'Lists what visitors sent by forms, newest first.',
  tier: 'admin',
  effect: 'read',
  touches: 'access',
  input: closed(listProperties(submissionList)),
  output: Type.Object({ ...listOutput(submissionItem).properties, ...fromStrangersProperty }),
  examples: [{ title: 'What is new', input: { where: { state: 'new' } } }],
  async run(context, input: ListInput) {
    const page = await listRows(context, submissionList, input)
    return { ...(await listAnswer(context, page, toSubmission)), ...fromStrangers('values', 'email', 'files') }
  },
})
