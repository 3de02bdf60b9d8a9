// Which version of a plugin is the newer one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNewer } from '../../src/plugins/version.ts'

/** Each is newer than the one before. */
const rising = ['0.9.0', '1.0.0-alpha', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0', '1.0.1', '1.2.0', '1.10.0', '2.0.0']

test('versions count by their numbers, and one with a suffix comes before the one without', () => {
  for (const [at, version] of rising.entries())
    for (const [other, than] of rising.entries()) assert.equal(isNewer(version, than), at > other, `${version} and ${than}`)
})

test('what was built differently is not newer', () => {
  assert.equal(isNewer('1.0.0+b', '1.0.0+a'), false)
})
