// A look at a proposal tries its calls. One that asks only for what is stored runs none of them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { action } from '../../src/actions/call/action.ts'
import { proposals } from '../../src/actions/proposals/index.ts'
import { openBareSite, tokenOf } from './bare-site.ts'
import { declared } from './made-up.ts'

test('the stored fields of a proposal are answered without a trial of its calls, and the others with one', async () => {
  let tries = 0
  const put = action('Test.put-counted', {
    ...declared,
    tier: 'content',
    effect: 'write',
    input: Type.Object({}, { additionalProperties: false }),
    async run({ change }) {
      tries++
      await change.insert('setting', { key: 'a', value: '1' })
      return { done: [] } as never
    },
  })
  await using site = await openBareSite([put, ...Object.values(proposals)])
  const admin = tokenOf('admin')
  const calls = [{ action: 'Test.put-counted', arguments: {} }]
  const { item } = await site.ok('SVC_Proposals.create', { title: 'A note', calls })
  tries = 0
  const look = async (select?: readonly string[]) =>
    (await site.ok('SVC_Proposals.get', { id: item.id, ...(select && { select }) }, admin)).item
  assert.deepEqual(await look(['calls', 'title', 'state']), { calls, title: 'A note', state: 'waiting' })
  assert.equal(tries, 0)
  assert.deepEqual((await look(['calls', 'problem'])).problem, null)
  assert.equal(tries, 1)
  assert.equal(typeof (await look()).digest, 'string')
  assert.equal(tries, 2)
  const failure = await site.fails('SVC_Proposals.get', { id: item.id, select: ['calls', 'cals'] }, admin)
  for (const member of ['digest', 'problem']) assert.ok(String(failure.expected).includes(member), String(failure.expected))
})
