// All pages of a list action, for the commands that print lists.

import type { Services } from '../actions/services.ts'
import type { Caller } from '../identity/caller.ts'
import { callAction } from './open-site.ts'

/** Calls a list action until its last page. @throws Failure */
export async function listAll<T>(site: Services, caller: Caller, action: string): Promise<T[]> {
  const all: T[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const input = { limit: 100, ...(cursor === undefined ? {} : { cursor }) }
    const page = (await callAction(site, caller, action, input)).parse() as { items: T[]; next_cursor: string | null }
    all.push(...page.items)
    cursor = page.next_cursor
  }
  return all
}
