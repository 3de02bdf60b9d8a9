// "15 minutes" as milliseconds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readInterval } from '../../../src/plugins/host/interval.ts'

test('an interval is a whole number and a unit', () => {
  const right = { '30 seconds': 30_000, '1 minute': 60_000, '15 minutes': 900_000, '6 hours': 21_600_000, '1 day': 86_400_000 }
  for (const [text, ms] of Object.entries(right)) assert.equal(readInterval(text), ms)
})

for (const text of ['', '15', 'minutes', '15minutes', '1.5 hours', '-1 day', '1 week', ' 1 day', 15, undefined]) {
  test(`${JSON.stringify(text)} is no interval, and the words say how to write one`, () => {
    assert.throws(() => readInterval(text), /is no interval\. Write "30 seconds"/)
  })
}

test('more often than each 30 seconds is refused', () => {
  assert.throws(() => readInterval('29 seconds'), /30 seconds is the least/)
})
