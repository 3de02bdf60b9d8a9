// `expect`: how many things a caller who destroys means to hit (ACTIONS.md). Any other number, and nothing is done.

import { Type } from 'typebox'
import { Failure } from '../failure.ts'

/** The field of an input; `things` in the plural. */
export const expectProperty = (things: string) =>
  Type.Integer({ minimum: 0, description: `How many ${things} you mean to hit; with another number nothing is done.` })

/** Passes the number that was meant. @throws Failure `conflict` with the true one */
export function checkExpected(found: number, expect: number, things: string): void {
  if (found === expect) return
  const message = `These are ${found} ${things}, not ${expect}: nothing was done.`
  throw new Failure('conflict', message, { field: 'expect', found, expected: found })
}
