// A plugin's settings: what is taken, what is refused, and that secrets stay apart.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../src/base/failure.ts'
import { readPluginManifest } from '../../src/plugins/manifest.ts'
import { filledSettings, mergeSettings, shownSetting } from '../../src/plugins/plugin-settings.ts'

const manifest = readPluginManifest(
  JSON.stringify({
    id: 'shop',
    name: 'Shop',
    version: '1.0.0',
    main: 'index.js',
    settings: {
      greeting: { kind: 'text', label: 'Greeting', default: 'Hello' },
      limit: { kind: 'number', label: 'Limit' },
      open: { kind: 'boolean', label: 'Open', default: false },
      size: { kind: 'choice', label: 'Size', options: ['s', 'm'], default: 's' },
      key: { kind: 'secret', label: 'Key' },
    },
  }),
)

const merged = (given: Record<string, unknown>) => mergeSettings(manifest, undefined, given)

test('defaults are filled in, and what has neither value nor default is left out', () => {
  assert.deepEqual(filledSettings(manifest, undefined), { greeting: 'Hello', open: false, size: 's' })
})

test('a secret is kept apart from the other settings, and its process is given both', () => {
  const stored = merged({ key: 'k-1', limit: 3 })
  assert.deepEqual(stored, { settings: '{"limit":3}', secrets: '{"key":"k-1"}' })
  assert.deepEqual(filledSettings(manifest, stored), { greeting: 'Hello', limit: 3, open: false, size: 's', key: 'k-1' })
})

test('null takes a value away; what is not named stays', () => {
  const stored = mergeSettings(manifest, merged({ key: 'k-1', limit: 3, greeting: 'Hi' }), { greeting: null, key: null })
  assert.deepEqual(stored, { settings: '{"limit":3}', secrets: '{}' })
})

test('of a secret only whether it is set is shown', () => {
  const secret = { kind: 'secret', label: 'Key' } as const
  assert.equal(shownSetting(secret, 'k-1'), true)
  assert.equal(shownSetting(secret, ''), false)
  assert.equal(shownSetting(secret, undefined), false)
  assert.equal(shownSetting({ kind: 'text', label: 'Name' }, 'x'), 'x')
})

test('a stored value that no longer fits the manifest gives way to the default', () => {
  assert.equal(filledSettings(manifest, { settings: '{"size":"xxl","gone":1}', secrets: '{}' })['size'], 's')
})

const refusals: readonly { rule: string; given: Record<string, unknown>; field: string; expected: string }[] = [
  {
    rule: 'a number is no text',
    given: { greeting: 3 },
    field: 'settings.greeting',
    expected: 'a text of at most 10000 characters',
  },
  { rule: 'a text is no number', given: { limit: '3' }, field: 'settings.limit', expected: 'a number' },
  { rule: '"yes" is not true', given: { open: 'yes' }, field: 'settings.open', expected: 'true or false' },
  { rule: 'a choice is one of its options', given: { size: 'l' }, field: 'settings.size', expected: 'one of "s", "m"' },
  {
    rule: 'an unknown setting is named',
    given: { colour: 'red' },
    field: 'settings.colour',
    expected: 'one of greeting, limit, open, size, key',
  },
  {
    rule: 'a name of every object’s is no setting',
    given: { constructor: 'x' },
    field: 'settings.constructor',
    expected: 'one of greeting, limit, open, size, key',
  },
]
for (const { rule, given, field, expected } of refusals) {
  test(`refused: ${rule}`, () => {
    assert.throws(
      () => merged(given),
      (error) =>
        error instanceof Failure &&
        error.code === 'invalid' &&
        error.detail.field === field &&
        error.detail.expected === expected,
    )
  })
}

test('what was given for a secret is not repeated when it is refused', () => {
  assert.throws(
    () => merged({ key: ['hush-hush'] }),
    (error) => error instanceof Failure && !JSON.stringify(error).includes('hush'),
  )
})
