// The Markdown form of an entry: what goes in comes out, and what is no front matter is told or left alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../properties.ts'
import { formatFrontMatter, readFrontMatter } from '../../../src/content/entries/front-matter.ts'
import { Failure } from '../../../src/base/failure.ts'
import { processorMs } from '../../processor-time.ts'

test('fields and body come apart', () => {
  const file = [
    '---',
    'title: "A: b"',
    'date: 2026-11-21',
    'draft: true',
    'price: 9.5',
    'tags: [a, b]',
    'seo:',
    '  title: null',
    '---',
    '',
    'Body',
    '',
  ].join('\n')
  assert.deepEqual(readFrontMatter(file), {
    fields: {
      title: 'A: b',
      date: '2026-11-21',
      draft: true,
      price: 9.5,
      tags: ['a', 'b'],
      seo: { title: null },
    },
    body: 'Body\n',
  })
  assert.deepEqual(readFrontMatter(`\ufeff${file.replaceAll('\n', '\r\n')}`).fields, readFrontMatter(file).fields)
})

for (const source of [
  '',
  'Body',
  '----\na: b\n----\n',
  'a\n---\nb: c\n---\n',
  '---\nno end',
  '---\nJust words\n---\n',
  '---\n- a\n---\n',
]) {
  test(`${JSON.stringify(source)} is all body`, () => assert.deepEqual(readFrontMatter(source), { fields: {}, body: source }))
}

const toml = ['+++', 'title = "A: b"', 'date = 2026-11-21', 'lastmod = 2026-11-21T08:30:00+02:00', 'draft = true', 'price = 9.5']
const json = '{"title": "A } b", "seo": {"title": "\\"{"}, "tags": ["a"]}'

test('TOML stands between two lines of +++, and its dates become texts', () => {
  const file = [...toml, '[seo]', 'title = "x"', '+++', '', 'Body', ''].join('\n')
  const fields = {
    title: 'A: b',
    date: '2026-11-21',
    lastmod: '2026-11-21T08:30:00.000+02:00',
    draft: true,
    price: 9.5,
    seo: { title: 'x' },
  }
  assert.deepEqual(readFrontMatter(file), { fields, body: 'Body\n' })
  assert.deepEqual(readFrontMatter(`\ufeff${file.replaceAll('\n', '\r\n')}`).fields, fields)
})

test('JSON is an object before the body', () => {
  const fields = { title: 'A } b', seo: { title: '"{' }, tags: ['a'] }
  assert.deepEqual(readFrontMatter(`${json}\n\nBody {`), { fields, body: 'Body {' })
  assert.deepEqual(readFrontMatter(JSON.stringify(fields, undefined, 2)), { fields, body: '' })
})

for (const source of ['{% raw %}\n', '{{ title }}\n', '{#id} is no object', '+ + +\n', '++++\n']) {
  test(`${JSON.stringify(source)} is all body`, () => assert.deepEqual(readFrontMatter(source), { fields: {}, body: source }))
}

const unusableFiles: readonly (readonly [string, string, RegExp])[] = [
  ['TOML without an end', `${toml.join('\n')}\nBody`, /`\+\+\+` and has no second one/],
  ['TOML that is YAML', '+++\ntitle: a\n+++\n', /doesn't parse: .* \(line 2 of the file\)/],
  ['TOML with infinity', '+++\na = inf\n+++\n', /JSON does not have/],
  ['TOML with a key twice', '+++\na = 1\na = 2\n+++\n', /doesn't parse/],
  ['TOML nested by brackets', `+++\na = ${'['.repeat(16_000)}\n+++\n`, /doesn't parse|too deeply/],
  ['TOML nested by dots', `+++\n${'a.'.repeat(8_000)}a = 1\n+++\n`, /too deeply/],
  ['TOML with tables without end', `+++\n${'[a]\n'.repeat(4_000)}+++\n`, /doesn't parse/],
  ['JSON without an end', '{"title": "a"\n\nBody', /without an end/],
  ['JSON that does not parse', '{"title": a}\nBody', /not valid JSON/],
  ['JSON nested by brackets', `{"a": ${'['.repeat(8_000)}${']'.repeat(8_000)}}\n`, /too deeply/],
  ['JSON of quotes without end', `{"${'\\"'.repeat(500_000)}`, /without an end/],
  ['JSON that is too long', `{"a": "${'x'.repeat(17_000)}"}\n`, /longer|without an end/],
]

for (const [what, file, sentence] of unusableFiles) {
  test(`${what} is refused in a sentence, at once`, () => {
    const work = processorMs(() =>
      assert.throws(
        () => readFrontMatter(file),
        (error) => error instanceof Failure && error.code === 'unprocessable' && sentence.test(error.message),
      ),
    )
    assert.ok(work < 1000, `${work} ms`)
  })
}

test('an empty front matter has no fields', () => {
  assert.deepEqual(readFrontMatter('---\n---\nBody'), { fields: {}, body: 'Body' })
})

const unusable: readonly (readonly [string, string, RegExp])[] = [
  ['a colon too many', 'a: b: c', /doesn't parse.*line 2 of the file/],
  ['a key twice', 'a: 1\na: 2', /doesn't parse/],
  ['an alias', 'a: &x 1\nb: *x', /alias/],
  ['an alias to itself', 'a: &x [*x]', /alias|doesn't parse/],
  ['a tag', 'a: !!js/function x', /doesn't parse/],
  ['infinity', 'a: .inf', /JSON/],
  ['a tab for indent', 'a:\n\tb: c', /doesn't parse/],
  ['brackets without end', `a: ${'['.repeat(16_000)}`, /is nested too deeply/],
  ['lists without end', `a:\n  ${'- '.repeat(8_000)}x`, /deep|doesn't parse/],
  ['keys without end', `${'? '.repeat(8_000)}x`, /deep|doesn't parse/],
  ['a key 8,000 times', `a: {${'b,'.repeat(8_000)}}`, /unique/],
  ['a tag 8,000 times', `a: ${'! '.repeat(8_000)}`, /at most one tag/],
  ['an anchor 5,000 times', `a: ${'&a '.repeat(5_000)}`, /at most one anchor/],
  ['commas without end', `a: [${','.repeat(16_000)}]`, /doesn't parse/],
  ['a key twice, with its line', 'a: 1\nb:\n  c: 1\n  c: 2', /unique \(line 5 of the file\)/],
  ['more than settings', `a: ${'x'.repeat(70_000)}`, /longer/],
]

for (const [what, yaml, sentence] of unusable) {
  test(`front matter with ${what} is refused in a sentence, at once`, () => {
    const work = processorMs(() =>
      assert.throws(
        () => readFrontMatter(`---\n${yaml}\n---\nBody`),
        (error) => error instanceof Failure && error.code === 'unprocessable' && sentence.test(error.message),
      ),
    )
    assert.ok(work < 3_000, `${work} ms`)
  })
}

test('front matter nested as deep as it fits neither breaks the parser nor takes long', () => {
  const stairs = Array.from({ length: 175 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')
  const wide = Array.from({ length: 44 }, (_, n) => `${' '.repeat(n * 14)}${'- '.repeat(7)}`).join('\n')
  const work = processorMs(() => {
    for (const yaml of [stairs, `a:\n${wide}`]) {
      try {
        readFrontMatter(`---\n${yaml}\n---\n`)
      } catch (error) {
        assert.ok(error instanceof Failure)
      }
    }
  })
  assert.ok(work < 3_000, `${work} ms`)
})

test('a field named __proto__ is a field', () => {
  const { fields } = readFrontMatter('---\n__proto__: {polluted: true}\nconstructor: 1\n---\n')
  assert.deepEqual(Object.keys(fields), ['__proto__', 'constructor'])
  assert.equal(({} as { polluted?: boolean }).polluted, undefined)
})

const leaf = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'grapheme-ascii' }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(
    '---',
    '2026-11-21',
    'null',
    '~',
    'yes',
    '0x1f',
    '01',
    '- a',
    '# a',
    'a: b',
    '*a',
    '&a',
    '!a',
    ' a ',
    'a\n\nb\n',
    '|',
    '\n',
    '\t',
    '...',
    '1e3',
    '.inf',
  ),
)
const field = fc.oneof(
  leaf,
  fc.array(leaf, { maxLength: 4 }),
  fc.dictionary(fc.string({ unit: 'grapheme-ascii', maxLength: 8 }), leaf, {
    maxKeys: 4,
    noNullPrototype: true,
  }),
)
const fieldsArbitrary = fc.dictionary(fc.string({ unit: 'grapheme-ascii', maxLength: 12 }), field, {
  maxKeys: 6,
  noNullPrototype: true,
})
const body = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', '\n', '\n\na', '---\na: b\n---\n', '\r\na', ' a'))

test('what was formatted parses to the same fields and the same body', () => {
  fc.assert(
    fc.property(fieldsArbitrary, body, (fields, words) => {
      assert.deepEqual(readFrontMatter(formatFrontMatter(fields, words)), { fields, body: words })
    }),
    { numRuns: 2_000 },
  )
})
