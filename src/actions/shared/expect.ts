// `expect`: the number of objects that a destructive call is meant to affect. If the number differs, nothing is done. A dry run may
// leave it out, to count them (call/check-input.ts).

import { Type } from 'typebox'
import { Failure } from '../../base/failure.ts'

/** Returns the field of an input. @param things in the plural */
export const expectProperty = (things: string) =>
  Type.Integer({
    minimum: 0,
    description: `How many ${things} you mean to affect. Where the number differs, nothing is done. A dry run without it counts.`,
  })

/**
 * @param expect undefined in a dry run that counts
 * @throws Failure `conflict` with the true number, if it differs from the expected one
 */
export function checkExpected(found: number, expect: number | undefined, things: string): void {
  if (expect === undefined || found === expect) return
  const message = `The number of ${things} is ${found}, not ${expect}. Nothing was done.`
  throw new Failure('conflict', message, { field: 'expect', expected: found })
}
