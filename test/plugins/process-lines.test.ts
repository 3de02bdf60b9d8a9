// Lines out of chunks: whatever the cuts, the same lines; never more held than the limit; what comes too fast is noticed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineReader, Rate } from '../../src/plugins/process-lines.ts'
import { fc } from '../properties.ts'

function read(chunks: readonly Buffer[], maxBytes: number): { lines: string[]; breaches: number } {
  const lines: string[] = []
  let breaches = 0
  const onData = lineReader(
    maxBytes,
    (line) => lines.push(line),
    () => breaches++,
  )
  for (const chunk of chunks) onData(chunk)
  return { lines, breaches }
}

/** A text in pieces of these sizes, again and again. */
function cut(text: string, sizes: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text)
  const pieces: Buffer[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return pieces
}

test('lines are the same wherever the chunks are cut, within characters too', () => {
  const line = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\n') && text.isWellFormed())
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 })
  fc.assert(
    fc.property(fc.array(line), sizes, (lines, sizes) => {
      const text = lines.map((one) => `${one}\n`).join('')
      assert.deepEqual(read(cut(text, sizes), 10_000), { lines, breaches: 0 })
    }),
  )
})

test('a line as long as the limit is taken, a longer one is told once and nothing after it', () => {
  assert.deepEqual(read(cut('12345\n', [2]), 5), { lines: ['12345'], breaches: 0 })
  assert.deepEqual(read(cut('1\n123456789\n2\n', [3]), 5), { lines: ['1'], breaches: 1 })
})

test('a rate is of one second, and begins anew', () => {
  let now = 5000
  const rate = new Rate(2, () => now)
  assert.deepEqual([rate.add(), rate.add(), rate.add()], [false, false, true])
  now += 1000
  assert.deepEqual([rate.add(2), rate.add()], [false, true])
})
