// Exact edits: what they make of a text, and what they say when they miss.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { fc } from '../../properties.ts'
import { applyEdits, type Edit, type SectionReplacer } from '../../../src/content/markdown/edits.ts'
import { openOutliner } from '../../outliner.ts'
import { Failure } from '../../../src/base/failure.ts'

const body = '# One\n\nalpha beta\n\n# Two\n\ngamma alpha\n'
const edited = (edit: Edit, text = body) => applyEdits({ title: 'Title', body: text, excerpt: '' }, [edit], replacer)

let replacer: SectionReplacer

before(async () => {
  const outliner = await openOutliner()
  replacer = { replaceSection: (...asked) => Promise.resolve(outliner.replaceSection(...asked)) }
})

const rows: readonly (readonly [rule: string, edit: Edit, text: string, after: string])[] = [
  ['one occurrence is replaced', { find: 'beta', replace: 'B' }, 'alpha beta', 'alpha B'],
  ['as many as expected are replaced', { find: 'a', replace: 'b', expect: 3 }, 'aaa', 'bbb'],
  ['what is put in is taken literally', { find: 'x', replace: '$& $1 \\n' }, 'axb', 'a$& $1 \\nb'],
  ['what is found is no pattern', { find: '.*', replace: '' }, 'a.*b', 'ab'],
  ['an appended text is a block of its own', { append: 'z' }, 'a', 'a\n\nz'],
  ['a line end that is there counts', { append: 'z' }, 'a\n', 'a\n\nz'],
  ['a blank line that is there suffices', { append: 'z' }, 'a\n\n', 'a\n\nz'],
  ['an empty text becomes what is appended', { append: 'z' }, '', 'z'],
  ['a prepended text stands above', { prepend: 'z' }, 'a', 'z\n\na'],
  ['a section is rewritten below its heading', { section: 'two', text: 'new' }, body, '# One\n\nalpha beta\n\n# Two\n\nnew\n'],
]
for (const [rule, edit, text, after] of rows) test(rule, async () => assert.equal((await edited(edit, text)).body, after))

test('edits reach title and excerpt', async () => {
  assert.equal((await edited({ find: 'Title', replace: 'T', field: 'title' })).title, 'T')
})

test('each edit is made on what the one before left', async () => {
  const edits = [{ prepend: 'x' }, { find: 'x', replace: 'y' }]
  assert.equal((await applyEdits({ title: '', body: 'a', excerpt: '' }, edits, replacer)).body, 'y\n\na')
})

async function failureOf(running: Promise<unknown>): Promise<Failure> {
  try {
    await running
  } catch (error) {
    assert(error instanceof Failure)
    return error
  }
  throw new Error('It passed.')
}

test('a miss tells how many there are, and the nearest line', async () => {
  const many = await failureOf(edited({ find: 'alpha', replace: '' }))
  assert.deepEqual([many.code, many.detail.found, many.detail.field], ['conflict', 2, 'edits.0.find'])
  const none = await failureOf(edited({ find: 'Gamma  alpha!', replace: '' }))
  assert.deepEqual([none.code, none.detail.found], ['conflict', 0])
  assert.match(none.detail.hint ?? '', /line 7: "gamma alpha"/)
  assert.doesNotMatch((await failureOf(edited({ find: 'zzz', replace: '' }))).detail.hint ?? '', /nearest/)
})

test('an unknown section is told with those there are', async () => {
  const failure = await failureOf(edited({ section: 'three', text: '' }))
  assert.deepEqual([failure.code, failure.detail.field, failure.detail.expected], ['invalid', 'edits.0.section', ['one', 'two']])
})

for (const edit of [
  {},
  { find: 'a' },
  { replace: 'a' },
  { section: 'one' },
  { append: 'a', prepend: 'b' },
  { append: 'a', field: 'title' },
  { find: 'a', replace: 'b', text: 'c' },
] as Edit[]) {
  test(`${JSON.stringify(edit)} is of no form`, async () => assert.equal((await failureOf(edited(edit))).code, 'invalid'))
}

test('a replacement that would fill the memory is refused before it is made', async () => {
  const edit = { find: 'a', replace: 'x'.repeat(1_000_000), expect: 1_000_000 }
  assert.equal((await failureOf(edited(edit, 'a'.repeat(1_000_000)))).code, 'too_large')
})

test('replacing and replacing back leaves a text as it was', () =>
  fc.assert(
    fc.asyncProperty(fc.string(), fc.string({ minLength: 1 }), fc.string(), async (before, mark, after) => {
      const text = `${before}\u0001${after}`
      const there = await edited({ find: '\u0001', replace: `\u0002${mark}\u0002` }, text.replaceAll('\u0002', ''))
      assert.equal(
        (await edited({ find: `\u0002${mark}\u0002`, replace: '\u0001' }, there.body)).body,
        text.replaceAll('\u0002', ''),
      )
    }),
  ))
