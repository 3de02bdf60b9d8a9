// The author of an entry, chosen from the accounts. Only people who may list accounts can choose.

import { accounts } from '../../actions/accounts/index.ts'
import type { HtmlValue } from '../../doors/shared/html.ts'
import { namesOfAccounts } from '../../identity/account-store.ts'
import { mayRun } from '../navigation.ts'
import { run } from '../page.ts'
import { type Choice, type Field, selectField } from '../parts/fields.ts'
import type { SignedIn } from '../visit.ts'
import type { Words } from '../words.ts'

/** The number of accounts that are listed. */
const maxAccounts = 100

/**
 * Lists the accounts by name; empty if the visitor may not list them.
 * @param author the id of the current author, who may be missing from that list
 */
export async function authorChoices(visit: SignedIn, author: string | null): Promise<readonly Choice[]> {
  if (!mayRun(visit, accounts.list)) return []
  const asked = { where: { disabled: false }, limit: maxAccounts }
  const { data } = await run(visit, accounts.list, asked, { select: ['id', 'name', 'email'] })
  const choices = (data?.items ?? []).map(({ id, name, email }) => ({ value: id, label: name ? `${name} (${email})` : email }))
  if (author === null || choices.some(({ value }) => value === author)) return choices
  const names = await namesOfAccounts(visit.site.store.read, [author])
  return [...choices, { value: author, label: names.get(author) ?? author }]
}

/** The field for the author. @param field its value is the id of the author */
export function authorField(t: Words, authors: readonly Choice[], field: Field): HtmlValue {
  if (authors.length === 0) return undefined
  return selectField({ ...field, choices: [{ value: '', label: t('content.author_nobody') }, ...authors] })
}
