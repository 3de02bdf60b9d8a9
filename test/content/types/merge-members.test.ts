// Two versions of a JSON object become one, unless both changed the same member.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeMembers } from '../../../src/content/types/merge-members.ts'

const rows: readonly (readonly [rule: string, base: object, live: object, staged: object, merged: object | undefined])[] = [
  ['members of one side each', { a: 1 }, { a: 2 }, { a: 1, b: 3 }, { a: 2, b: 3 }],
  ['the same member alike', { a: 1 }, { a: 2 }, { a: 2 }, { a: 2 }],
  ['the same member otherwise', { a: 1 }, { a: 2 }, { a: 3 }, undefined],
  ['a member that one side removed', { a: 1, b: 1 }, { b: 1 }, { a: 1, b: 2 }, { b: 2 }],
  ['a member that one side removed and the other changed', { a: 1 }, {}, { a: 2 }, undefined],
  ['a member that both added otherwise', {}, { a: [1] }, { a: [2] }, undefined],
]
for (const [rule, base, live, staged, merged] of rows)
  test(`merging two versions of an object: ${rule}`, () => {
    const found = mergeMembers(JSON.stringify(base), JSON.stringify(live), JSON.stringify(staged))
    assert.deepEqual(found === undefined ? undefined : JSON.parse(found), merged)
  })

test('texts that are no objects are not merged by members', () => {
  for (const text of ['[1]', 'null', '3', 'no json', null, 7]) assert.equal(mergeMembers(text, '{}', '{}'), undefined)
})
