// `expect`: the number of objects that a destructive call is meant to affect. If the number differs, nothing is done.

import { Type } from 'typebox'
import { Failure } from '../../base/failure.ts'

/** Returns the field of an input. @param things in the plural */
export const expectProperty = (things: string) =>
  Type.Integer({ minimum: 0, description: `How many ${things} you mean to affect. Where the number differs, nothing is done.` })

/** @throws Failure `conflict` with the true number, if it differs from the expected one */
export function checkExpected(found: number, expect: number, things: string): void {
  if (found === expect) return
  const message = `These are ${found} ${things}, not ${expect}. Nothing was done.`
  throw new Failure('conflict', message, { field: 'expect', found, expected: found })
}
