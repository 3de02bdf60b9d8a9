// The counters of areas: raised with the change, noticed in other processes, quiet about one's own.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrateToLatest } from '../../../src/store/core/migrate.ts'
import { createVersionWatch, raiseCounters } from '../../../src/store/change/versions.ts'
import { type MakeDatabase, onEachDatabase } from '../on-each-database.ts'
import { until } from '../../until.ts'

const areas = ['content', 'settings'] as const
type Area = (typeof areas)[number]

/** A site as this process has it, and as another one has: two stores on one file are foreign to each other. */
async function openTwo(make: MakeDatabase) {
  const database = await make()
  const here = await database.open({ pollMs: 20 })
  await migrateToLatest(here)
  const there = await database.open({ pollMs: 20 })
  const raise = (store: typeof here, ...which: Area[]) => store.transaction((db) => raiseCounters(db, which))
  const close = async () => {
    await Promise.all([here.close(), there.close()])
    await database[Symbol.asyncDispose]()
  }
  return { here, there, raise, [Symbol.asyncDispose]: close }
}

test(
  'raising counts each area on its own, from one, and gives the new values',
  onEachDatabase(async (make) => {
    await using site = await openTwo(make)
    assert.deepEqual(
      await site.raise(site.here, 'content', 'settings', 'content'),
      new Map([
        ['content', 1],
        ['settings', 1],
      ]),
    )
    assert.deepEqual(await site.raise(site.here, 'content'), new Map([['content', 2]]))
    assert.deepEqual(await site.raise(site.here), new Map())
  }),
)

test(
  'a change made elsewhere is told once, for its area only',
  onEachDatabase(async (make) => {
    await using site = await openTwo(make)
    await site.raise(site.there, 'content')
    const told: Area[] = []
    const watch = await createVersionWatch(site.here, { areas, onChange: (area) => void told.push(area) })
    told.length = 0 // A look that was faster than the first reading tells what was there before.
    await site.raise(site.there, 'settings')
    await until('the first is told', () => told.length === 1)
    await site.raise(site.there, 'settings', 'content')
    await until('both are told', () => told.length === 3)
    await sleep(100)
    assert.deepEqual(told.sort(), ['content', 'settings', 'settings'])
    watch.stop()
    await site.raise(site.there, 'settings')
    await sleep(100)
    assert.equal(told.length, 3)
  }),
)

test(
  "a commit of one's own is not told when nothing came between",
  onEachDatabase(async (make) => {
    await using site = await openTwo(make)
    const told: Area[] = []
    const watch = await createVersionWatch(site.here, { areas, onChange: (area) => void told.push(area) })
    for (let i = 0; i < 3; i++) {
      for (const [area, counter] of await site.raise(site.here, 'content')) await watch.note(area, counter)
    }
    await watch.check()
    assert.deepEqual(told, [])
  }),
)

test(
  "what came between two commits of one's own is told with the second",
  onEachDatabase(async (make) => {
    await using site = await openTwo(make)
    const told: Area[] = []
    const watch = await createVersionWatch(
      { read: site.here.read, onForeignChange: () => () => undefined },
      { areas, onChange: (area) => void told.push(area) },
    )
    await site.raise(site.there, 'content')
    for (const [area, counter] of await site.raise(site.here, 'content', 'settings')) await watch.note(area, counter)
    assert.deepEqual(told, ['content'])
    await watch.check()
    assert.deepEqual(told, ['content'])
  }),
)
