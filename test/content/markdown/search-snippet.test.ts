// Snippets of search results: the marks are where the words are, in the text as it is written, and no text makes them slow.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPhrases, type Mark, toMarks } from '../../../src/content/markdown/search-marks.ts'
import { maxSearchedChars, partForSnippet, snippetOf } from '../../../src/content/markdown/search-snippet.ts'
import { partsOfQuery, phrasesOfQuery } from '../../../src/store/search/search-text.ts'
import { assertLinear, hostileKinds, hostileText } from '../../hostile-text.ts'
import { processorMs } from '../../processor-time.ts'
import { codePoint, fc } from '../../properties.ts'

const phrasesOf = (query: string, typing = false) => phrasesOfQuery(partsOfQuery(query, 10), typing)
const bracketed = (text: string, marks: readonly Mark[]): string =>
  marks.toReversed().reduce((all, [start, end]) => `${all.slice(0, start)}[${all.slice(start, end)}]${all.slice(end)}`, text)

const rows: readonly (readonly [text: string, query: string, marked: string, typing?: boolean])[] = [
  ['The STRASSE and the Straße', 'straße', 'The [STRASSE] and the [Straße]'],
  ['Cafe\u0301 and Café', 'cafe', '[Cafe\u0301] and [Café]'],
  ['ﬁnal ＷＩＤＥ words', 'final wide', '[ﬁnal] [ＷＩＤＥ] words'],
  ['one two, two one', '"two one"', 'one two, [two one]'],
  ['one two three', '"two three" one', '[one] [two three]'],
  ['東京都の港', '京都', '東[京都]の港'],
  ['東京都の港', '港', '東京都の[港]'],
  ['JR東日本とJRA', 'JR 東日本', '[JR東日本]とJRA'],
  ['lighthouses and lights', 'light', 'lighthouses and lights'],
  ['lighthouses and lights', 'light', '[lighthouses] and [lights]', true],
  ['a 😀 smile 😀', 'smile', 'a 😀 [smile] 😀'],
]

for (const [text, query, expected, typing] of rows)
  test(`“${query}” is marked in “${text}”${typing ? ' while typing' : ''}`, () => {
    assert.equal(bracketed(text, toMarks(findPhrases(text, phrasesOf(query, typing)))), expected)
  })

test('a snippet shows the part of a text where most of the search is', () => {
  const text = `${'granite here. '.repeat(40)}The granite harbour lies ${'behind the hill '.repeat(40)}`
  const { text: snippet, marks } = snippetOf(text, phrasesOf('granite harbour'))
  assert.match(bracketed(snippet, marks), /^….*The \[granite\] \[harbour\] lies.*…$/)
  assert.ok(snippet.length < 260)
  assert.deepEqual(snippetOf('Nothing of that.', phrasesOf('granite')), { text: 'Nothing of that.', marks: [] })
})

test('the part of a body for a snippet begins with a block, and has the definitions of its links', () => {
  const body = `${'Before.\n\n'.repeat(200)}See [the *granite* cliffs][cliffs].\n\n${'After.\n\n'.repeat(200)}[cliffs]: /cliffs\n`
  const { markdown, cut } = partForSnippet(body, phrasesOf('granite'))
  assert.match(markdown, /^(?:Before\.\s+)*See \[the \*granite\* cliffs\]\[cliffs\]\./)
  assert.match(markdown, /\[cliffs\]: \/cliffs$/)
  assert.deepEqual([cut, markdown.length < 1000], [{ before: true, after: true }, true])
})

test('marks are in order, apart from each other and within the snippet, and cut no letter, whatever text and query are', () => {
  const anyText = fc.array(codePoint, { maxLength: 80 }).map((letters) => letters.join(''))
  fc.assert(
    fc.property(anyText, anyText, (text, query) => {
      const words = text.split(' ')
      const { text: snippet, marks } = snippetOf(`${text} `.repeat(8), phrasesOf(`${query} ${words[0]} ${words.at(-1)}`, true))
      let last = -1
      for (const [start, end] of marks) {
        assert.ok(start > last && end > start && end <= snippet.length)
        assert.ok(!/^[\udc00-\udfff]/.test(snippet.slice(start)) || !/[\ud800-\udbff]$/.test(snippet.slice(0, start)))
        last = end
      }
    }),
    { numRuns: 60 },
  )
})

test('attack 131: the snippet of a hostile text costs linear time', async () => {
  for (const kind of [...hostileKinds, 'a b ', '東', 'é\u0301 ', 'ß', '\n\n[a]:'])
    await assertLinear(`a snippet of ${kind}`, maxSearchedChars, async (length) => {
      const text = hostileText(kind, length)
      const phrases = phrasesOf('a "b a b a b a" x 東京 é')
      return processorMs(() => void [partForSnippet(text, phrases), snippetOf(text, phrases)])
    })
})

test('attack 131: a hostile query is taken apart in linear time', async () => {
  for (const kind of [...hostileKinds, '"', '" ', '“a', '東', '" "a'])
    await assertLinear(`a query of ${kind}`, 20_000, async (length) =>
      processorMs(() => void phrasesOf(hostileText(kind, length), true)),
    )
})
