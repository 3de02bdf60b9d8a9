// The limits that a token or a role sets for entries: certain types, drafts only, or the caller's own entries. Every write of an
// entry is checked here, and so is every undo.

import { Failure } from '../../base/failure.ts'
import { type Caller, limitsOf, type TokenLimits } from '../../identity/caller.ts'
import type { EntryRow } from '../../store/core/schema.ts'

/** The columns that limits depend on. */
export type Limited = Pick<EntryRow, 'type' | 'status' | 'author_id'>

/**
 * Checks a change of an entry against the limits of the caller's token. With `drafts_only` the entry must be a draft before and
 * after; a draft may also be put into the trash and restored. The limit does not apply to the calls of a proposal, because an admin
 * decides when they run.
 * @param before null for a new entry
 * @param after null for an entry that is destroyed
 * @throws Failure `refused`
 */
export function checkEntryLimits(caller: Caller, before: Limited | null, after: Limited | null): void {
  for (const limits of limitsOf(caller))
    checkEntryLimit(caller.proposal ? { ...limits, drafts_only: false } : limits, before, after)
}

/**
 * Checks a staged change. `drafts_only` allows staging, whatever the status of the entry is.
 * @throws Failure `refused` for a type that the token can't write
 */
export function checkStagingLimits(caller: Caller, entry: Pick<Limited, 'type' | 'author_id'>): void {
  checkEntryLimits(caller, null, { ...entry, status: 'draft' })
}

/** True if a limit of the caller allows writing drafts only. */
export const writesDraftsOnly = (caller: Caller): boolean => limitsOf(caller).some(({ drafts_only: only }) => only === true)

function checkEntryLimit(limits: TokenLimits, before: Limited | null, after: Limited | null): void {
  const states = [before, after].filter((state) => state !== null)
  const foreign = limits.types && states.find(({ type }) => !limits.types?.includes(type))
  if (foreign)
    throw limited(
      `This token writes only to entries of the types ${limits.types?.join(', ')}; this is a ${foreign.type}.`,
      'types',
      `Keep to ${limits.types?.join(', ')}.`,
    )
  const { author } = limits
  if (author !== undefined && states.some(({ author_id: by }) => by !== author)) throw notOwn()
  if (limits.drafts_only !== true) return
  const draft = after !== null && states.every(({ status }) => status === 'draft' || status === 'trash')
  if (!draft) throw author === undefined ? limited('This token writes only drafts.', 'drafts_only', proposeIt) : notDraft()
}

const notOwn = () =>
  new Failure('refused', 'A contributor writes only entries of their own.', {
    rule: 'role contributor',
    hint: 'Write a draft of your own instead.',
  })

const notDraft = () =>
  new Failure('refused', 'A contributor writes only drafts.', {
    rule: 'role contributor',
    hint: proposeIt,
  })

const proposeIt = 'Leave the entry as a draft, or propose this call with SVC_Proposals.create: a person decides then.'

const limited = (sentence: string, limit: string, hint: string) =>
  new Failure('refused', sentence, { rule: `token limit ${limit}`, hint })
