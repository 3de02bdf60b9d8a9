// The common parts of the writes to forms.

import { Failure } from '../../base/failure.ts'
import { includesTier } from '../../identity/caller.ts'
import type { Db } from '../../store/core/database.ts'
import type { VisitorFormRow } from '../../store/core/schema.ts'
import type { WriteContext } from '../call/action.ts'
import { itemAnswer, itemOutput } from '../call/write-answer.ts'
import { formItem, formItemOf } from './form-item.ts'
import { inviteReceivers } from './invite-receivers.ts'

export const output = itemOutput(formItem)

/** The receivers of mails are a matter of rights, and the rest of a form is a matter of content. */
export const formTouches = {
  least: 'site',
  by: ({ receivers }: { readonly receivers?: unknown }) => (receivers === undefined ? 'site' : 'unlimited'),
} as const

/** Setting receivers takes an admin. @throws Failure `refused` */
export function checkMaySetReceivers({ caller }: Pick<WriteContext, 'caller'>, given: readonly string[] | undefined): void {
  if (given === undefined || includesTier(caller.tier, 'admin')) return
  throw new Failure('refused', 'Only an admin says who gets the submissions by mail.', {
    field: 'receivers',
    rule: 'receivers of mails are set by admins',
    hint: 'Leave `receivers` out, and ask an admin to set them.',
  })
}

/** @throws Failure `exists` if another form has the slug */
export async function checkSlugFree(db: Db, slug: string, ownId?: string): Promise<void> {
  const taken = await db.selectFrom('form').select('id').where('slug', '=', slug).executeTakeFirst()
  if (!taken || taken.id === ownId) return
  throw new Failure('exists', `Another form has the slug ${slug}.`, { field: 'slug', by: { id: taken.id } })
}

/** Returns the answer of a write to a form. New receivers that are nobody here are asked first. */
export async function written(context: WriteContext, row: VisitorFormRow, changed: readonly string[] = []) {
  await inviteReceivers(context, row)
  return itemAnswer(formItemOf(row, includesTier(context.caller.tier, 'admin')), changed)
}
