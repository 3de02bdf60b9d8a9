import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PackedMap } from '../../src/base/packed-map.ts'

const key = fc.oneof(fc.string({ unit: 'binary', maxLength: 5 }), fc.constantFrom('', '\ud800', '\udc00', '__proto__'))
const value = fc.oneof(fc.jsonValue(), fc.string({ minLength: 1000, maxLength: 4000 }))

/** The entries of a map in which a key that is set anew comes last. */
function setLast<V>(map: Map<string, V>, name: string, given: V): void {
  map.delete(name)
  map.set(name, given)
}

test('a packed map is the same as a map', () =>
  fc.assert(
    fc.property(fc.array(fc.tuple(key, value), { maxLength: 300 }), fc.array(key), (rows, others) => {
      const [wanted, packed] = [new Map<string, unknown>(), new PackedMap<unknown>()]
      for (const [name, given] of rows) {
        setLast(wanted, name, JSON.parse(JSON.stringify(given)) as unknown)
        packed.set(name, given)
      }
      assert.equal(packed.size, wanted.size)
      assert.deepEqual([...packed.entries()], [...wanted])
      assert.deepEqual([...packed.keys()], [...wanted.keys()])
      assert.deepEqual([...packed.values()], [...wanted.values()])
      for (const name of [...others, ...wanted.keys()])
        assert.deepEqual([packed.has(name), packed.get(name)], [wanted.has(name), wanted.get(name)])
    }),
  ))

test('a packed map of many values, and of values that are larger than a piece, finds each', () => {
  const large = 'x'.repeat(3 * 1024 ** 2)
  const packed = new PackedMap<string>().set('large', large)
  for (let at = 0; at < 100_000; at++) packed.set(`key ${at}`, `value ${at}`)
  packed.set('last', large)
  assert.equal(packed.size, 100_002)
  for (let at = 0; at < 100_000; at += 997) assert.equal(packed.get(`key ${at}`), `value ${at}`)
  assert.equal(packed.get('large'), large)
  assert.equal(packed.get('last'), large)
  assert.equal([...packed.keys()].length, 100_002)
})

test('values with named members are the same as those without', () => {
  const members = ['a', 'b', 'c'] as const
  const part = fc.option(fc.oneof(fc.string(), fc.integer(), fc.array(fc.string()), fc.constant(null)), { nil: undefined })
  fc.assert(
    fc.property(fc.record({ a: part, b: part, c: part }), (given) => {
      const packed = new PackedMap<Record<(typeof members)[number], unknown>>(members).set('key', given)
      assert.deepEqual(packed.get('key'), JSON.parse(JSON.stringify(given)))
    }),
  )
})

test('what is set while a packed map is read comes, too', () => {
  const packed = new PackedMap<number>().set('a', 1)
  const read: string[] = []
  for (const name of packed.keys()) {
    read.push(name)
    if (read.length < 4) packed.set(`${name}a`, 1)
  }
  assert.deepEqual(read, ['a', 'aa', 'aaa', 'aaaa'])
})
