// JSON out: any value becomes well-formed text, and equal values have one spelling.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codePoint, fc } from '../properties.ts'
import { canonical, JsonText, jsonText, sameJson } from '../../src/base/json.ts'

/** Texts with lone surrogates, backslashes and what looks like an escape. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: codePoint, maxLength: 6 }),
      fc.constantFrom('\ud800', '\udfff', '\\', '\\ud800', '\\\\', '"', '\u2028', '😀', '\\u'),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(text, tie('any'), { maxKeys: 4 }),
  ),
})).any

const mended = (part: unknown): unknown => {
  if (typeof part === 'string') return part.toWellFormed()
  if (Array.isArray(part)) return part.map(mended)
  if (part === null || typeof part !== 'object') return part
  return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key.toWellFormed(), mended(inner)]))
}

test('attack 14: any value becomes well-formed JSON in UTF-8 that reads as the value, lone surrogates as U+FFFD', () => {
  fc.assert(
    fc.property(value, (any) => {
      const written = jsonText(any)
      assert.ok(written.isWellFormed())
      assert.ok(!/(?<!\\)(?:\\\\)*\\ud[89a-f]/i.test(written), 'no escape stands for a lone surrogate')
      assert.equal(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(written)), written)
      assert.deepEqual(JSON.parse(written), mended(any))
    }),
    { numRuns: 2000 },
  )
})

test('the quoted form of a text is a JSON string of it', () => {
  fc.assert(fc.property(value, (any) => assert.equal(JSON.parse(new JsonText(jsonText(any)).quoted), jsonText(any))))
})

test('values that differ only in the order of their members have one spelling, and others do not', () => {
  const reversed = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(reversed)
    if (part === null || typeof part !== 'object') return part
    return Object.fromEntries(
      Object.entries(part)
        .toReversed()
        .map(([key, inner]) => [key, reversed(inner)]),
    )
  }
  fc.assert(fc.property(value, (any) => assert.equal(canonical(reversed(any)), canonical(any))))
  fc.assert(
    fc.property(value, value, (a, b) =>
      assert.equal(sameJson(a, b), JSON.stringify(canonical(a)) === JSON.stringify(canonical(b))),
    ),
  )
  assert.ok(!sameJson([1, 2], [2, 1]))
})
