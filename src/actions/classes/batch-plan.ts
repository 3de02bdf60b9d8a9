// When each call of a batch runs, so that nothing but writing happens while the writer is held: reads before the first write run before the
// transaction, reads after it when the writes are committed. What a write prepares, such as rendering, comes before the transaction too.

import { Failure } from '../../failure.ts'
import type { Caller } from '../../identity/caller.ts'
import { type Action, callName, type Context } from '../action.ts'
import { holdInput } from '../hold-input.ts'
import { holdOptions } from '../options.ts'
import { getVisible } from '../registry.ts'
import { nothingThere, placesIn, resolveReferences } from './batch-references.ts'

/** A call as a batch takes it. */
export interface BatchCall {
  readonly class?: string
  readonly action: string
  readonly arguments?: Readonly<Record<string, unknown>>
  readonly if_revision?: number
}

/** `early`: before the transaction. `write`: in it. `late`: after its commit. */
export type Phase = 'early' | 'write' | 'late'

/** A call with what is known of it before anything has run. */
export interface Planned {
  readonly call: BatchCall
  readonly action: Action
  readonly phase: Phase
}

/** `CLASS.ACTION`, as a call names it in either way. */
export const nameOf = (call: Pick<BatchCall, 'class' | 'action'>): string =>
  call.class === undefined ? call.action : `${call.class}.${call.action}`

/**
 * The call at a place, after those before it.
 * @throws Failure for an action that isn't there or goes into no batch, an option that doesn't fit, or a reference that can't be resolved
 * in time
 */
export function planCall(context: Context, before: readonly Planned[], call: BatchCall): Planned {
  const action = getVisible(context.site.registry, context.caller, nameOf(call))
  if (action.name === 'batch' && action.class === 'SVC_API') throw noBatch('A batch', 'goes into no other batch')
  if (action.effect === 'destroy' || action.job || action.batchable === false)
    throw noBatch(callName(action), 'goes into no batch: call it by itself')
  holdOptions(action, { ifRevision: call.if_revision })
  const phase = action.effect !== 'read' ? 'write' : before.some((one) => one.phase === 'write') ? 'late' : 'early'
  const ahead = placesIn(call.arguments).find((place) => place >= before.length)
  if (ahead !== undefined) throw nothingThere(`$${ahead}`)
  if (phase === 'write') checkReferences(action, call, before)
  return { call, action, phase }
}

function checkReferences(action: Action, { arguments: given = {} }: BatchCall, before: readonly Planned[]): void {
  const reads = Object.entries(given).find(([, value]) => placesIn(value).some((place) => before[place]?.phase === 'late'))
  if (reads) throw tooLate(reads[0], 'the result of a read that runs after all writes', 'Put that read before the first write.')
  if (action.effect === 'read' || !action.prepare) return
  const prepared = Object.entries(given).find(
    ([name, value]) =>
      (action.prepares?.includes(name) ?? true) && placesIn(value).some((place) => before[place]?.phase === 'write'),
  )
  if (prepared)
    throw tooLate(
      prepared[0],
      'the result of a write of the same batch: it is prepared before anything is written',
      'Make two batches.',
    )
}

const tooLate = (field: string, what: string, hint: string): Failure =>
  new Failure('refused', `${JSON.stringify(field)} can't hold ${what}.`, {
    field,
    rule: 'reads, rendering and other preparation never happen while a batch writes',
    hint,
  })

/**
 * The arguments with what is known so far, held against the action's schema and the caller's limits unless something is still missing.
 * @throws Failure `invalid`, `refused`
 */
export function readArguments(caller: Caller, { action, call }: Planned, results: readonly unknown[]): Record<string, unknown> {
  const given = call.arguments ?? {}
  const input = resolveReferences(given, results) as Record<string, unknown>
  if (placesIn(given).every((place) => results[place] !== undefined)) holdInput(caller, action, input)
  return input
}

const noBatch = (what: string, rule: string) =>
  new Failure('refused', `${what} ${rule}.`, { rule: 'no destroying, no long-running and no batch calls inside a batch' })
