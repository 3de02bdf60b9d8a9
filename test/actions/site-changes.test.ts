// The latest changes of a site, with which kept values are compared.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReads } from '../../src/actions/reads.ts'
import { createSiteChanges } from '../../src/actions/site-changes.ts'
import type { ChangedRow } from '../../src/store/changed-rows.ts'

const row = (id: string): ChangedRow => ({ table: 'entry', before: { id }, after: { id } })

/** What reads one entry, and counts how often it was compared. */
function readsOf(wanted: string) {
  const reads = createReads()
  const compared = { times: 0 }
  reads.add({
    table: 'entry',
    columns: undefined,
    mayRead({ id }) {
      compared.times += 1
      return id === wanted
    },
  })
  return { reads, compared }
}

test('a value is concerned by the changes since it was computed, and by no earlier ones', () => {
  const changes = createSiteChanges()
  changes.add([row('mine')])
  const since = changes.generation
  const { reads } = readsOf('mine')
  assert.equal(changes.concern(reads, since), false)
  changes.add([row('other')])
  assert.equal(changes.concern(reads, since), false)
  changes.add([row('mine')])
  assert.equal(changes.concern(reads, since), true)
  changes.add('everything')
  assert.equal(changes.concern(readsOf('none').reads, since), true)
  assert.equal(changes.concern(readsOf('none').reads, changes.generation), false)
})

test('a value from before the whole list is computed anew', () => {
  const changes = createSiteChanges()
  const since = changes.generation
  for (let times = 0; times < 1100; times += 1) changes.add([])
  assert.equal(changes.concern(readsOf('mine').reads, since), true)
})

for (const [storm, commits, rows] of [
  ['of many large commits', 400, 150],
  ['told in one by another process', 1, 50_000],
] as const)
  test(`after a storm of changes, ${storm}, a request compares few rows`, () => {
    const changes = createSiteChanges()
    const since = changes.generation
    for (let times = 0; times < commits; times += 1)
      changes.add(Array.from({ length: rows }, (_row, at) => row(`${times} ${at}`)))
    const { reads, compared } = readsOf('mine')
    assert.equal(changes.concern(reads, since), true)
    changes.concern(reads, changes.generation - 1)
    assert.ok(compared.times <= 2500, `${compared.times} rows`)
    // A later value is compared as usual.
    const later = changes.generation
    changes.add([row('other')])
    assert.equal(changes.concern(reads, later), false)
  })
