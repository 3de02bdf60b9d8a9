// The limits of a token or an app refuse some of the actions that its scope allows. Each action declares what it touches, and the
// table here lists the limits that refuse this. Dispatch checks every call, and undo checks every change that it undoes.

import { Failure } from '../base/failure.ts'
import { type Caller, limitsOf, type TokenLimits } from './caller.ts'

type Limit = keyof TokenLimits

const may = true
const refused = false

/** A row that no limit refuses. A new limit needs a value here, and in each row below that it refuses. */
const free = { classes: may, types: may, drafts_only: may, author: may, addresses: may, per_minute: may, ask: may } as const
const full = {
  classes: refused,
  types: refused,
  drafts_only: refused,
  author: refused,
  addresses: refused,
  per_minute: refused,
  ask: refused,
} as const

/**
 * One row per thing that an action can touch. A column is true if a caller with that limit may touch it. The column `unproven` is
 * about people: it is true if a session without a recent re-authentication may touch it.
 */
const table = {
  /** Reads whose answers reveal nothing that the limits protect. */
  nothing: { ...free, unproven: may },
  /** Entries. Each one is checked against `types` and `drafts_only` when it is written (`content/entries/allowed.ts`). */
  entries: { ...free, unproven: may },
  /**
   * New media files. Those of a caller limited to drafts are not public before a public entry uses them (`media/media-rows.ts`).
   */
  media: { ...free, unproven: may },
  /** Other actions, which this action runs or undoes. Each of them is checked separately. */
  calls: { ...free, unproven: may },
  /** The world outside, through the code of a plugin. */
  outside: { ...free, unproven: refused },
  /** New tokens. Each has the limits of its creator's token, or tighter ones (`token-limits.ts`). */
  tokens: { ...free, unproven: refused },
  /** The site itself: its settings, people, plugins and skills, and whether it is open. */
  site: { ...free, drafts_only: refused, author: refused, unproven: may },
  /** Ways into the site, and copies of all of it: accounts, keys, backups. */
  access: { ...free, drafts_only: refused, author: refused, unproven: refused },
  /** Access that ends. Ending access has to be quick, although it can't be undone. */
  endings: { ...free, drafts_only: refused, author: refused, unproven: may },
  /** The set of backups. A token for off-site copies creates backups and deletes none. */
  backups: { ...free, classes: refused, drafts_only: refused, author: refused, unproven: refused },
  /** Proposals of others. Their calls run with the rights of an admin, and each of them is checked separately. */
  approvals: { ...full, unproven: may },
  /** Things that escape all limits: an account with more rights, code with its own rights, or an older state of the whole site. */
  unlimited: { ...full, unproven: refused },
} as const satisfies Record<string, Record<Limit | 'unproven', boolean>>

export type Touches = keyof typeof table

/** The limits that refuse an action, by what it touches. */
const refusing = Object.fromEntries(
  Object.entries(table).map(([touches, row]) => [touches, (Object.keys(free) as Limit[]).filter((limit) => !row[limit])]),
) as unknown as Readonly<Record<Touches, readonly Limit[]>>

/** True if touching this needs a recent re-authentication. Actions that destroy need one, too, except those that end access. */
export const asksForProof = (touches: Touches, effect = 'write'): boolean =>
  effect !== 'read' && (!table[touches].unproven || (effect === 'destroy' && touches !== 'endings'))

const proofRule = 'a recent proof of who you are'

const unproven = (what: string): Failure =>
  new Failure('refused', `Confirm first that it is you: this is needed for ${what}.`, {
    rule: proofRule,
    hint: 'Confirm your password in the admin, and do it again.',
  })

/** True if a re-authentication would remove the failure. */
export const isUnproven = ({ detail }: Failure): boolean => detail.rule === proofRule

const rules: Partial<Record<Touches, string>> = {
  site: '`drafts_only` allows changes to drafts, and to nothing else of the site',
  backups: 'a token for some classes, or for drafts, deletes no backups',
  approvals: 'a token with limits approves nothing',
  unlimited: 'a token with limits creates nothing that has fewer limits',
}

/**
 * Checks a caller's limits, and whether its session needs a re-authentication, against what an action touches.
 * @param what the action or the change, as the failure names it
 * @throws Failure `refused`, naming the limits, the rule, and who can run the action; `isUnproven` recognizes the one for a
 * missing re-authentication
 */
export function checkLimits(caller: Caller, touches: Touches, what: string, effect?: string): void {
  if (caller.unproven && asksForProof(touches, effect)) throw unproven(what)
  const violated = listViolated(caller, touches)
  if (violated.length === 0) return
  const whose = violated.includes('author') ? 'Your role is contributor' : `Your token is limited in ${violated.join(', ')}`
  throw new Failure('refused', `${whose}, which refuses ${what}.`, {
    rule: rules[touches] ?? 'token limits',
    hint: 'Do what your limits allow, and leave this to a person: `you.limits` of SVC_API.welcome says them.',
  })
}

/** Settings that no limited caller changes: sources of scripts in the pages of the site, and mails to all subscribers. */
const unlimitedSettings: readonly string[] = ['allowed_sources', 'newsletter_types']

/** The part of the site that a change of settings touches. */
export const touchesOfSettings = (keys: readonly string[]): 'site' | 'unlimited' =>
  keys.some((key) => unlimitedSettings.includes(key)) ? 'unlimited' : 'site'

/** True if no limit of the caller refuses `unlimited`. */
export const isUnlimited = (caller: Caller): boolean => !isRefused(caller, 'unlimited')

/** True if a limit of the caller refuses to touch this. */
export const isRefused = (caller: Caller, touches: Touches): boolean => listViolated(caller, touches).length > 0

function listViolated(caller: Caller, touches: Touches): readonly Limit[] {
  if (refusing[touches].length === 0) return []
  const all = limitsOf(caller)
  return refusing[touches].filter((limit) => all.some((limits) => limits[limit] !== undefined && limits[limit] !== false))
}
