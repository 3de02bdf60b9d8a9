// The tighter of two limits, by which a restore leaves to a token no more than either database does.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TokenLimits } from '../../src/identity/caller.ts'
import { holdTighter, lowerLimits } from '../../src/identity/token-limits.ts'

const rows: readonly { a: TokenLimits; b: TokenLimits; both: TokenLimits }[] = [
  { a: {}, b: {}, both: {} },
  { a: { drafts_only: true }, b: {}, both: { drafts_only: true } },
  {
    a: { classes: ['SVC_Docs', 'SVC_Content'] },
    b: { classes: ['SVC_Content', 'SVC_Media'] },
    both: { classes: ['SVC_Content'] },
  },
  { a: { classes: ['SVC_Docs'] }, b: { classes: ['SVC_Media'] }, both: { classes: [] } },
  { a: { types: ['page'] }, b: {}, both: { types: ['page'] } },
  { a: { per_minute: 5 }, b: { per_minute: 50 }, both: { per_minute: 5 } },
  {
    a: { addresses: ['10.0.0.0/8', '::1'] },
    b: { addresses: ['10.1.0.0/16', '192.0.2.1'] },
    both: { addresses: ['10.1.0.0/16'] },
  },
  { a: { addresses: ['10.1.2.3'] }, b: { addresses: ['10.0.0.0/8', '10.1.0.0/16'] }, both: { addresses: ['10.1.2.3'] } },
  { a: { addresses: ['10.0.0.0/8'] }, b: { addresses: ['192.0.2.0/24'] }, both: { addresses: [] } },
]
for (const { a, b, both } of rows) {
  test(`attack 138: ${JSON.stringify(a)} and ${JSON.stringify(b)} leave ${JSON.stringify(both)}, from either side`, () => {
    for (const found of [lowerLimits(a, b), lowerLimits(b, a)]) {
      assert.deepEqual(found, both)
      for (const one of [a, b]) holdTighter(one, found, 'This token')
    }
  })
}
