// Plans when each call of a batch runs. Only writes run in the transaction: reads before the first write run before it, and later
// reads after the commit. The preparation of writes, such as rendering, also runs before the transaction.

import { Failure } from '../../base/failure.ts'
import { isObject } from '../../base/json.ts'
import { type Action, callName, type Context, type Shown, storable } from '../call/action.ts'
import type { Call } from '../call/call.ts'
import { checkInput } from '../call/check-input.ts'
import { checkOptions } from '../call/options.ts'
import { getVisible, nameIn, type Registry } from '../call/registry.ts'
import { nothingThere, placesIn, resolveReferences } from './batch-references.ts'

/** The most calls in a batch. */
export const maxCalls = 500

/** The most calls in a proposal, which a person reads. */
export const maxProposedCalls = 50

/** A call in a batch. */
export interface BatchCall {
  readonly class?: string
  readonly action: string
  readonly arguments?: Readonly<Record<string, unknown>>
  readonly if_revision?: number
}

/**
 * A call with its action and phase. `early`: before the transaction. `write`: in it. `late`: after its commit. `left`: never,
 * because an approval excludes the call.
 */
export interface RunnableCall {
  readonly call: BatchCall
  readonly action: Action
  readonly phase: 'early' | 'write' | 'late' | 'left'
}

/** A call with its phase; `skipped` for a call that failed before the transaction. */
export type Planned = RunnableCall | { readonly call: BatchCall; readonly phase: 'skipped' }

/** Returns `CLASS.ACTION` of a call, which may name the class in a separate member. */
export const nameOf = (call: Pick<BatchCall, 'class' | 'action'>): string => nameIn(call.class, call.action)

/** Returns the calls of a batch as single calls. The input is not validated yet, so invalid calls are omitted. */
export function callsIn({ calls }: Shown): readonly Call[] {
  const read = (one: unknown): Call[] => {
    const { class: className, action: named, arguments: input = {} } = (one ?? {}) as Record<string, unknown>
    const good = typeof named === 'string' && (className === undefined || typeof className === 'string') && isObject(input)
    return good ? [{ name: nameOf({ class: className, action: named } as BatchCall), input, options: {} }] : []
  }
  return Array.isArray(calls) ? calls.slice(0, maxCalls).flatMap(read) : []
}

/**
 * Plans a call that follows other calls.
 * @throws Failure for an unknown action, for an action or option that batches don't take, and for a reference that can't be
 * resolved in time
 */
export function planCall(context: Context, before: readonly Planned[], call: BatchCall): RunnableCall {
  const action = getVisible(context.site.registry, context.caller, nameOf(call))
  if (action.name === 'batch' && action.class === 'SVC_API') throw noBatch('A batch', 'goes into no other batch')
  if (action.effect === 'destroy' || action.job || action.batchable === false)
    throw noBatch(callName(action), 'goes into no batch: call it by itself')
  checkOptions(action, { ifRevision: call.if_revision })
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
    rule: 'a batch finishes reads, rendering and other preparation before it writes',
    hint,
  })

/**
 * Returns the arguments, with references replaced by the results so far. Once no result is missing, they are validated against the
 * present types and checked against the caller's limits.
 * @throws Failure `invalid`, `refused`
 */
export function readArguments(
  { caller, site, dryRun, onTried }: Context,
  { action, call }: RunnableCall,
  results: readonly unknown[],
): Record<string, unknown> {
  const given = call.arguments ?? {}
  const input = resolveReferences(given, results) as Record<string, unknown>
  if (placesIn(given).every((place) => results[place] !== undefined))
    checkInput(caller, site.registry.find(callName(action), site.types.current) ?? action, input, dryRun && onTried === undefined)
  return input
}

/**
 * Plans a call that an approval excludes. The call keeps its place, so that references of other calls stay correct.
 * @throws Failure `unknown_action`
 */
export const planLeft = (context: Context, call: BatchCall): RunnableCall => ({
  call,
  action: getVisible(context.site.registry, context.caller, nameOf(call)),
  phase: 'left',
})

const noBatch = (what: string, rule: string) =>
  new Failure('refused', `${what} ${rule}.`, { rule: 'a batch has no calls that destroy, run as jobs or are batches' })

/** Returns a call and its result without the secrets of its action. */
export function storableCall(registry: Registry, call: BatchCall, result: Shown = {}): { call: BatchCall; result: Shown } {
  const one = registry.find(nameOf(call))
  if (!one) return { call, result }
  const { input, result: open } = storable(registry, one, call.arguments ?? {}, result)
  return { call: call.arguments ? { ...call, arguments: input } : call, result: open }
}
