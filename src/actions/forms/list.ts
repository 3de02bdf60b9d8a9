import { Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { listForms } from '../../forms/form-store.ts'
import { includesTier } from '../../identity/caller.ts'
import { action } from '../call/action.ts'
import { formItem, formItemOf } from './form-item.ts'

export const list = action('SVC_Forms.list', {
  title: 'List the forms',
  summary: 'Lists the forms with their fields.',
  tier: 'read',
  effect: 'read',
  input: closed({}),
  output: Type.Object({
    items: Type.Array(
      Type.Object({
        ...formItem.properties,
        waiting: Type.Optional(Type.Integer({ description: 'New submissions. For admins.' })),
      }),
    ),
  }),
  examples: [{ title: 'All forms', input: {} }],
  async run({ db, caller }) {
    const isAdmin = includesTier(caller.tier, 'admin')
    const rows = await listForms(db)
    const counts = isAdmin
      ? await db
          .selectFrom('form_submission')
          .select((eb) => ['form_id', eb.fn.countAll<number>().as('count')])
          .where('state', '=', 'new')
          .groupBy('form_id')
          .execute()
      : []
    const waiting = new Map(counts.map(({ form_id: id, count }) => [id, count]))
    return { items: rows.map((row) => ({ ...formItemOf(row, isAdmin), ...(isAdmin && { waiting: waiting.get(row.id) ?? 0 }) })) }
  },
})
