// One part of a body, and names that can't leave their header.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentDisposition } from '../../src/http/content-disposition.ts'
import { parseRange } from '../../src/http/range.ts'
import { codePoint, fc } from '../properties.ts'

for (const [header, range] of [
  [undefined, undefined],
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=2-', { start: 2, end: 9 }],
  ['bytes=2-99', { start: 2, end: 9 }],
  ['Bytes=-3', { start: 7, end: 9 }],
  ['bytes=-99', { start: 0, end: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-2', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,3-4', undefined],
  ['bytes=a-b', undefined],
  ['bytes=-1-2', undefined],
  ['lines=0-1', undefined],
  ['bytes=99999999999999999999-', undefined],
  [`bytes=${Array.from({ length: 1000 }, (_, at) => `${at}-${at}`).join(',')}`, undefined],
] as const) {
  test(`attack 108: of 10 bytes, ${JSON.stringify(header?.slice(0, 30))} is ${JSON.stringify(range) ?? 'the whole'}`, () =>
    assert.deepEqual(parseRange(header, 10), range))
}

test('no part of nothing can be had', () => {
  for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-1']) assert.equal(parseRange(header, 0), 'unsatisfiable')
})

for (const [name, header] of [
  ['report.pdf', 'attachment; filename="report.pdf"'],
  ['a"b\\c.txt', `attachment; filename="a_b_c.txt"; filename*=UTF-8''a%22b%5Cc.txt`],
  ['größe (1).png', `attachment; filename="gr__e (1).png"; filename*=UTF-8''gr%C3%B6%C3%9Fe%20%281%29.png`],
] as const) {
  test(`a file called ${name} is named ${header}`, () => assert.equal(contentDisposition('attachment', name), header))
}

test('a name stays within its header, whatever it is', () =>
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (name) =>
      assert.match(contentDisposition('inline', name), /^inline; filename="[ !#-[\]-~]*"(?:; filename\*=UTF-8''[\w.!~%-]*)?$/),
    ),
  ))
