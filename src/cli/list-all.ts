// All pages of a list action, for the commands that print lists.

import type { Static, TObject, TSchema } from 'typebox'
import type { ActionHandle } from '../actions/call/call-action.ts'
import type { listOutput, listProperties } from '../actions/lists/list.ts'
import type { Services } from '../actions/call/services.ts'
import type { Caller } from '../identity/caller.ts'
import { callAs } from './open-site.ts'

/** Calls a list action until its last page. @throws Failure */
export async function listAll<Item extends TSchema>(
  site: Services,
  caller: Caller,
  action: ActionHandle<TObject<ReturnType<typeof listProperties>>, ReturnType<typeof listOutput<Item>>>,
): Promise<Static<Item>[]> {
  const all: Static<Item>[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const input = { limit: 100, ...(cursor === undefined ? {} : { cursor }) }
    const page = await callAs(site, caller, action, input)
    all.push(...page.items)
    cursor = page.next_cursor
  }
  return all
}
