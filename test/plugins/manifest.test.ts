// What `plugin.json` may say: every fault is told with its member and what was expected.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../src/base/failure.ts'
import { classPrefix, isPluginId, ownClass, readPluginManifest } from '../../src/plugins/manifest.ts'

const least = { id: 'useful', name: 'Useful things', version: '1.2.0', main: 'index.js' }
const parse = (changes: Readonly<Record<string, unknown>>) => readPluginManifest(JSON.stringify({ ...least, ...changes }))

test('what a manifest leaves out is filled in', () => {
  assert.deepEqual(parse({}), { ...least, description: '', may: [], settings: {} })
})

test('all that a manifest may hold comes back as it was', () => {
  const full = {
    ...least,
    description: 'Counts words — and more.',
    may: ['call:SVC_Content.get', 'reach:api.example.com', 'authenticate'],
    settings: {
      greeting: { kind: 'text', label: 'Greeting', help: 'Shown first.', default: 'Hello' },
      size: { kind: 'number', label: 'Size', default: 3 },
      loud: { kind: 'boolean', label: 'Loud', default: false },
      tone: { kind: 'choice', label: 'Tone', options: ['warm', 'cool'], default: 'cool' },
      api_key: { kind: 'secret', label: 'Key' },
    },
  }
  assert.deepEqual(parse(full), full)
  assert.deepEqual(parse({ may: ['authenticate', 'authenticate'] }).may, ['authenticate'])
})

/** The failure of a text, which must be `unprocessable`. */
function fault(run: () => unknown): Failure {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof Failure && error.code === 'unprocessable', String(error))
    assert.doesNotMatch(error.message, /\n/)
    return error
  }
  return assert.fail('it was taken')
}

const setting = (value: unknown) => ({ settings: { tone: value } })
const choice = { kind: 'choice', label: 'Tone', options: ['warm', 'cool'] }

const faults: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['id', { id: undefined }],
  ...[
    '../x', 'x', 'x'.repeat(33), 'Useful', 'a_b', '-a', 'a-', 'a--b', 'svc', 'svc-content', 'ü1', 'a/b', 'a.b', '.staging-1', 'ab\n', 7, null,
  ].map((id) => ['id', { id }] as const),
  ...['', 'x'.repeat(101), 'two\nlines', 'turn\u202Eed', 5].map((name) => ['name', { name }] as const),
  ...['', '1', '1.2', 'v1.2.0', '1.2.0 ', '1.2.0/..', '1.2.0\n', 1].map((version) => ['version', { version }] as const),
  ...[
    undefined, '', 'index', 'index.ts', 'index.cjs', '../index.js', 'a/../../index.js', '/index.js', 'C:index.js', 'a\\index.js', './index.js',
    'a//index.js', 'nul.js', 'a\0.js', 'a.js ', 'http://x/a.js',
  ].map((main) => ['main', { main }] as const),
  ['description', { description: 'x'.repeat(1001) }],
  ['description', { description: null }],
  ['may', { may: 'authenticate' }],
  ['may', { may: [1] }],
  ['may', { may: Array.from({ length: 101 }, () => 'authenticate') }],
  ['may.1', { may: ['authenticate', 'call:*'] }],
  ['may.0', { may: ['call:SVC_Tokens.create'] }],
  ['settings', { settings: [] }],
  ['settings.Tone', { settings: { Tone: choice } }],
  ['settings.tone', setting('text')],
  ['settings.tone', setting(null)],
  ['settings.tone.kind', setting({ label: 'Tone' })],
  ['settings.tone.kind', setting({ kind: 'toString', label: 'Tone' })],
  ['settings.tone.label', setting({ kind: 'text' })],
  ['settings.tone.label', setting({ kind: 'text', label: '' })],
  ['settings.tone.help', setting({ kind: 'text', label: 'Tone', help: 1 })],
  ['settings.tone.secret', setting({ kind: 'text', label: 'Tone', secret: true })],
  ['settings.tone.default', setting({ kind: 'text', label: 'Tone', default: 1 })],
  ['settings.tone.default', setting({ kind: 'number', label: 'Tone', default: '1' })],
  ['settings.tone.default', setting({ kind: 'boolean', label: 'Tone', default: 'true' })],
  ['settings.tone.default', setting({ kind: 'secret', label: 'Tone', default: 'x' })],
  ['settings.tone.default', setting({ ...choice, default: 'hot' })],
  ['settings.tone.options', setting({ ...choice, options: [] })],
  ['settings.tone.options', setting({ ...choice, options: ['a', 'a'] })],
  ['settings.tone.options', setting({ kind: 'choice', label: 'Tone' })],
  ['settings.tone.options', setting({ kind: 'text', label: 'Tone', options: ['a'] })],
  ['scripts', { scripts: {} }],
] // prettier-ignore

for (const [field, changes] of faults) {
  test(`a manifest is refused for its ${field}: ${JSON.stringify(changes).slice(0, 80)}`, () => {
    const { detail } = fault(() => parse(changes))
    assert.equal(detail.field, field)
    assert.ok(detail.expected !== undefined)
  })
}

for (const text of ['', '{', '[]', 'null', '"x"', `${JSON.stringify(least)} {}`]) {
  test(`${JSON.stringify(text.slice(0, 20))} is no manifest`, () => {
    assert.equal(fault(() => readPluginManifest(text)).detail.field, 'plugin.json')
  })
}

test('a member __proto__ is refused as any unknown one, and reaches no prototype', () => {
  const text = JSON.stringify(least).replace('{', '{"__proto__": {"description": "x"}, ')
  assert.equal(fault(() => readPluginManifest(text)).detail.field, '__proto__')
  const settings = JSON.stringify(least).replace('}', ', "settings": {"__proto__": {"kind": "text", "label": "x"}}}')
  assert.equal(fault(() => readPluginManifest(settings)).detail.field, 'settings.__proto__')
})

test('attack 115: an id that leaves the folder, or that is the core’s, is none', () => {
  assert.deepEqual(['../x', '..', 'a/b', 'svc', 'svc-x', 'con.', ''].filter(isPluginId), [])
  assert.deepEqual(
    ['ab', 'legacy-bridge', 'a1-2', 'svcs', 'x'.repeat(32)].filter((id) => !isPluginId(id)),
    [],
  )
})

test('attack 114: a class is of the plugin whose id it begins with, and of no other', () => {
  assert.equal(classPrefix('legacy-bridge'), 'LEGACY_BRIDGE_')
  const own = [
    ['useful', 'USEFUL_Words'],
    ['useful', 'USEFUL_API'],
    ['legacy-bridge', 'LEGACY_BRIDGE_Keys'],
  ] as const
  for (const [id, name] of own) assert.ok(ownClass(id, name), name)
  const foreign = [
    ['legacy', 'LEGACY_BRIDGE_Keys'],
    ['legacy-bridge', 'LEGACY_Keys'],
    ['useful', 'SVC_Content'],
    ['useful', 'USEFUL_'],
    ['useful', 'USEFUL'],
    ['useful', 'USEFUL_words'],
    ['useful', 'USEFUL_Two_Words'],
    ['useful', 'useful_Words'],
    ['useful', 'USEFUL_Words.x'],
    ['useful', `USEFUL_W${'x'.repeat(40)}`],
  ] as const
  for (const [id, name] of foreign) assert.ok(!ownClass(id, name), name)
})
