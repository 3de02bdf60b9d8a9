// The options of a call, which are separate from the action's arguments, and the options that each action takes.

import { invalid } from '../../base/failure.ts'
import type { Action } from './action.ts'
import { readSelect } from './select.ts'

/** The parsed options of a call. */
export interface CallOptions {
  readonly select?: readonly string[] | undefined
  readonly dryRun?: boolean | undefined
  readonly ifRevision?: number | undefined
  readonly idempotencyKey?: string | undefined
}

/** The names of the options in requests. No action has an argument with one of these names. */
export const optionNames = ['select', 'dry_run', 'if_revision', 'idempotency_key'] as const

/** True if a name is that of an option. */
export const isOption = (name: string): boolean => (optionNames as readonly string[]).includes(name)

/**
 * Reads the options from the members of a request.
 * @throws Failure `invalid` for a value of the wrong kind
 */
export function readOptions(from: Readonly<Record<string, unknown>>): CallOptions {
  const { select, dry_run: dryRun, if_revision: ifRevision, idempotency_key: idempotencyKey } = from
  const options = { select: readSelect(select), dryRun, ifRevision, idempotencyKey } as CallOptions
  checkKinds(options)
  return options
}

/** Returns the options that an action takes. */
export function takenOptions(action: Action): readonly (typeof optionNames)[number][] {
  if (action.effect === 'read') return ['select']
  return ['select', 'dry_run', ...(action.revisioned ? (['if_revision'] as const) : []), 'idempotency_key']
}

/**
 * Checks the kind of each option, and that the action takes it. Calls from every door are checked, because a form may have made a
 * number of any text.
 * @throws Failure `invalid`
 */
export function checkOptions(action: Action, options: CallOptions): void {
  checkKinds(options)
  const writes = action.effect !== 'read'
  if (options.dryRun !== undefined && !writes) throw pointless('dry_run', 'a call that changes something')
  if (options.idempotencyKey !== undefined && !writes) throw pointless('idempotency_key', 'a call that changes something')
  if (options.ifRevision !== undefined && !(writes && action.revisioned))
    throw pointless('if_revision', 'a call that changes one thing')
}

function checkKinds({ select, dryRun, ifRevision, idempotencyKey }: CallOptions): void {
  if (select !== undefined) readSelect(select)
  if (dryRun !== undefined && typeof dryRun !== 'boolean') throw wrong('dry_run', 'true or false')
  if (ifRevision !== undefined && !(Number.isInteger(ifRevision) && ifRevision >= 0 && ifRevision < 2 ** 31))
    throw wrong('if_revision', 'a revision number, as the `revision` of what you read')
  if (idempotencyKey !== undefined && !(typeof idempotencyKey === 'string' && /^[\x21-\x7e]{1,200}$/.test(idempotencyKey)))
    throw wrong('idempotency_key', 'a text of 1 to 200 printable ASCII characters without spaces')
}

const wrong = (field: string, expected: string) => invalid(field, `"${field}" must be ${expected}.`, expected)
const pointless = (field: string, expected: string) =>
  invalid(field, `"${field}" is for ${expected}. This action does not take it.`, `left out: it is for ${expected}`)
