// Failures that teach: which field, what would have been right, and never more than is worth reading.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TObject, Type } from 'typebox'
import { checkAgainst } from '../../src/actions/call/validate.ts'
import { Failure } from '../../src/base/failure.ts'
import { processorMs } from '../processor-time.ts'

const closed = (properties: Parameters<typeof Type.Object>[0]) => Type.Object(properties, { additionalProperties: false })

function failureOf(schema: TObject, input: unknown): Failure {
  try {
    checkAgainst(schema, input)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('It fits.')
}

function manyOf(name: string, count: number, value: unknown = 1): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, value]))
}

const schema = closed({
  id: Type.String({ minLength: 1, maxLength: 40 }),
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  least: Type.Optional(Type.Integer({ minimum: 1 })),
  tags: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 3 })),
  grid: Type.Optional(Type.Array(Type.Array(Type.Integer()))),
  kind: Type.Optional(Type.Enum(['page', 'post'])),
  seo: Type.Optional(Type.Union([closed({ title: Type.Optional(Type.String()) }), Type.Null()])),
  counts: Type.Optional(Type.Record(Type.String(), Type.Integer())),
  edits: Type.Optional(
    Type.Array(Type.Union([closed({ find: Type.String(), replace: Type.String() }), closed({ append: Type.String() })])),
  ),
})

for (const [input, message] of [
  [{}, '"id" is missing: it must be a text of 1 to 40 characters.'],
  [{ id: '' }, '"id" must be a text of 1 to 40 characters; it is "".'],
  [{ id: 2 ** 53 }, '"id" must be a text of 1 to 40 characters; it is 9007199254740992.'],
  [{ id: 'a', limit: -5 }, '"limit" must be a whole number from 0 to 100; it is -5.'],
  [{ id: 'a', limit: 1e9 }, '"limit" must be a whole number from 0 to 100; it is 1000000000.'],
  [{ id: 'a', limit: '5' }, '"limit" must be a whole number from 0 to 100; it is "5".'],
  [{ id: 'a', least: 0 }, '"least" must be a whole number of 1 or more; it is 0.'],
  [{ id: 'a', tags: [] }, '"tags" must be a list of 1 to 3 items; it is [].'],
  [{ id: 'a', tags: ['x', 3] }, '"tags.1" must be a text; it is 3.'],
  [{ id: 'a', grid: [[1], [2, 'x']] }, '"grid.1.1" must be a whole number; it is "x".'],
  [{ id: 'a', kind: 'pots' }, '"kind" must be one of "page", "post"; it is "pots". Did you mean "post"?'],
  [{ id: 'a', seo: 'x' }, '"seo" must be an object or null; it is "x".'],
  [{ id: 'a', seo: { title: 5 } }, '"seo.title" must be a text; it is 5.'],
  [{ id: 'a', seo: { titel: 'x' } }, 'There is no argument "seo.titel". Did you mean "title"?'],
  [{ id: 'a', counts: { 'a.b': 'x' } }, '"counts.a.b" must be a whole number; it is "x".'],
  [{ id: 'a', counts: { constructor: 'x' } }, '"counts.constructor" must be a whole number; it is "x".'],
  [{ id: 'a', edits: [{ find: 'x' }] }, '"edits.0.replace" is missing: it must be a text.'],
  [{ id: 'a', edits: [{ find: 'x', replce: 'y' }] }, 'There is no argument "edits.0.replce". Did you mean "replace"?'],
  [{ iid: 'a' }, 'There is no argument "iid". Did you mean "id"?'],
  [[], '"arguments" must be an object; it is [].'],
  [null, '"arguments" must be an object; it is null.'],
] as const) {
  test(`${JSON.stringify(input)} is told: ${message}`, () => assert.equal(failureOf(schema, input).message, message))
}

test('attack 79: __proto__, constructor, tier and caller are unknown fields, at any depth', () => {
  for (const name of ['__proto__', 'constructor', 'tier', 'caller', 'toString']) {
    const at = (input: string) => failureOf(schema, JSON.parse(input.replace('?', JSON.stringify(name)))).detail.field
    assert.equal(at('{"id": "a", ?: {"tier": "admin"}}'), name)
    assert.equal(at('{"id": "a", "seo": {?: {"tier": "admin"}}}'), `seo.${name}`)
  }
  assert.equal(({} as { tier?: string }).tier, undefined)
})

test('many unknown fields are told by the first', () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`unknown${at}`, 1]))
  assert.equal(failureOf(schema, { id: 'a', ...many }).detail.field, 'unknown0')
})

for (const [what, input, message] of [
  ['unknown members', { id: 'a', ...manyOf('unknown', 100_000) }, 'There is no argument "unknown0".'],
  ['unknown members within', { id: 'a', seo: manyOf('unknown', 100_000) }, 'There is no argument "seo.unknown0".'],
  ['unknown members beside a near one', { ...manyOf('unknown', 100_000), id: 5 }, 'There is no argument "unknown0".'],
  ['items', { id: 'a', tags: Array(100_000).fill(1) }, '"tags.0" must be a text; it is 1.'],
  [
    'wrong items',
    { id: 'a', edits: Array.from({ length: 100_000 }, () => ({ find: 1 })) },
    '"edits.0.replace" is missing: it must be a text.',
  ],
  [
    'members of a record',
    { id: 'a', counts: manyOf('unknown', 100_000, 'x') },
    '"counts.unknown0" must be a whole number; it is "x".',
  ],
] as const) {
  test(`attack 134: of 100,000 ${what} the first problem is named, and the rest is not looked at`, () => {
    assert.ok(messageOf(input).startsWith(message), messageOf(input))
    // Whatever is said of an object, its names are listed: told is how much more than that is done.
    const names = processorMs(() => listAllNames(input))
    const work = processorMs(() => messageOf(input))
    assert.ok(work < 5 * names + 50, `${work} ms, where listing the names takes ${names} ms`)
  })
}

const messageOf = (input: unknown): string => failureOf(schema, input).message

function listAllNames(value: unknown): void {
  if (value === null || typeof value !== 'object') return
  for (const name of Object.getOwnPropertyNames(value)) listAllNames((value as Record<string, unknown>)[name])
}

test('enormous names and values are told in short', () => {
  for (const input of [
    { id: 'a', ['x'.repeat(1e6)]: 1 },
    { id: 'x'.repeat(1e6) },
    { id: 'a', counts: { ['x'.repeat(1e6)]: 'x'.repeat(1e6) } },
    { id: 'a', ['\ud800'.repeat(1e5)]: 1 },
  ]) {
    assert.ok(JSON.stringify(failureOf(schema, input)).length < 2000)
  }
})
