// The site's key: made once, never replaced, refused where it isn't the site's own.

import assert from 'node:assert/strict'
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Failure } from '../../src/base/failure.ts'
import { openSiteKey } from '../../src/identity/site-key.ts'
import type { Store } from '../../src/store/core/database.ts'
import { onEachDatabase } from '../store/on-each-database.ts'
import { openTestFolder } from '../store/open-test-store.ts'

/** A test on each database, with stores that are open at once as those of several processes are. */
const withStores = (count: number, run: (folder: string, stores: Store[]) => Promise<void>) =>
  onEachDatabase(async (make) => {
    await using folder = await openTestFolder()
    await using database = await make('tables')
    const stores: Store[] = []
    try {
      while (stores.length < count) stores.push(await database.open())
      await run(folder.path, stores)
    } finally {
      for (const store of stores) await store.close()
    }
  })

const isRefused = (words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Failure)
  assert.equal(error.code, 'refused')
  assert.match(error.message, words)
  assert.ok(!error.message.includes('\n'))
  return true
}

test(
  'a first start makes a key of 32 bytes that only its owner may read; the next finds the same',
  withStores(1, async (folder, [store]) => {
    const key = await openSiteKey(folder, store as Store)
    const { mode, size } = await stat(join(folder, 'site.key'))
    assert.deepEqual([mode & 0o777, size], [0o600, 32])
    const again = await openSiteKey(folder, store as Store)
    assert.deepEqual(again.derive('cursor'), key.derive('cursor'))
    assert.notDeepEqual(key.derive('cursor'), key.derive('cookie'))
    assert.equal(key.derive('cursor').length, 32)
  }),
)

test(
  'attack 121: first starts at once make one key',
  withStores(4, async (folder, stores) => {
    const keys = await Promise.all(stores.map((store) => openSiteKey(folder, store)))
    assert.equal(new Set(keys.map((key) => key.derive('x').toString('hex'))).size, 1)
    const facts = await stores[0]?.read.selectFrom('site_fact').selectAll().execute()
    assert.equal(facts?.length, 1)
  }),
)

test(
  'attack 121: a lost key stops the start, and no new one is made',
  withStores(1, async (folder, [store]) => {
    await openSiteKey(folder, store as Store)
    await rm(join(folder, 'site.key'))
    await assert.rejects(openSiteKey(folder, store as Store), isRefused(/is lost: put it back from a backup/))
    await assert.rejects(stat(join(folder, 'site.key')))
  }),
)

test(
  'attack 121: a key that others may read stops the start, and is left as it is',
  withStores(1, async (folder, [store]) => {
    await openSiteKey(folder, store as Store)
    const path = join(folder, 'site.key')
    for (const mode of [0o644, 0o640, 0o602]) {
      await chmod(path, mode)
      await assert.rejects(openSiteKey(folder, store as Store), isRefused(/others may read it: chmod 600/))
      assert.equal((await stat(path)).mode & 0o777, mode)
    }
  }),
)

test(
  "another site's key, or a damaged one, stops the start",
  withStores(1, async (folder, [store]) => {
    await openSiteKey(folder, store as Store)
    const path = join(folder, 'site.key')
    const own = await readFile(path)
    await writeFile(path, Buffer.alloc(32, 7))
    await assert.rejects(openSiteKey(folder, store as Store), isRefused(/belongs to another site/))
    await writeFile(path, own.subarray(0, 31))
    await assert.rejects(openSiteKey(folder, store as Store), isRefused(/is damaged/))
  }),
)

test(
  'a key whose start ended before the database knew of it is taken',
  withStores(1, async (folder, [store]) => {
    await writeFile(join(folder, 'site.key'), Buffer.alloc(32, 7), { mode: 0o600 })
    await openSiteKey(folder, store as Store)
    await openSiteKey(folder, store as Store)
  }),
)

test(
  'new secrets go before old ones: new keys are derived from the first, old ones verify still, and the site knows its key',
  withStores(1, async (folder, [store]) => {
    const before = await openSiteKey(folder, store as Store)
    const path = join(folder, 'site.key')
    await writeFile(path, Buffer.concat([Buffer.alloc(32, 9), await readFile(path)]))
    const after = await openSiteKey(folder, store as Store)
    assert.notDeepEqual(after.derive('x'), before.derive('x'))
    assert.deepEqual(after.deriveAll('x'), [after.derive('x'), before.derive('x')])
    await writeFile(path, Buffer.concat([await readFile(path), Buffer.alloc(1)]))
    await assert.rejects(openSiteKey(folder, store as Store), isRefused(/is damaged/))
  }),
)
