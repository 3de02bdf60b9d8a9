// How often a plugin may fail, in one process and in several that count together.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStrikes } from '../../src/plugins/strikes.ts'
import { openTestFolder } from '../store/open-test-store.ts'

const error = (at: number) => ({ at, reason: 'exit', message: `It ended at ${at}.`, reference: String(at) })
const minute = 60_000

test('the third failure within ten minutes is one too many, for each plugin by itself', () => {
  const strikes = createStrikes()
  assert.deepEqual(
    [0, 1, 2].map((at) => strikes.add('a', error(at * minute))),
    [false, false, true],
  )
  assert.equal(strikes.add('b', error(3 * minute)), false)
  assert.equal(strikes.add('a', error(13 * minute)), false)
})

test('processes that share a folder count together, show the same failures, and forgive for each other', async () => {
  await using folder = await openTestFolder()
  const [one, two] = [createStrikes(folder.path), createStrikes(folder.path)]
  assert.deepEqual([one.add('a', error(1)), two.add('a', error(2)), one.add('a', error(3))], [false, false, true])
  assert.deepEqual(
    two.of('a').map(({ at }) => at),
    [3, 2, 1],
  )
  two.forgive('a')
  assert.equal(one.add('a', error(4)), false)
  assert.equal(one.of('a').length, 4)
})
