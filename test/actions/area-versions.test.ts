// The areas that changes raised, with which kept values are compared.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAreaVersions, everyArea } from '../../src/actions/area-versions.ts'

test('a value is concerned by what was raised since it was computed, and by nothing earlier', () => {
  const versions = createAreaVersions()
  versions.raise(['mine'])
  const since = versions.generation
  assert.equal(versions.isRaised(['mine'], since), false)
  versions.raise(['other'])
  assert.equal(versions.isRaised(['mine'], since), false)
  assert.equal(versions.isRaised([everyArea], since), true)
  versions.raise(['mine'])
  assert.equal(versions.isRaised(['mine'], since), true)
  versions.raise('everything')
  assert.equal(versions.isRaised(['none'], since), true)
  assert.equal(versions.isRaised(['none'], versions.generation), false)
})

test('after a storm of changes the areas that are forgotten count as raised, and later ones do not', () => {
  const versions = createAreaVersions()
  const since = versions.generation
  for (let times = 0; times < 400; times += 1) versions.raise(Array.from({ length: 150 }, (_area, at) => `${times} ${at}`))
  assert.equal(versions.isRaised(['mine'], since), true)
  assert.equal(versions.isRaised(['0 0'], since), true)
  const later = versions.generation
  versions.raise(['other'])
  assert.equal(versions.isRaised(['mine'], later), false)
  assert.equal(versions.isRaised(['399 0'], later), false)
})
