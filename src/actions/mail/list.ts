import { type Static, Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { formatDate, formatDateOrNull } from '../../settings/time-zone.ts'
import type { MailRow } from '../../store/core/schema.ts'
import { action } from '../call/action.ts'
import { nullable } from '../call/write-answer.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec } from '../lists/list.ts'
import { fromStrangers, fromStrangersProperty } from '../shared/from-strangers.ts'

const states = ['waiting', 'sent', 'failed'] as const

const mailList: ListSpec<'mail'> = {
  table: 'mail',
  key: 'id',
  fields: {
    id: { column: 'id', kind: 'text', indexed: true },
    kind: { column: 'kind', kind: 'text' },
    to: { column: 'recipient', kind: 'text' },
    state: { column: 'state', kind: 'choice', choices: states },
    code: { column: 'code', kind: 'number', nullable: true },
    created_at: { column: 'created_at', kind: 'time', sort: true, indexed: true },
  },
  sort: '-created_at',
  search: ['recipient', 'subject', 'answer'],
}

const mailItem = Type.Object({
  id: Type.String(),
  kind: Type.String({ description: 'What it is about, such as `invitation`.' }),
  to: Type.String(),
  subject: Type.String(),
  state: Type.Enum([...states]),
  tries: Type.Integer(),
  next_at: nullable(Type.String()),
  created_at: Type.String(),
  tried_at: nullable(Type.String()),
  code: nullable(Type.Integer(), 'The last code of the relay.'),
  answer: nullable(Type.String(), 'Its sentence, or what went wrong before there was one.'),
})

const toItem = (row: MailRow): Static<typeof mailItem> => ({
  id: row.id,
  kind: row.kind,
  to: row.recipient,
  subject: row.subject,
  state: row.state as (typeof states)[number],
  tries: row.tries,
  next_at: formatDateOrNull(row.next_at),
  created_at: formatDate(row.created_at),
  tried_at: formatDateOrNull(row.tried_at),
  code: row.code,
  answer: row.answer,
})

export const list = action('SVC_Mail.list', {
  title: 'List mails',
  summary: 'Lists the mails of the last 30 days, newest first, each with the last answer of the relay. Texts are not shown.',
  tier: 'admin',
  effect: 'read',
  touches: 'access',
  input: closed(listProperties(mailList)),
  output: Type.Object({ ...listOutput(mailItem).properties, ...fromStrangersProperty }),
  examples: [
    { title: 'The latest mails', input: { limit: 10 } },
    { title: 'What did not arrive', input: { where: { state: 'failed' } } },
  ],
  async run(context, input: ListInput) {
    const page = await listRows(context, mailList, input)
    return { ...(await listAnswer(context, page, toItem)), ...fromStrangers('answer') }
  },
})
