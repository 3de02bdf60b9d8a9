// `select`: the fields that a caller wants, dots reaching inside; what isn't there is told, never dropped.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { project } from '../../src/actions/call/select.ts'
import { Failure } from '../../src/base/failure.ts'

const pick = (data: unknown, ...fields: string[]): unknown =>
  JSON.parse(JSON.stringify(project(data as Readonly<Record<string, unknown>>, fields)))

const entry = { id: 'a', title: 'A', seo: { title: 'T', image: { url: '/x' } }, cover: null, terms: [{ slug: 'news', id: 1 }] }

for (const [fields, picked] of [
  [['id'], { id: 'a' }],
  [['seo.title'], { seo: { title: 'T' } }],
  [['seo.title', 'seo.image.url'], { seo: { title: 'T', image: { url: '/x' } } }],
  [['seo', 'seo.title'], { seo: entry.seo }],
  [['seo.title', 'seo'], { seo: entry.seo }],
  [['cover.url', 'cover.alt'], { cover: null }],
  [['terms.slug'], { terms: [{ slug: 'news' }] }],
  [['terms.slug', 'terms.id'], { terms: [{ slug: 'news', id: 1 }] }],
  [['terms', 'terms.slug'], { terms: entry.terms }],
] as const) {
  test(`${fields.join(' and ')} of a thing, of an item and of each of a list`, () => {
    const before = JSON.stringify(entry)
    assert.deepEqual(pick(entry, ...fields), picked)
    assert.deepEqual(pick({ item: entry, changed: [] }, ...fields), { item: picked, changed: [] })
    assert.deepEqual(pick({ items: [entry], next_cursor: null }, ...fields), { items: [picked], next_cursor: null })
    assert.equal(JSON.stringify(entry), before)
  })
}

for (const field of [
  'tilte',
  'seo.titel',
  'title.x',
  'title.length',
  'terms.0',
  'terms.length',
  '__proto__',
  'constructor',
  'seo.__proto__.x',
  'x'.repeat(1e6),
]) {
  test(`${field.slice(0, 20)} is no field, and told in short`, () => {
    assert.throws(
      () => pick(entry, field),
      (error: unknown) => error instanceof Failure && error.code === 'invalid' && JSON.stringify(error).length < 500,
    )
  })
}

test('attack 79: a member of an answer that is named __proto__ is picked as any other, and no prototype changes', () => {
  const data = JSON.parse('{"fields": {"__proto__": {"polluted": 1}}}') as Record<string, unknown>
  assert.equal(JSON.stringify(project(data, ['fields.__proto__.polluted'])), '{"fields":{"__proto__":{"polluted":1}}}')
  assert.equal(({} as { polluted?: number }).polluted, undefined)
})
