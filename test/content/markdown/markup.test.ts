// Warnings of a text that was written.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyShrank, imagesWithoutAlt, mayLoseMarkup } from '../../../src/content/markdown/markup.ts'
import { processorMs } from '../../processor-time.ts'

const rows: readonly (readonly [string, readonly string[]])[] = [
  ['![](cat.jpg)', ['cat.jpg']],
  ['![ ](<cat.jpg>) ![a](b)', ['cat.jpg']],
  ['![][cat]', ['cat']],
  ['<img src="a.png">', ['a.png']],
  ['<img alt="" src="a.png">', []],
  ['<IMG SRC=a.png\nALT=x>', []],
  ['`![](cat.jpg)`', []],
  ['```\n![](cat.jpg)\n```\n![](dog.jpg)', ['dog.jpg']],
  ['text', []],
]
for (const [body, names] of rows)
  test(`images without a description in ${JSON.stringify(body)}: ${names.length}`, () =>
    assert.deepEqual(imagesWithoutAlt(body), names))

test('attack 125: texts made to be slow are looked through at once', () => {
  const long = 1024 ** 2
  for (const part of ['<img ', '![', '`', '``a', '![ ', '<img a', '[](', '```\n', '<img\t\t\talt ']) {
    const body = `![]${part.repeat(Math.floor(long / part.length))}`
    const work = processorMs(() => void imagesWithoutAlt(body))
    assert.ok(work < 1500, `${part} took ${work} ms`)
  }
  const work = processorMs(() => void imagesWithoutAlt(`![]${'`'.repeat(5000)}${'a'.repeat(long)}`))
  assert.ok(work < 1500, `${work} ms`)
})

test('a body shrank when less than half is left and more than 500 characters are gone', () => {
  const shrank = (before: number, after: number) => bodyShrank('x'.repeat(before), 'x'.repeat(after)).length
  assert.deepEqual([shrank(2000, 999), shrank(2000, 1000), shrank(900, 100), shrank(500, 0), shrank(501, 0)], [1, 0, 1, 0, 1])
})

test('a short text with neither markup nor doubtful addresses needs no rendering to know that it loses nothing', () => {
  const plain = ['plain *text*', '[a](https://example.org/b?c=d#e)', '![a](/media/b.png)', '[a](#prices)', '[a](/) [b](/c)']
  assert.deepEqual(
    plain.filter((text) => mayLoseMarkup(text, true)),
    [],
  )
  const doubtful = ['<b>', '[a](b)', '[a]: b', 'x'.repeat(3000), '[a](//b.example)', '[a](javascript:b)', '[a](/b) [c](d:e)']
  const more = [
    '[a]( https://b.example)',
    '[a](https://b.example "t")',
    '[a](/\\\\b.example)',
    '[a](/&#47;b)',
    '[a](ftp://b)',
    '[a]()',
  ]
  assert.deepEqual(
    [...doubtful, ...more].filter((text) => !mayLoseMarkup(text, false)),
    [],
  )
})
