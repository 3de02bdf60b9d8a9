// Remembers who wrote entries last in this process, so that a client that changes one entry again and again is not looked up in the
// records each time. A revision has one maker, so nothing here gets out of date.

import { type Caller, nameOf, ownerOf } from '../../identity/caller.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import type { Services } from '../call/services.ts'

type Written = Pick<EntryRow, 'id' | 'revision'>

interface OwnWrites {
  /** Notes that a caller made this revision of an entry. */
  keep(entry: Written, caller: Caller): void
  /** True if the caller is known to have made this revision. False tells nothing. */
  has(entry: Written, caller: Caller): boolean
}

/** The entries that are remembered. */
const maxEntries = 500

const bySite = new WeakMap<Services, OwnWrites>()

/** Returns the memory of a site. */
export function ownWritesOf(site: Services): OwnWrites {
  const known = bySite.get(site) ?? createOwnWrites()
  bySite.set(site, known)
  return known
}

function createOwnWrites(): OwnWrites {
  const makers = new Map<string, string>()
  return {
    keep({ id, revision }, caller) {
      makers.delete(id)
      makers.set(id, `${revision} ${makerOf(caller)}`)
      const [oldest] = makers.keys()
      if (makers.size > maxEntries && oldest !== undefined) makers.delete(oldest)
    },
    has: ({ id, revision }, caller) => makers.get(id) === `${revision} ${makerOf(caller)}`,
  }
}

const makerOf = (caller: Caller): string => `${ownerOf(caller)} ${caller.account?.id ?? ''} ${nameOf(caller)}`
