// The words of a page, and the beginning of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codePoint, fc } from '../../properties.ts'
import { excerptOf, textOfHtml, summaryOfHtml } from '../../../src/content/markdown/plain-text.ts'
import { processorMs } from '../../processor-time.ts'

const rows: readonly (readonly [string, string, string])[] = [
  ['a line a block', '<h1>A</h1>\n<p>b\nc<br />d</p>\n<ul>\n<li>e</li>\n<li>f</li>\n</ul>\n', 'A\nb c\nd\ne\nf'],
  ['inline markup does not part words', '<p>a<em>b</em>c <code>d</code></p>', 'abc d'],
  [
    'cells are parted by tabs, rows by line ends',
    '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>',
    'a\tb\nc\td',
  ],
  ['code keeps its lines', '<p>a</p><pre><code>x\n  y\n</code></pre><p>b</p>', 'a\nx\n  y\nb'],
  ['a picture is its description', '<p>a <img src="/x.png" alt="a &quot;cat&quot;" /> b</p>', 'a a "cat" b'],
  ['entities are decoded once', '<p>&amp;lt; &lt;b&gt; &amp;amp;</p>', '&lt; <b> &amp;'],
]

for (const [rule, html, text] of rows) test(`plain text: ${rule}`, () => assert.equal(textOfHtml(html), text))

test('an excerpt ends at a word, with an ellipsis, within its length', () => {
  assert.equal(excerptOf('One two threefour', 11), 'One two…')
  assert.equal(excerptOf('One two', 12), 'One two')
  assert.equal(excerptOf('One\n\n two', 12), 'One two')
  assert.equal(excerptOf('Donaudampfschifffahrt', 8), 'Donauda…')
  assert.equal(excerptOf('One two, three four', 10), 'One two…')
})

test('the items of a list are told apart in an excerpt', () => {
  const summary = (html: string) => summaryOfHtml(html, 100)
  const list = '<ul>\n<li><strong>rye</strong></li>\n<li>oats!</li>\n<li><p>salt</p>\n</li>\n</ul>\n'
  assert.equal(summary(`<p>We take:</p>\n${list}<p>Daily.</p>`), 'We take: rye, oats! salt. Daily.')
  assert.equal(summary(`<p>We take:</p>\n${list}`), 'We take: rye, oats! salt')
})

test('an excerpt is well-formed and never longer than asked', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), fc.integer({ min: 1, max: 30 }), (text, maxChars) => {
      const excerpt = excerptOf(text, maxChars)
      assert.ok(excerpt.length <= maxChars && excerpt.isWellFormed())
    }),
  )
})

test('attack 125: plain text of hostile HTML takes no time', () => {
  for (const html of [
    '<'.repeat(200_000),
    '<p '.repeat(100_000),
    '<img '.repeat(100_000),
    '<img alt="'.repeat(50_000),
    '<pre '.repeat(100_000),
    '\n'.repeat(200_000),
    ' \n\t'.repeat(100_000),
    '</td> '.repeat(100_000),
    '<br />'.repeat(100_000),
    `<p>${' '.repeat(200_000)}x`,
  ]) {
    const work = processorMs(() => void textOfHtml(html))
    assert.ok(work < 3_000, `${JSON.stringify(html.slice(0, 12))} took ${work} ms`)
  }
})
