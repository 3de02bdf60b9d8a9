// What a write prepares outside the transaction must not outlive its failing.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { action } from '../../src/actions/call/action.ts'
import { Failure } from '../../src/base/failure.ts'
import { openBareSite } from './bare-site.ts'

test('a write that fails after it was prepared gives back what it had prepared; a dry run, and one that was done, does not', async () => {
  const given: string[] = []
  const fill = action('Test.fill', {
    title: 'Test',
    summary: 'For a test.',
    did: 'tested',
    tier: 'content',
    effect: 'write',
    touches: 'site',
    input: Type.Object({ fails: Type.Boolean() }, { additionalProperties: false }),
    output: Type.Object({}),
    examples: [],
    failures: [],
    prepare: async () => 'a file',
    abandon: async (_context, prepared) => void given.push(prepared),
    async run(_context, { fails }) {
      if (fails) throw new Failure('conflict', 'No.')
      return {}
    },
  })
  await using site = await openBareSite([fill])
  await site.ok('Test.fill', { fails: false })
  await site.ok('Test.fill', { fails: false, dry_run: true })
  assert.deepEqual(given, [])
  assert.equal((await site.fails('Test.fill', { fails: true })).code, 'conflict')
  assert.deepEqual(given, ['a file'])
})
