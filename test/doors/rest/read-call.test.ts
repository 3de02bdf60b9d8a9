// How a body on /api/ names a call: three forms, and what is refused with which code.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { optionNames } from '../../../src/actions/call/options.ts'
import { Failure } from '../../../src/base/failure.ts'
import { createRegistry } from '../../../src/actions/call/registry.ts'
import { anonymous } from '../../../src/identity/caller.ts'
import { TextReading } from '../../../src/doors/shared/read-texts.ts'
import { readConfig } from '../../../src/base/config.ts'
import { readCall } from '../../../src/doors/rest/read-call.ts'

const reading = () =>
  new TextReading({ site: { config: readConfig({}), registry: createRegistry([]) }, caller: anonymous('api', '') })

const get = { name: 'SVC_Content.get', input: { id: '/about' } }

for (const [rule, body] of [
  ['class, action and arguments side by side', { class: 'SVC_Content', action: 'get', id: '/about' }],
  ['an action that names both', { action: 'SVC_Content.get', id: '/about' }],
  ['arguments by themselves', { class: 'SVC_Content', action: 'get', arguments: { id: '/about' } }],
  ['options beside arguments', { action: 'SVC_Content.get', arguments: { id: '/about' }, select: ['title'] }],
] as const) {
  test(`call: ${rule}`, () => {
    const { name, input } = readCall(body, reading())
    assert.deepEqual({ name, input: { ...input } }, get)
  })
}

test('options are read, and are no arguments', () => {
  const call = readCall({ action: 'X.y', select: 'a, b', dry_run: true, if_revision: 3, idempotency_key: 'k', z: 1 }, reading())
  assert.deepEqual(call.options, { select: ['a', 'b'], dryRun: true, ifRevision: 3, idempotencyKey: 'k' })
  assert.deepEqual(call.input, { z: 1 })
})

for (const option of optionNames) {
  test(`call: ${option} is an option, and held to be one`, () => {
    assert.throws(
      () => readCall({ action: 'X.y', [option]: {} }, reading()),
      (error) => error instanceof Failure && error.detail.field === option,
    )
  })
}

for (const [rule, body, code, field] of [
  ['no object', [], 'malformed', undefined],
  ['nothing at all', undefined, 'malformed', undefined],
  ['no action', { class: 'SVC_API' }, 'malformed', undefined],
  ['no class', { action: 'welcome' }, 'malformed', undefined],
  ['a class that is a number', { class: 1, action: 'welcome' }, 'malformed', undefined],
  ['a class that is null', { class: null, action: 'SVC_API.welcome' }, 'malformed', undefined],
  ['an action that is a list', { class: 'SVC_API', action: ['welcome'] }, 'malformed', undefined],
  ['an empty action', { class: 'SVC_API', action: '' }, 'malformed', undefined],
  ['a name that is too long to be one', { class: 'SVC_API', action: 'x'.repeat(201) }, 'malformed', undefined],
  ['both forms at once', { action: 'SVC_Content.get', id: '/a', arguments: { id: '/a' } }, 'invalid', 'id'],
  ['arguments that are a list', { action: 'SVC_Content.get', arguments: [] }, 'invalid', 'arguments'],
  ['arguments that are null', { action: 'SVC_Content.get', arguments: null }, 'invalid', 'arguments'],
  ['an option of the wrong kind', { action: 'SVC_Content.get', dry_run: 'yes' }, 'invalid', 'dry_run'],
] as const) {
  test(`call: ${rule} → ${code}`, () => {
    assert.throws(
      () => readCall(body, reading()),
      (error) => error instanceof Failure && error.code === code && error.detail.field === field,
    )
  })
}

test('attack 79: a member named __proto__ stays a member', () => {
  const { input } = readCall(JSON.parse('{"action":"X.y","__proto__":{"tier":"admin"}}'), reading())
  assert.ok(Object.hasOwn(input, '__proto__'))
  assert.equal(Object.getPrototypeOf(input), Object.prototype)
})
