// Ids: their form, their order, and that they are never the same.
// Runs in a process of its own: the times of its ids are far ahead, and later ids of a process are never lower.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../src/store/core/ids.ts'

test('an id is 26 lower-case Crockford characters that begin with the time', () => {
  const id = newId(1_469_918_176_385)
  assert.match(id, /^[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  assert.equal(id.slice(0, 10), '01aryz6s41')
  assert.ok(newId(2 ** 48 - 2).startsWith('7zzzzzzzz'))
})

test('ids rise strictly, within a millisecond and when the clock goes back', () => {
  const times = [5, 5, 5, 4, 0, 6, 6, 1].map((offset) => 2 ** 48 - 1000 + offset)
  const ids = Array.from({ length: 20_000 }, (_, i) => newId(times[i % times.length] ?? 0))
  assert.deepEqual(ids, [...new Set(ids)].sort())
})

test('a time that is no whole number of milliseconds is refused', () => {
  for (const time of [-1, 0.5, Number.NaN, 2 ** 48]) assert.throws(() => newId(time), RangeError)
})
