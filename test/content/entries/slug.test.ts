// Slugs: what a title becomes, what may be given, what the service keeps for itself.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codePoint, fc } from '../../properties.ts'
import { Failure } from '../../../src/base/failure.ts'
import { isReservedSlug } from '../../../src/content/entries/reserved-slugs.ts'
import { checkSlug, isSlug, maxSlugChars, numbered, slugify } from '../../../src/content/entries/slug.ts'

const rows = [
  ['Hello, World!', 'hello-world'],
  ["What's new?", 'whats-new'],
  ['Über Straßen & Plätze', 'uber-strassen-and-platze'],
  ['Ærø – Łódź', 'aero-lodz'],
  ['Ｆｕｌｌ　ｗｉｄｔｈ', 'full-width'],
  ['日本語 タイトル', '日本語-タイトル'],
  ['Русский текст', 'русский-текст'],
  ['हिन्दी', 'हिन्दी'],
  ['  --  ', ''],
  ['😀', ''],
  ['a\u200bb', 'ab'],
] as const

for (const [title, slug] of rows) {
  test(`the title ${JSON.stringify(title)} makes the slug ${JSON.stringify(slug)}`, () => assert.equal(slugify(title), slug))
}

test('whatever a title is, its slug is one, or nothing', () =>
  fc.assert(
    fc.property(fc.string({ unit: codePoint, maxLength: 400 }), (title) => {
      const slug = slugify(title)
      assert(slug === '' || isSlug(slug), JSON.stringify([title, slug]))
      assert.equal(slugify(slug), slug)
    }),
    { numRuns: 2000, examples: [['Ǽ'], ['ǿ & ǣ']] },
  ))

test('a numbered slug is one, within the length', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 2, max: 9999 }), (title, number) => {
      const slug = slugify(title) || 'page'
      assert(isSlug(numbered(slug, number)))
    }),
  ))

for (const slug of [
  '',
  '-a',
  'a-',
  '_',
  'A',
  'a b',
  'a/b',
  'a.b',
  'é\u0301\u200d',
  'ﬁ',
  '\u0301a',
  'x'.repeat(maxSlugChars + 1),
  'a\ufe0f',
]) {
  test(`${JSON.stringify(slug.slice(0, 20))} is no slug`, () => assert.equal(isSlug(slug), false))
}

test('attack 99: a reserved name is reserved in any case, after NFKC, and within a path', () => {
  for (const slug of [
    'mcp',
    'MCP',
    'mCp',
    'ｍｃｐ',
    'ＭＣＰ',
    '.Well-Known',
    'oauth/x',
    'x/oauth',
    'a/../b',
    'a\\..\\b',
    'Robots.TXT',
    'ⓜcp',
  ]) {
    assert.equal(isReservedSlug(slug), true, slug)
  }
  for (const slug of ['mcps', 'admin-2', 'administration', 'a/b']) assert.equal(isReservedSlug(slug), false, slug)
})

test('attack 99: whatever passes as a slug at the top is not the name of a route', () =>
  fc.assert(
    fc.property(
      fc.constantFrom('mcp', 'api', 'admin', 'oauth'),
      fc.string({ unit: codePoint, maxLength: 3 }),
      fc.nat(5),
      (name, noise, place) => {
        const slug = name.slice(0, place) + noise + name.slice(place)
        try {
          checkSlug(slug, { top: true, guarded: true })
        } catch (error) {
          assert(error instanceof Failure)
          return
        }
        assert.equal(isReservedSlug(slug), false)
      },
    ),
  ))
