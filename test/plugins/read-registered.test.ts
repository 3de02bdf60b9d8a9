// What a plugin may register: its own names, bounded lists, schemas in the few words that plugins have (ATTACKS 114).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../src/base/failure.ts'
import { readPluginManifest } from '../../src/plugins/manifest.ts'
import { readRegistered } from '../../src/plugins/read-registered.ts'
import { toTypebox } from '../../src/plugins/plugin-schema.ts'
import { fits } from '../../src/actions/call/validate.ts'

const manifest = readPluginManifest(JSON.stringify({ id: 'useful', name: 'Useful', version: '1.0.0', main: 'index.js' }))
const empty = { type: 'object', properties: {} }
const action = {
  class: 'USEFUL_Words',
  action: 'count',
  summary: 'Counts.',
  tier: 'any',
  effect: 'read',
  input: empty,
  output: empty,
}
const registering = (more: object) => ({
  actions: [],
  filters: [],
  routes: [],
  events: [],
  jobs: [],
  hooks: 0,
  authenticates: false,
  ...more,
})
const withInput = (properties: object) => registering({ actions: [{ ...action, input: { type: 'object', properties } }] })
/** Within every bound of one member. */
const wordy = {
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`b${at}`, { type: 'string', description: 'x'.repeat(400) }]),
  ),
}
const nested = (depth: number): object => (depth === 0 ? { type: 'string' } : { type: 'array', items: nested(depth - 1) })

test('what is in order is kept as it is', () => {
  const told = registering({
    actions: [action],
    filters: ['entry.html'],
    routes: [
      { method: 'GET', path: '/files/:name' },
      { method: 'POST', path: '/all/*' },
      { method: 'GET', path: '/' },
    ],
    events: ['entry.published'],
    jobs: [{ everyMs: 30_000 }],
    hooks: 2,
  })
  assert.deepEqual(readRegistered(told, manifest), { ...told, actions: [{ ...action, examples: [] }] })
})

const refused: readonly { what: string; told: unknown; field: RegExp }[] = [
  {
    what: 'attack 114: a class of the core',
    told: registering({ actions: [{ ...action, class: 'SVC_Content' }] }),
    field: /class/,
  },
  {
    what: 'attack 114: a class of another plugin',
    told: registering({ actions: [{ ...action, class: 'OTHER_Words' }] }),
    field: /class/,
  },
  {
    what: 'attack 114: a class of a plugin whose id begins alike',
    told: registering({ actions: [{ ...action, class: 'USEFUL_MORE_Words' }] }),
    field: /class/,
  },
  {
    what: 'attack 114: a route out of its folder',
    told: registering({ routes: [{ method: 'GET', path: '/../admin' }] }),
    field: /path/,
  },
  {
    what: 'a route with an encoded way out',
    told: registering({ routes: [{ method: 'GET', path: '/%2e%2e/admin' }] }),
    field: /path/,
  },
  { what: 'a route without a slash', told: registering({ routes: [{ method: 'GET', path: 'hello' }] }), field: /path/ },
  { what: 'a method that is none', told: registering({ routes: [{ method: 'TRACE', path: '/' }] }), field: /method/ },
  { what: 'attack 114: to authenticate without the right', told: registering({ authenticates: true }), field: /authenticate/ },
  { what: 'one action twice', told: registering({ actions: [action, action] }), field: /actions/ },
  { what: 'a tier that is none', told: registering({ actions: [{ ...action, tier: 'owner' }] }), field: /tier/ },
  {
    what: 'an effect that undo or expect would have to know',
    told: registering({ actions: [{ ...action, effect: 'destroy' }] }),
    field: /effect/,
  },
  { what: 'a summary of two lines', told: registering({ actions: [{ ...action, summary: 'one\ntwo' }] }), field: /summary/ },
  { what: 'an event that is none', told: registering({ events: ['entry.exploded'] }), field: /events/ },
  { what: 'a job that never rests', told: registering({ jobs: [{ everyMs: 1000 }] }), field: /jobs/ },
  {
    what: 'more than a hundred of a kind',
    told: registering({ filters: Array.from({ length: 101 }, () => 'entry.html') }),
    field: /filters/,
  },
  { what: 'something else than lists', told: 'nonsense', field: /registers/ },
  {
    what: 'a pattern, which could compute for ever',
    told: withInput({ text: { type: 'string', pattern: '(a+)+$' } }),
    field: /pattern/,
  },
  { what: 'a reference', told: withInput({ text: { $ref: '#' } }), field: /type/ },
  { what: 'an input named like an option', told: withInput({ dry_run: { type: 'boolean' } }), field: /dry_run/ },
  {
    what: 'an input named __proto__',
    told: JSON.parse(
      '{"actions":[' + JSON.stringify(action).replace('"properties":{}', '"properties":{"__proto__":{"type":"string"}}') + ']}',
    ),
    field: /properties/,
  },
  { what: 'guards without end', told: registering({ hooks: 1e9 }), field: /beforeDispatch/ },
  {
    what: 'actions of many words',
    told: withInput(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`a${at}`, wordy]))),
    field: /actions/,
  },
  { what: 'schemas without end', told: withInput({ deep: nested(20) }), field: /items/ },
  {
    what: 'a required member that is none',
    told: registering({ actions: [{ ...action, input: { ...empty, required: ['text'] } }] }),
    field: /required/,
  },
]

for (const { what, told, field } of refused) {
  test(`refused: ${what}`, () => {
    assert.throws(
      () => readRegistered(told, manifest),
      (error) => error instanceof Failure && error.code === 'unprocessable' && field.test(String(error.detail.field)),
    )
  })
}

test('a declared schema takes what it says and nothing else', () => {
  const told = withInput({
    text: { type: 'string', maxLength: 5 },
    kind: { type: 'string', enum: ['a', 'b'] },
    list: { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: 2 },
  })
  const schema = toTypebox(readRegistered(told, manifest).actions[0]!.input)
  for (const good of [{}, { text: 'hello' }, { kind: 'a' }, { list: [1, 2] }]) assert.ok(fits(schema, good), JSON.stringify(good))
  for (const bad of [{ text: 'longer' }, { kind: 'c' }, { list: [0] }, { list: [1, 2, 3] }, { other: 1 }, []])
    assert.ok(!fits(schema, bad), JSON.stringify(bad))
})

const outputOf = (output: object) => {
  const [one] = readRegistered(registering({ actions: [{ ...action, output }] }), manifest).actions
  assert.ok(one)
  return toTypebox(one.output)
}
const count = { type: 'integer' }

for (const { what, output, fit, misfit } of [
  {
    what: 'without properties admits any object',
    output: { type: 'object' },
    fit: [{}, { 'any name': [1] }],
    misfit: [[], null],
  },
  {
    what: 'without properties and with additionalProperties: false is empty',
    output: { type: 'object', additionalProperties: false },
    fit: [{}],
    misfit: [{ a: 1 }],
  },
  {
    what: 'with properties is closed',
    output: { type: 'object', properties: { a: count } },
    fit: [{ a: 1 }],
    misfit: [{ b: 1 }],
  },
  {
    what: 'with additionalProperties: true is open beside its properties',
    output: { type: 'object', properties: { a: count }, additionalProperties: true },
    fit: [{ a: 1, b: 'x' }],
    misfit: [{ a: 'x' }],
  },
  {
    what: 'with a schema for others holds each of them to it',
    output: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: count },
    fit: [{ a: 'x', b: 1 }],
    misfit: [{ b: 'x' }],
  },
  {
    what: 'is open within another',
    output: { type: 'object', properties: { a: { type: 'array', items: { type: 'object' } } } },
    fit: [{ a: [{ b: 1 }] }],
    misfit: [{ a: [1] }],
  },
])
  test(`an output ${what}`, () => {
    const schema = outputOf(output)
    for (const value of fit) assert.ok(fits(schema, value), JSON.stringify(value))
    for (const value of misfit) assert.ok(!fits(schema, value), JSON.stringify(value))
  })

test('an input stays closed: it takes no additionalProperties, and without properties it takes nothing', () => {
  const told = (input: object) => registering({ actions: [{ ...action, input }] })
  assert.throws(() => readRegistered(told({ type: 'object', additionalProperties: true }), manifest), /additionalProperties/)
  const [one] = readRegistered(told({ type: 'object' }), manifest).actions
  assert.ok(one && !fits(toTypebox(one.input), { a: 1 }))
})
