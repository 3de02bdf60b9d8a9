// What a token's own limits leave it of entries: types, and drafts only. Every write of an entry passes here, undo's too.

import { Failure } from '../failure.ts'
import { type Caller, limitsOf, type TokenLimits } from '../identity/caller.ts'
import type { EntryRow } from '../store/schema.ts'

/** What the limits look at. */
export type Limited = Pick<EntryRow, 'type' | 'status'>

/**
 * Passes a change of an entry that the caller's token may make.
 * `drafts_only` means: a draft before and after, where putting a draft into the trash and taking it out again count as such.
 * @param before null for a new entry
 * @param after null for one that is destroyed
 * @throws Failure `refused`
 */
export function holdLimits(caller: Caller, before: Limited | null, after: Limited | null): void {
  for (const limits of limitsOf(caller)) holdOne(limits, before, after)
}

function holdOne(limits: TokenLimits, before: Limited | null, after: Limited | null): void {
  const states = [before, after].filter((state) => state !== null)
  const foreign = limits.types && states.find(({ type }) => !limits.types?.includes(type))
  if (foreign)
    throw limited(
      `This token writes only to entries of the types ${limits.types?.join(', ')}; this is a ${foreign.type}.`,
      'types',
    )
  if (limits.drafts_only !== true) return
  const draft = after !== null && states.every(({ status }) => status === 'draft' || status === 'trash')
  if (!draft) throw limited('This token writes only drafts.', 'drafts_only')
}

const limited = (sentence: string, limit: string) =>
  new Failure('refused', sentence, {
    rule: `token limit ${limit}`,
    hint: 'An admin can make a token with other limits (SVC_Tokens.create).',
  })
