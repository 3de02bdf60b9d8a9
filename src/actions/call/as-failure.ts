// Converts any error of a call to a failure.

import { Failure } from '../../base/failure.ts'
import { orDiskFull } from '../../base/unwritable.ts'
import type { Caller } from '../../identity/caller.ts'
import { newId } from '../../store/core/ids.ts'
import type { Call } from './call.ts'
import type { Services } from './services.ts'

/** Returns the failure for the caller. Unexpected errors, and the causes of `unavailable`, go to the log. */
export function asFailure(
  site: Pick<Services, 'clock' | 'log'>,
  { door }: Caller,
  call: Pick<Call, 'name'>,
  thrown: unknown,
): Failure {
  const error = orDiskFull(thrown)
  if (error instanceof Failure && (error.code !== 'unavailable' || error.cause === undefined)) return error
  const reference = newId(site.clock.now())
  const about = { reference, door, call: call.name, error }
  if (error instanceof Failure) {
    // The caller is only asked to wait. The log has the reason for the owner, such as a full disk.
    site.log.warn('action unavailable', about)
    return new Failure(error.code, error.message, { ...error.detail, reference }, { cause: error.cause })
  }
  site.log.error('action failed', about)
  return new Failure('failed', `Something went wrong on the server; the log has it as ${reference}.`, { reference })
}
