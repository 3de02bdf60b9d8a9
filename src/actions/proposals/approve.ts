// SVC_Proposals.approve: runs the calls of a proposal. They make exactly the changes that the approver was shown, or none.

import { Type } from 'typebox'
import { Failure, invalid } from '../../base/failure.ts'
import type { Caller } from '../../identity/caller.ts'
import type { ProposalRow } from '../../store/core/schema.ts'
import { action, type Context } from '../call/action.ts'
import { authorOf } from '../call/commit.ts'
import { ofOtherActions } from '../call/failures.ts'
import { checkChanges, digestOf, otherChanges, type ProposedChange, proposedChanges } from '../call/proposed-changes.ts'
import type { Expected } from '../call/proposing.ts'
import { getVisible } from '../call/registry.ts'
import { writeProperties } from '../call/write-answer.ts'
import { prepareCalls, runCalls } from '../api/batch.ts'
import {
  type BatchCall,
  maxProposedCalls,
  nameOf,
  planCall,
  planLeft,
  type Planned,
  type RunnableCall,
} from '../api/batch-plan.ts'
import { placesIn } from '../api/batch-references.ts'
import { decide, idProperty, noteProperty } from './decide.ts'
import { callsOf, changesOf, expectsOf, leanItem, leanOf, movedSince } from './proposal-item.ts'
import { firstProposer, openApproval } from './open-approval.ts'
import { closed, boundedText } from '../../base/schema.ts'

/**
 * Returns a function that plans the calls of a proposal. The rules are those of a batch, except that a single call may destroy.
 * Calls that are not chosen keep their places.
 */
function planChosen(only: ReadonlySet<number>, count: number) {
  return (context: Context, before: readonly Planned[], call: BatchCall): RunnableCall => {
    if (!only.has(before.length)) return planLeft(context, call)
    const found = getVisible(context.site.registry, context.caller, nameOf(call))
    return count === 1 && found.effect === 'destroy' ? { call, action: found, phase: 'write' } : planCall(context, before, call)
  }
}

export const approve = action('SVC_Proposals.approve', {
  title: 'Accept a proposal[: {title}]',
  summary: 'Runs the calls of a proposal, and closes it. They change exactly what was shown, or nothing.',
  did: 'accepted a proposal[: {title}]',
  tier: 'admin',
  effect: 'write',
  failures: ofOtherActions,
  touches: 'approvals',
  batchable: false,
  revisioned: true,
  input: closed({
    id: idProperty,
    only: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: maxProposedCalls - 1 }), {
        minItems: 1,
        maxItems: maxProposedCalls,
        description:
          'Places of the calls to run, counted from 0. The others are not run, and no chosen call may refer to one of them.',
      }),
    ),
    digest: Type.Optional(
      boundedText(
        'The `digest` that SVC_Proposals.get answered. It says which changes you were shown. Required since release 1.',
        100,
      ),
    ),
    note: noteProperty('What the proposer will read.'),
  }),
  output: Type.Object({ item: leanItem, results: Type.Array(Type.Unknown()), ...writeProperties }),
  examples: [
    {
      title: 'Let it happen',
      input: { id: 'A page with our opening hours', digest: 'the digest that SVC_Proposals.get answered' },
    },
  ],
  async prepare(context, { id, only, digest }) {
    const { row, caller } = await openApproval(context, id)
    checkDigestGiven(context, row, digest)
    const calls = callsOf(row)
    const chosen = readChosen(row, calls, only)
    const prepared = await prepareCalls({ ...context, caller }, calls, { plan: planChosen(chosen, calls.length) })
    return { stored: row.calls, calls, chosen, prepared }
  },
  async run(context, { id, note, digest }, { stored, calls, chosen, prepared }) {
    const { row, caller } = await openApproval(context, id)
    // Its proposer may add calls at any time: those that were prepared are not all then.
    if (row.calls !== stored) throw otherChanges(changesOf(row) ?? [], [])
    const moved = await movedSince(context.db, expectsOf(row))
    if (moved.length > 0) throw isStale(moved)
    const decided = await decide(context, row, 'approved', note)
    context.noteInput({ title: row.title, proposed_by: row.by_name, proposed_through: row.token_name })
    context.ran(approve)
    const known = context.change.records.length
    const proposer = await firstProposer(context.db, row)
    context.acceptedFor(proposer)
    const author = (as: Caller, call: string) => ({ ...authorOf(as, call), name: row.by_name })
    const results = await runCalls({ ...context, caller }, calls, prepared, { author })
    const run = { calls, now: context.now, accountId: caller.account?.id ?? null }
    checkShown(row, digest, proposedChanges(context.change.records.slice(known), run), chosen)
    return { item: leanOf(decided), results: calls.map((_, place) => results[place] ?? null), warnings: [], activity_id: null }
  },
})

/** @throws Failure `invalid` if the digest of the shown changes is required and missing */
function checkDigestGiven({ site, caller }: Context, row: ProposalRow, digest: string | undefined): void {
  if (digest !== undefined || !(row.digest === null || caller.door === 'admin' || site.release.approvalDigest)) return
  throw new Failure('invalid', 'Say which changes you were shown: give the `digest` of the proposal.', {
    field: 'digest',
    expected: 'the `digest` that SVC_Proposals.get answers',
    hint: `SVC_Proposals.get with {"id": "${row.id}"}`,
  })
}

/**
 * Returns the places of the calls to run.
 * @throws Failure `invalid` for a place without a call, and for a call that refers to an excluded call
 */
function readChosen(row: ProposalRow, calls: readonly BatchCall[], only: readonly number[] | undefined): ReadonlySet<number> {
  const all = [...calls.keys()]
  const chosen = new Set(only ?? all)
  const missing = only?.find((place) => place >= calls.length)
  if (missing !== undefined)
    throw notChosen(`The proposal has no call at place ${missing}.`, `places from 0 to ${calls.length - 1}`)
  if (row.changes === null && chosen.size < calls.length)
    throw notChosen('This proposal is of an earlier release: its calls run together or not at all.', 'all places, or left out')
  for (const place of chosen) {
    const left = placesIn(calls[place]?.arguments).find((one) => !chosen.has(one))
    if (left !== undefined)
      throw notChosen(`The call at place ${place} refers to the result of the one at place ${left}, which is left out.`, [
        ...chosen,
        left,
      ])
  }
  return chosen
}

const notChosen = (sentence: string, expected: unknown): Failure => invalid('only', sentence, expected)

/** Compares the changes that the calls have made with the changes that were shown. @throws Failure `conflict` */
function checkShown(
  row: ProposalRow,
  digest: string | undefined,
  real: readonly ProposedChange[],
  chosen: ReadonlySet<number>,
): void {
  const shown = changesOf(row)
  if (shown) checkChanges(shown, real, chosen)
  if (digest !== undefined && digest !== (row.digest ?? digestOf(real))) throw otherChanges(shown ?? [], real)
}

const isStale = (moved: readonly (Expected & { readonly now: number | null })[]): Failure =>
  new Failure('conflict', 'What the calls change has changed since they were proposed. Nothing was done.', {
    changes: moved.slice(0, 20).map(({ kind, id, revision, now }) => ({ kind, id, proposed_at: revision, now })),
    hint: 'Reject the proposal, and have it proposed again.',
  })
