// The keys of other systems in front matter: the field that each means, and which of two ways to say the same counts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../../src/base/failure.ts'
import { toOwnKeys } from '../../../src/content/entries/foreign-keys.ts'

const meanings: readonly (readonly [Record<string, unknown>, Record<string, unknown>])[] = [
  [{ date: '2019-05-01' }, { published_at: '2019-05-01' }],
  [{ lastmod: '2020-01-01' }, {}],
  [{ draft: true }, { status: 'draft' }],
  [{ draft: false }, {}],
  [{ description: 'For search.' }, { seo: { description: 'For search.' } }],
  [{ description: 'For search.', seo: { title: 'T' } }, { seo: { title: 'T', description: 'For search.' } }],
  [{ summary: 'Short.' }, { excerpt: 'Short.' }],
  [{ categories: ['News'], tags: ['boats', 2024] }, { terms: ['category/News', 'tag/boats', 'tag/2024'] }],
  [{ tags: 'boats, sails' }, { terms: ['tag/boats', 'tag/sails'] }],
  [{ weight: 3 }, { position: 3 }],
  [{ image: '/media/a.jpg' }, { cover: '/media/a.jpg' }],
  [
    { featured_image: '/media/a.jpg', title: 'T' },
    { title: 'T', cover: '/media/a.jpg' },
  ],
  [{ summary: null }, {}],
  [
    { layout: 'post', constructor: 1 },
    { layout: 'post', constructor: 1 },
  ],
]

for (const [given, fields] of meanings) {
  test(`${JSON.stringify(given)} means ${JSON.stringify(fields)}`, () => {
    assert.deepEqual(toOwnKeys(given), { fields, aliases: [], places: {}, warnings: [] })
  })
}

test('a key of Postern counts before a foreign one, and the first of two foreign ones', () => {
  const given = {
    date: '2019-05-01',
    published_at: '2020-01-01',
    seo: { description: 'Own.' },
    description: 'Foreign.',
    image: 'a',
    featured_image: 'b',
  }
  const { fields, warnings } = toOwnKeys(given)
  assert.deepEqual(fields, { published_at: '2020-01-01', seo: { description: 'Own.' }, cover: 'a' })
  assert.deepEqual(
    warnings.map(({ code, found }) => [code, found]),
    [['keys_passed_over', ['date', 'description', 'featured_image']]],
  )
  assert.deepEqual(toOwnKeys({ terms: ['tag/x'], tags: ['y'] }).fields, { terms: ['tag/x'] })
})

test('a field of the entry’s type keeps its name', () => {
  const own = new Set(['weight', 'summary'])
  assert.deepEqual(toOwnKeys({ weight: 3, summary: 'S', fields: { weight: 4, price: 1 } }, own).fields, {
    fields: { weight: 4, summary: 'S', price: 1 },
  })
})

test('old addresses and the own one are no fields', () => {
  const { fields, aliases, places } = toOwnKeys({ aliases: ['/a', 'b'], permalink: '/x/', slug: 'x' })
  assert.deepEqual([fields, aliases, places], [{}, ['/a', 'b'], { permalink: '/x/', slug: 'x' }])
})

const wrong: readonly (readonly [Record<string, unknown>, RegExp])[] = [
  [{ date: 2019 }, /`date` in the front matter must be a text/],
  [{ draft: 'yes' }, /`draft` .* true or false/],
  [{ tags: { a: 1 } }, /`tags` .* a list of names/],
  [{ weight: 'heavy' }, /`weight` .* a number/],
  [{ image: ['a'] }, /`image` .* a text/],
  [{ aliases: Array.from({ length: 101 }, (_, place) => `/a${place}`) }, /101 old addresses/],
]

for (const [given, sentence] of wrong) {
  test(`${JSON.stringify(given).slice(0, 40)} is refused in a sentence`, () => {
    assert.throws(
      () => toOwnKeys(given),
      (error) => error instanceof Failure && error.code === 'invalid' && sentence.test(error.message),
    )
  })
}
