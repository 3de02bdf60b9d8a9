// The part of an answer about what waits for a person: a sentence for people, the page where they decide, and the call that shows
// the state.

import { type Static, Type } from 'typebox'
import type { Caller } from '../../identity/caller.ts'
import type { Context } from './action.ts'

/** The pages of the admin on which people decide, below the base path. */
export const decisionPages = { approvals: '/admin/approvals', entry: '/admin/content/edit', entries: '/admin/content' } as const

export const waits = Type.Object(
  {
    says: Type.String({ description: 'One sentence for the person you work for. Repeat it.' }),
    decide_at: Type.String({ description: 'The page on which a person decides.' }),
    next: Type.String({ description: 'The call that shows the state.' }),
  },
  { description: 'Only where a person has to decide.' },
)
type Waits = Static<typeof waits>

export const waitsProperty = { waits: Type.Optional(waits) }

/** True for an account that may decide about the changes of others, by its role. */
const deciding: ReadonlySet<string> = new Set(['content', 'admin'])

/** The person who decides, as a sentence begins: the account of the caller if it may, since others are not named to everybody. */
function deciderOf({ account }: Caller, roles: ReadonlySet<string>, others: string): string {
  return account && roles.has(account.role) ? account.name : others
}

const admins: ReadonlySet<string> = new Set(['admin'])

/** Returns what the answer to a call says that became a proposal. */
export function proposalWaits({ caller, origin }: Pick<Context, 'caller' | 'origin'>, id: string): Waits {
  const page = `${origin}${decisionPages.approvals}?id=${id}`
  return {
    says: `Nothing is changed or public yet. ${deciderOf(caller, admins, 'An admin')} decides at ${page}`,
    decide_at: page,
    next: `SVC_Proposals.get {"id": "${id}"}`,
  }
}

/**
 * Returns what an answer says about an entry that waits to be published.
 * @param isLive true if the public sees the entry without the change
 */
export function entryWaits({ caller, origin }: Pick<Context, 'caller' | 'origin'>, id: string, isLive: boolean): Waits {
  const page = `${origin}${decisionPages.entry}?id=${id}`
  const what = isLive ? 'The change is not public yet: the page stays as it was.' : 'Nothing is public yet.'
  return {
    says: `${what} ${deciderOf(caller, deciding, 'An editor')} decides at ${page}`,
    decide_at: page,
    next: `SVC_Content.get {"id": "${id}", "select": ["status"${isLive ? ', "staged"' : ''}]}`,
  }
}

/** Returns what the answer to a call says that staged changes of several entries. */
export function entriesWait({ caller, origin }: Pick<Context, 'caller' | 'origin'>, count: number): Waits {
  const page = `${origin}${decisionPages.entries}?show=waiting`
  const what = count === 1 ? 'The change of 1 page is' : `The changes of ${count} pages are`
  return {
    says: `${what} not public yet. ${deciderOf(caller, deciding, 'An editor')} decides at ${page}`,
    decide_at: page,
    next: 'SVC_Content.list {"where": {"staged": true}}',
  }
}
