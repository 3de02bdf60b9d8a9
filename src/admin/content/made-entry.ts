// The key in the form of a new entry. With its key, a form creates one entry, however often it is sent: after a lost answer, a
// second press of the button, or a return to the page.

import { randomUUID } from 'node:crypto'
import { findAnswer } from '../../actions/call/idempotency.ts'
import { ownerOf } from '../../identity/caller.ts'
import type { SignedIn } from '../visit.ts'

/** An entry as it was when its form created it. */
export interface MadeEntry {
  readonly id: string
  readonly revision: number
}

/** Finds the entry that the form with this key created within the last day. */
export async function findMade({ site, caller, now }: SignedIn, key: string): Promise<MadeEntry | undefined> {
  if (key === '') return undefined
  const answer: { readonly item?: MadeEntry } | undefined = await findAnswer(site.store.read, {
    owner: ownerOf(caller),
    key,
    now,
  })
  return answer?.item
}

/** Returns the key in the address of the page, or a new one. The page's script writes it there when the page is first opened. */
export function formKey({ request }: SignedIn): string {
  const key = request.query.get('key') ?? ''
  return /^[\da-f-]{36}$/.test(key) ? key : randomUUID()
}
