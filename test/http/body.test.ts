// UTF-8, JSON and forms as bodies bring them; `TextDecoder` and `JSON` as oracles.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codePoint, fc } from '../properties.ts'
import { decodeUtf8, parseJsonText } from '../../src/http/body.ts'
import { processorMs } from '../processor-time.ts'

/** Bytes that are nearly UTF-8 more often than chance would have it. */
const nearlyUtf8 = fc.oneof(
  fc.uint8Array(),
  fc
    .array(fc.constantFrom(0x41, 0x7f, 0x80, 0xbf, 0xc2, 0xe0, 0xa0, 0x9f, 0xed, 0xf0, 0x90, 0x8f, 0xf4, 0xef, 0xbb))
    .map((list) => Uint8Array.from(list)),
  fc.tuple(fc.string({ unit: codePoint }), fc.nat(), fc.nat(255)).map(([text, at, byte]) => {
    const bytes = Buffer.from(text)
    if (bytes.length > 0) bytes[at % bytes.length] = byte
    return new Uint8Array(bytes)
  }),
)

test('replacing decodes as TextDecoder does', () =>
  fc.assert(
    fc.property(nearlyUtf8, (bytes) => assert.deepEqual(decodeUtf8(bytes, 'replace'), { text: new TextDecoder().decode(bytes) })),
    { numRuns: 2000 },
  ))

test('strict takes what TextDecoder takes, and names the first byte of what it does not', () =>
  fc.assert(
    fc.property(nearlyUtf8, (bytes) => {
      const decoded = decodeUtf8(bytes, 'strict')
      const fatal = (part: Uint8Array) => new TextDecoder('utf-8', { fatal: true }).decode(part)
      if ('text' in decoded) return assert.equal(decoded.text, fatal(bytes))
      assert.throws(() => fatal(bytes))
      assert.doesNotThrow(() => fatal(bytes.subarray(0, decoded.badByteAt)))
      for (let end = decoded.badByteAt + 1; end <= Math.min(bytes.length, decoded.badByteAt + 1); end++)
        assert.throws(() => fatal(bytes.subarray(0, end)))
    }),
    { numRuns: 2000 },
  ))

test('JSON is what JSON.parse makes of it', () =>
  fc.assert(fc.property(fc.json(), (text) => assert.deepEqual(parseJsonText(text, 100), { value: JSON.parse(text) as unknown }))))

test('what JSON.parse refuses has a place where it goes wrong', () =>
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 2 }), (json, at, junk) => {
      const text = json.slice(0, at % (json.length + 1)) + junk + json.slice((at % (json.length + 1)) + 1)
      const parsed = parseJsonText(text, 100)
      if ('value' in parsed) return assert.deepEqual(parsed.value, JSON.parse(text))
      assert.throws(() => JSON.parse(text))
      assert.ok(parsed.position >= 0 && parsed.position <= text.length, parsed.problem)
    }),
    { numRuns: 3000 },
  ))

for (const [text, position, problem] of [
  ['', 0, /empty/],
  ['{"a":1', 6, /ends before/],
  ['{"a":1,}', 7, /a name in double quotes was/],
  ['[1,]', 3, /a value was/],
  ['{a:1}', 1, /a name in double quotes or }/],
  ["{'a':1}", 1, /a name/],
  ['{"a" 1}', 5, /a colon/],
  ['[1 2]', 3, /a comma/],
  ['{} x', 3, /follows the end/],
  ['"a\nb"', 2, /control character/],
  ['"a\\x"', 2, /begins no escape/],
  ['"abc', 4, /ends before/],
  ['[1}', 2, /a comma/],
  ['01', 1, /follows the end/],
  ['nul', 0, /a value/],
] as const) {
  test(`the fault of ${JSON.stringify(text)} is at ${position}`, () => {
    const parsed = parseJsonText(text, 64)
    assert.ok('problem' in parsed)
    assert.equal(parsed.position, position)
    assert.match(parsed.problem, problem)
  })
}

test('attack 74: JSON 100,000 deep is refused at the level that is too many, fast', () => {
  const work = processorMs(() => {
    const parsed = parseJsonText('['.repeat(100_000), 64)
    assert.ok('problem' in parsed && parsed.position === 64)
  })
  assert.ok(work < 500, `${work} ms`)
})

test('brackets in strings are no levels', () => {
  const text = JSON.stringify({ a: '[{'.repeat(1000), b: '\\"[[[['.repeat(100), c: [[1]] })
  assert.deepEqual(parseJsonText(text, 3), { value: JSON.parse(text) as unknown })
})

test('attack 134: JSON of half a million members is refused before it is parsed, at the comma that is one too many', () => {
  const members = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":"a,b"`).join(',')}}`
  for (const [text, taken] of [
    [members(50_000), true],
    [members(50_001), false],
    [members(440_000), false],
    [JSON.stringify({ body: ',"'.repeat(100_000) }), true],
    [`[${'[],'.repeat(60_000)}[]]`, false],
  ] as const) {
    const parsed = parseJsonText(text, 64, 50_000)
    assert.equal('value' in parsed, taken)
    if ('problem' in parsed) assert.equal(text[parsed.position], ',')
  }
})

test('64 levels are taken, 65 are not', () => {
  const nested = (levels: number) => parseJsonText('['.repeat(levels) + ']'.repeat(levels), 64)
  assert.ok('value' in nested(64))
  assert.ok('problem' in nested(65))
})

test('a string of megabytes that ends in a fault is walked, not overflowed', () => {
  const parsed = parseJsonText(`{"a":"${'x\\n'.repeat(1_000_000)}"`, 64)
  assert.ok('problem' in parsed && /ends before/.test(parsed.problem))
})
