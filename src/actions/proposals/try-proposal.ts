// The trial of a proposal: its calls run as they would after an approval by this caller, and everything is rolled back.

import type { ProposalRow } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'
import { dispatch } from '../call/dispatch.ts'
import type { Proposer } from '../call/proposer.ts'
import { type Tried, tryCalls } from '../call/proposing.ts'
import { callsOf } from './proposal-item.ts'

/** The caller who looks, and its request. */
export type Looking = Pick<Context, 'site' | 'caller' | 'origin' | 'signal'>

/** @throws Failure with the failure of the calls */
export function tryProposal({ site, caller, origin, signal }: Looking, row: ProposalRow, proposer: Proposer): Promise<Tried> {
  const as = proposer.caller(caller)
  return tryCalls(as.account?.id ?? null, callsOf(row), (call, onTried) => dispatch(site, as, call, { origin, signal, onTried }))
}
