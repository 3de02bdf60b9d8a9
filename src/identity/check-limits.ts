// The limits of a token or an app refuse some of the actions that its scope allows. Each action declares what it touches, and the table here
// says which limits refuse that. Dispatch checks every call, and undo checks every change that it undoes.

import { Failure } from '../failure.ts'
import { type Caller, limitsOf, type TokenLimits } from './caller.ts'

type Limit = keyof TokenLimits

const may = true
const refused = false

/** One row per thing that an action can touch. A column says whether a caller with that limit may touch it. A new limit needs a value in each row. */
const table = {
  /** Reads whose answers reveal nothing that the limits protect. */
  nothing: { classes: may, types: may, drafts_only: may, author: may, addresses: may, per_minute: may, ask: may },
  /** Entries. Each one is checked against `types` and `drafts_only` when it is written (`content/allowed.ts`). */
  entries: { classes: may, types: may, drafts_only: may, author: may, addresses: may, per_minute: may, ask: may },
  /** New media files. Those of a caller limited to drafts are not public before a public entry uses them (`media/media-rows.ts`). */
  media: { classes: may, types: may, drafts_only: may, author: may, addresses: may, per_minute: may, ask: may },
  /** Other actions, which the action runs or undoes. Each of them is checked separately. */
  calls: { classes: may, types: may, drafts_only: may, author: may, addresses: may, per_minute: may, ask: may },
  /** New tokens. Each has the limits of its creator's token, or tighter ones (`token-limits.ts`). */
  tokens: { classes: may, types: may, drafts_only: may, author: may, addresses: may, per_minute: may, ask: may },
  /** The site itself: its settings, people, plugins and skills, and whether it is open. */
  site: { classes: may, types: may, drafts_only: refused, author: refused, addresses: may, per_minute: may, ask: may },
  /** The set of backups. A token for off-site copies creates backups and deletes none. */
  backups: { classes: refused, types: may, drafts_only: refused, author: refused, addresses: may, per_minute: may, ask: may },
  /** Whatever escapes all limits: an account with more rights, code with its own rights, or an older state of the whole site. */
  unlimited: {
    classes: refused,
    types: refused,
    drafts_only: refused,
    author: refused,
    addresses: refused,
    per_minute: refused,
    ask: refused,
  },
} as const satisfies Record<string, Record<Limit, boolean>>

/** What an action touches. */
export type Touches = keyof typeof table

/** The limits that refuse an action, by what it touches. */
const refusing = Object.fromEntries(
  Object.entries(table).map(([touches, row]) => [touches, (Object.keys(row) as Limit[]).filter((limit) => !row[limit])]),
) as unknown as Readonly<Record<Touches, readonly Limit[]>>

const rules: Partial<Record<Touches, string>> = {
  site: '`drafts_only` allows changes to drafts, and to nothing else of the site',
  backups: 'a token for some classes, or for drafts, deletes no backups',
  unlimited: 'a token with limits creates nothing that has fewer limits',
}

/**
 * Checks a caller's limits against what an action touches.
 * @param what the action or the change, as the failure names it
 * @throws Failure `refused`, naming the limits, the rule, and who can run the action
 */
export function checkLimits(caller: Caller, touches: Touches, what: string): void {
  const violated = listViolated(caller, touches)
  if (violated.length === 0) return
  const whose = violated.includes('author') ? 'Your role is contributor' : `Your token is limited in ${violated.join(', ')}`
  throw new Failure('refused', `${whose}, which refuses ${what}.`, {
    rule: rules[touches] ?? 'token limits',
    hint: 'An admin whose token has no such limit can do this.',
  })
}

/** Whether no limit refuses a caller what escapes all limits. */
export const isUnlimited = (caller: Caller): boolean => listViolated(caller, 'unlimited').length === 0

function listViolated(caller: Caller, touches: Touches): readonly Limit[] {
  if (refusing[touches].length === 0) return []
  const all = limitsOf(caller)
  return refusing[touches].filter((limit) => all.some((limits) => limits[limit] !== undefined && limits[limit] !== false))
}
