// The marks in a rendered text: what is new and what is gone, with the structure of the later text whole.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseFragment, serialize } from 'parse5'
import { markChanges } from '../../src/content/markdown/marked-html.ts'

const marks = (before: string, after: string): string =>
  (markChanges(before, after) ?? assert.fail('no answer in time')).replace(' id="first-change"', '')

const rows: Readonly<Record<string, readonly [before: string, after: string, marked: string]>> = {
  'a changed word': ['<p>Open at nine.</p>', '<p>Open at ten.</p>', '<p>Open at <del>nine.</del><ins>ten.</ins></p>'],
  'changed words in a row are one mark': ['<p>a b c d</p>', '<p>a x y d</p>', '<p>a <del>b c</del><ins>x y</ins> d</p>'],
  'a new paragraph': ['<p>a</p>', '<p>a</p>\n<p>b</p>', '<p>a</p>\n<p><ins>b</ins></p>'],
  'a paragraph that is gone': ['<p>a</p><p>b c</p><p>d</p>', '<p>a</p><p>d</p>', '<p>a</p><p><del>b c</del></p><p>d</p>'],
  'a row that is gone stays a row': [
    '<ul><li>a</li><li>b</li><li>c</li></ul>',
    '<ul><li>a</li><li>c</li></ul>',
    '<ul><li>a</li><li><del>b</del></li><li>c</li></ul>',
  ],
  'another picture': [
    '<p><img src="/media/a.jpg" alt="A"></p>',
    '<p><img src="/media/b.jpg" alt="A"></p>',
    '<p><del><img src="/media/a.jpg" alt="A"></del><ins><img src="/media/b.jpg" alt="A"></ins></p>',
  ],
  'a word that becomes bold': ['<p>a b</p>', '<p>a <strong>b</strong></p>', '<p>a <strong>b</strong></p>'],
  'an id of a heading stands once': [
    '<h2 id="h-a">A</h2><p>x</p>',
    '<h2 id="h-b">B</h2><p>x</p>',
    '<h2 id="h-b"><del>A</del><ins>B</ins></h2><p>x</p>',
  ],
  nothing: ['<p>a</p>', '<p>a</p>', '<p>a</p>'],
  'a greater-than sign in an attribute is no end': [
    '<p><a href="/a" title="x > y">a</a></p>',
    '<p><a href="/a" title="x > z">a</a></p>',
    '<p><a href="/a" title="x > z">a</a></p>',
  ],
}
for (const [what, [before, after, marked]] of Object.entries(rows))
  test(`marks: ${what}`, () => assert.equal(marks(before, after), marked))

test('the first mark has the id to which a link leads, and no other mark has it', () => {
  const marked = markChanges('<p>a b</p><p>c</p>', '<p>x b</p><p>d</p>') ?? ''
  assert.deepEqual(marked.match(/id="first-change"/g)?.length, 1)
  assert.ok(marked.startsWith('<p><del id="first-change">a</del>'))
})

const block = fc.record({
  tag: fc.constantFrom('p', 'li', 'h2', 'blockquote'),
  words: fc.array(fc.constantFrom('a', 'b', 'c', '<em>d</em>', '<br>', '<img src="/m.jpg">'), { maxLength: 5 }),
})
const text = fc
  .array(block, { maxLength: 5 })
  .map((blocks) => blocks.map(({ tag, words }) => `<${tag}>${words.join(' ')}</${tag}>`).join('\n'))

test('without what is gone and without the marks, the text is the later one; and it is well formed', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const marked = markChanges(before, after) ?? ''
      assert.equal(serialize(parseFragment(marked)), marked.replaceAll(/<br><\/br>/g, '<br>'))
      const words = (html: string) => html.replace(/<del[^]*?<\/del>/g, '').replace(/<[^>]*>|\s+/g, '')
      assert.equal(words(marked), words(after))
    }),
  )
})
