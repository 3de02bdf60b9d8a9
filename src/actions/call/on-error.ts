// `on_error` of actions that write many things in one call: a part that fails ends the call, or is left out and listed.

import { Type } from 'typebox'
import { type Code, Failure } from '../../base/failure.ts'
import { savepoint } from '../../store/core/queued-writes.ts'
import type { WriteContext } from './action.ts'

/** The field of an input. */
export const onErrorProperty = Type.Optional(
  Type.Enum(['stop', 'skip'], {
    description:
      'What a failing one does: `stop` (the default) undoes all of them; `skip` leaves it out and names it. With `skip`, a call that would hold the database for more than a second goes on as a job in slices, each with a record of its own.',
  }),
)

/** Failures that concern the whole call rather than one of its parts. */
const callFailures: ReadonlySet<Code> = new Set(['unavailable', 'rate_limited', 'failed'])

/** True for a failure that `skip` leaves out. */
export const canSkip = (error: unknown): error is Failure => error instanceof Failure && !callFailures.has(error.code)

/**
 * Writes one of several things. If it fails, its writes are rolled back, and the transaction goes on.
 * @returns the failure, if it can be skipped
 */
export async function orSkip<T>(context: WriteContext, write: (context: WriteContext) => Promise<T>): Promise<T | Failure> {
  const { change } = context
  const recordsBefore = change.records.length
  const onSuccess: (() => void)[] = []
  const held: WriteContext = {
    ...context,
    signal: context.signal,
    ran: (action) => void onSuccess.push(() => context.ran(action)),
    noteInput: (more) => void onSuccess.push(() => context.noteInput(more)),
    makeStale: (areas) => void onSuccess.push(() => context.makeStale(areas)),
    afterCommit: (run) => void onSuccess.push(() => context.afterCommit(run)),
  }
  try {
    const value = await savepoint(change.db, () => write(held))
    for (const note of onSuccess) note()
    return value
  } catch (error) {
    if (!canSkip(error)) throw error
    change.forget(recordsBefore)
    return error
  }
}
