// The common parts of the writes to forms.

import { Failure, invalid } from '../../base/failure.ts'
import { includesTier } from '../../identity/caller.ts'
import type { Db } from '../../store/core/database.ts'
import type { VisitorFormRow } from '../../store/core/schema.ts'
import type { WriteContext } from '../call/action.ts'
import { itemAnswer, itemOutput } from '../call/write-answer.ts'
import { formItem, formItemOf } from './form-item.ts'
import { inviteReceivers } from './invite-receivers.ts'

export const output = itemOutput(formItem)

/** Mails and their receivers are a matter of rights. The rest of a form is a matter of content. */
const mailed = ['receivers', 'reply'] as const
type Mailed = { readonly [K in (typeof mailed)[number]]?: unknown }

const isMailed = (given: Mailed): boolean => mailed.some((name) => given[name] !== undefined)

export const formTouches = {
  least: 'site',
  by: (given: Mailed) => (isMailed(given) ? 'unlimited' : 'site'),
} as const

/** Mails are the matter of an admin: who gets them, and what visitors are answered. @throws Failure `refused` */
export function checkMayMail({ caller }: Pick<WriteContext, 'caller'>, given: Mailed): void {
  if (!isMailed(given) || includesTier(caller.tier, 'admin')) return
  throw new Failure('refused', 'Only an admin says who gets the submissions by mail, and what the sender is answered.', {
    field: given.receivers === undefined ? 'reply' : 'receivers',
    rule: 'mails of a form are set by admins',
    hint: 'Leave `receivers` and `reply` out, and ask an admin to set them.',
  })
}

/** Checks the page with thanks: a path of the site, so that no form leads elsewhere. @throws Failure `invalid` */
export function checkThanksPage(path: string | null | undefined): void {
  if (path === undefined || path === null || /^\/(?![/\\])[^\s\\]*$/.test(path)) return
  throw invalid('thanks_page', '"thanks_page" must be a path of the site, such as /thank-you.', 'a path such as /thank-you')
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
