// What the limits of a token or an app leave of the actions that its scope allows. Each action declares what it touches, and the table
// here says which limits refuse that. Dispatch asks for every call, and undo for every change that it takes back.

import { Failure } from '../failure.ts'
import { type Caller, limitsOf, type TokenLimits } from './caller.ts'

type Limit = keyof TokenLimits

const may = true
const refused = false

/** Whether a caller that has a limit may do what touches this. Nothing here is left out: a new limit answers for every row. */
const table = {
  /** It reads, and what it answers opens nothing that the limits close. */
  nothing: { classes: may, types: may, drafts_only: may, addresses: may, per_minute: may },
  /** Entries. Each one is held to `types` and `drafts_only` when it is written (`content/allowed.ts`). */
  entries: { classes: may, types: may, drafts_only: may, addresses: may, per_minute: may },
  /** Other actions, which it runs or takes back. Each of those is checked by itself. */
  calls: { classes: may, types: may, drafts_only: may, addresses: may, per_minute: may },
  /** New tokens. Each has the limits of the one that makes it, or tighter ones (`token-limits.ts`). */
  tokens: { classes: may, types: may, drafts_only: may, addresses: may, per_minute: may },
  /** The site itself: its settings, people, plugins and skills, and whether it is open. */
  site: { classes: may, types: may, drafts_only: refused, addresses: may, per_minute: may },
  /** Which backups there are. A token for off-site copies makes backups and takes none away. */
  backups: { classes: refused, types: may, drafts_only: refused, addresses: may, per_minute: may },
  /** What has none of these limits: an account that may do more, code with rights of its own, an older state of the whole site. */
  unlimited: { classes: refused, types: refused, drafts_only: refused, addresses: refused, per_minute: refused },
} as const satisfies Record<string, Record<Limit, boolean>>

/** What an action touches. */
export type Touches = keyof typeof table

/** The limits that refuse what touches this. */
const refusing = Object.fromEntries(
  Object.entries(table).map(([touches, row]) => [touches, (Object.keys(row) as Limit[]).filter((limit) => !row[limit])]),
) as unknown as Readonly<Record<Touches, readonly Limit[]>>

const rules: Partial<Record<Touches, string>> = {
  site: '`drafts_only` leaves drafts, and nothing else that changes the site',
  backups: 'a token for some classes, or for drafts, deletes no backups',
  unlimited: 'a token with limits makes nothing that is without them',
}

/**
 * Passes a caller whose limits leave it what touches this.
 * @param what the action, or the change, as the sentence names it
 * @throws Failure `refused`, naming the limits, the rule and who can do it
 */
export function checkLimits(caller: Caller, touches: Touches, what: string): void {
  if (refusing[touches].length === 0) return
  const has = (limit: Limit) => limitsOf(caller).some((limits) => limits[limit] !== undefined && limits[limit] !== false)
  const held = refusing[touches].filter(has)
  if (held.length === 0) return
  throw new Failure('refused', `Your token is limited in ${held.join(', ')}, which refuses ${what}.`, {
    rule: rules[touches] ?? 'token limits',
    hint: 'An admin whose token has no such limit can do this.',
  })
}
