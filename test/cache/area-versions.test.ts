// The areas that changes raised, with which kept values are compared.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAreaVersions, everyArea } from '../../src/cache/area-versions.ts'

test('a value is concerned by what was raised since it was computed, and by nothing earlier', () => {
  const versions = createAreaVersions()
  const [mine, all, none] = [versions.note(), versions.note(), versions.note()]
  mine.add('mine')
  all.add(everyArea)
  versions.raise(['mine'])
  const since = versions.generation
  assert.equal(mine.isRaised(since), false)
  versions.raise(['other'])
  assert.equal(mine.isRaised(since), false)
  assert.equal(all.isRaised(since), true)
  versions.raise(['mine'])
  assert.equal(mine.isRaised(since), true)
  assert.equal(none.isRaised(since), false)
  versions.raise('everything')
  assert.equal(none.isRaised(since), true)
  assert.equal(none.isRaised(versions.generation), false)
})

test('everything counts as raised for a value that notes it late', () => {
  const versions = createAreaVersions()
  const notes = versions.note()
  versions.raise(['other'])
  notes.add(everyArea)
  assert.equal(notes.isRaised(0), true)
})

test('an area is known for as long as a value notes it, however many are raised', () => {
  const versions = createAreaVersions()
  const before = versions.size
  const [one, other] = [versions.note(), versions.note()]
  for (const notes of [one, other]) notes.add('mine')
  for (let times = 0; times < 1000; times += 1) versions.raise([`area ${times}`, `other ${times}`])
  assert.equal(versions.size, before + 1)
  one.release()
  one.release()
  versions.raise(['mine'])
  assert.equal(other.isRaised(1000), true)
  other.release()
  assert.equal(versions.size, before)
  other.add('late')
  assert.equal(versions.size, before)
})

test('a value that is made from another one knows what was raised while only the other noted it', () => {
  const versions = createAreaVersions()
  const [whole, part] = [versions.note(), versions.note()]
  part.add('mine')
  versions.raise(['mine'])
  part.release()
  whole.addAll(part)
  assert.equal(whole.isRaised(0), true)
  assert.equal(whole.isRaised(1), false)
  versions.raise(['mine'])
  assert.equal(whole.isRaised(1), true)
})
