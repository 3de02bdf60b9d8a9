// The cache: its cap, one load a key, and that an overtaken load leaves nothing behind.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createByteCache } from '../../../src/store/core/byte-cache.ts'

const textCache = (maxBytes = 100) => createByteCache<string | undefined>({ maxBytes, sizeOf: (text) => text.length })

/** A loader that answers when told. */
function heldLoader() {
  let resolve: (text: string | undefined) => void = () => undefined
  let reject: (reason: Error) => void = () => undefined
  const promise = new Promise<string | undefined>((yes, no) => ([resolve, reject] = [yes, no]))
  let calls = 0
  return { resolve, reject, load: () => (calls++, promise), calls: () => calls }
}

test('what was loaded is kept and got at once', async () => {
  const cache = textCache()
  assert.equal(cache.get('a'), undefined)
  assert.equal(await cache.load('a', async (key) => `${key}!`), 'a!')
  assert.equal(cache.get('a'), 'a!')
  assert.equal(await cache.load('a', async () => 'other'), 'a!')
})

test('the longest unused go when the bytes run out, and what is larger than the cap is not kept', async () => {
  const cache = textCache(10)
  for (const key of ['a', 'b']) await cache.load(key, async () => 'xxxxx')
  cache.get('a')
  await cache.load('c', async () => 'xxxxx')
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c'), cache.bytes], ['xxxxx', undefined, 'xxxxx', 10])
  assert.equal(await cache.load('d', async () => 'x'.repeat(11)), 'x'.repeat(11))
  assert.deepEqual([cache.get('d'), cache.bytes], [undefined, 10])
})

test('an empty text is kept, absence never', async () => {
  const cache = textCache()
  await cache.load('empty', async () => '')
  assert.equal(cache.get('empty'), '')
  assert.equal(await cache.load('none', async () => undefined), undefined)
  assert.equal(await cache.load('none', async () => 'there now'), 'there now')
})

test('loads of one key at the same time are one, and share its failure', async () => {
  const cache = textCache()
  const loader = heldLoader()
  const loads = [cache.load('a', loader.load), cache.load('a', loader.load)]
  loader.reject(new Error('no'))
  for (const result of await Promise.allSettled(loads)) assert.equal(result.status, 'rejected')
  assert.equal(loader.calls(), 1)
  assert.equal(await cache.load('a', async () => 'again'), 'again')
})

for (const [how, invalidate] of [
  ['delete of its key', (cache: ReturnType<typeof textCache>) => cache.delete('a')],
  ['delete of another key', (cache: ReturnType<typeof textCache>) => cache.delete('b')],
  ['clear', (cache: ReturnType<typeof textCache>) => cache.clear()],
] as const) {
  test(`a load that a ${how} has overtaken is not kept`, async () => {
    const cache = textCache()
    const loader = heldLoader()
    const load = cache.load('a', loader.load)
    invalidate(cache)
    loader.resolve('old')
    assert.equal(await load, 'old')
    assert.equal(cache.get('a'), undefined)
  })
}

test('who asks after an invalidation gets a new load, and the old one does not end its sharing', async () => {
  const cache = textCache()
  const [old, fresh] = [heldLoader(), heldLoader()]
  const first = cache.load('a', old.load)
  cache.delete('a')
  const second = cache.load('a', fresh.load)
  old.resolve('old')
  assert.equal(await first, 'old')
  const third = cache.load('a', fresh.load)
  fresh.resolve('new')
  assert.deepEqual([await second, await third, fresh.calls(), cache.get('a')], ['new', 'new', 1, 'new'])
})
