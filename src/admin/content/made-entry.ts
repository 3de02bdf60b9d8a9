// The key of a new entry's form. The entry is made under it, so that a form makes one entry, however often it is sent: because its
// answer was lost, somebody pressed twice, or came back to the page.

import { randomUUID } from 'node:crypto'
import { findAnswer, ownerOf } from '../../actions/idempotency.ts'
import type { SignedIn } from '../visit.ts'

/** An entry as its form made it. */
export interface MadeEntry {
  readonly id: string
  readonly revision: number
}

/** The entry that the form with this key has made within the last day. */
export async function findMade({ site, caller, now }: SignedIn, key: string): Promise<MadeEntry | undefined> {
  if (key === '') return undefined
  const answer: { readonly item?: MadeEntry } | undefined = await findAnswer(site.store.read, {
    owner: ownerOf(caller),
    key,
    now,
  })
  return answer?.item
}

/** The key for a form: the one that the address of its page has since the page was first opened, or a new one. */
export function formKey({ request }: SignedIn): string {
  const key = request.query.get('key') ?? ''
  return /^[\da-f-]{36}$/.test(key) ? key : randomUUID()
}
