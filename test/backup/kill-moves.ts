// Restores and moves on PostgreSQL that are ended by `kill -9` at any moment, and backups under writers.

import assert from 'node:assert/strict'

import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Site } from '../../src/app/compose.ts'
import { databaseSettings, makePostgresDatabase } from '../postgres.ts'
import { openSite, runPostern } from '../site.ts'
import { readAllRows } from './all-rows.ts'
import { killCommand, momentOf, timeOf } from './kill-runs.ts'

const pathOf = process.env['PATH'] ?? ''

/** Kills restores of one state over another and back: each time the database and the files are those of one of the two. */
export async function killPostgresRestores(rounds: number): Promise<void> {
  await using setUp = await openSite({ database: 'postgres', ownProcess: true })
  const photo = join(setUp.home, 'user-content/uploads/photo.jpg')
  const env = { PATH: pathOf, POSTERN_HOME: setUp.home, ...(await databaseSettings(setUp.home)) }
  const { item } = await setUp.call('SVC_Content.create', { type: 'page', title: 'State 1', slug: 'state', status: 'published' })
  const save = async (state: number) => {
    await writeFile(photo, Buffer.alloc(500_000, state))
    return (await setUp.postern(['backup', '--note', `state ${state}`])).stdout.trim()
  }
  const files = [await save(1)]
  await setUp.call('SVC_Content.update', { id: item.id, title: 'State 2' })
  files.push(await save(2))
  await setUp.stop()
  const restore = (state: number) => ['restore', files[state - 1] ?? '', '--yes', '--no-save']
  const wholeMs = await timeOf(() => runPostern(env, restore(1)))
  for (let round = 0; round < rounds; round++) {
    // Some are killed late, during the commit and while the files change places, and some not at all.
    const moment = momentOf(1.3 * wholeMs)
    await killCommand(env, restore(2 - (round % 2)), moment)
    // The next command that opens the site completes the restore, or undoes it.
    const listed = await runPostern(env, ['call', 'SVC_Content.get', 'id=/state'])
    assert.equal(listed.code, 0, listed.stderr)
    const state = Number(/State (\d)/.exec(listed.stdout)?.[1])
    assert.deepEqual([...new Set(await readFile(photo))], [state], `after ${moment} of ${wholeMs} ms`)
  }
}

/** Kills moves to PostgreSQL: the target is empty or complete, the source is as it was, and the next move completes it. */
export async function killMoves(rounds: number): Promise<void> {
  await using setUp = await openSite({ database: 'sqlite', ownProcess: true })
  for (let page = 0; page < 30; page++)
    await setUp.call('SVC_Content.create', { type: 'page', title: `Page ${page}`, body: 'text '.repeat(2000) })
  await setUp.stop()
  const env = { PATH: pathOf, POSTERN_HOME: setUp.home }
  const file = join(setUp.home, 'data/postern.db')
  const rows = await readAllRows(file)
  const timed = await makePostgresDatabase()
  const wholeMs = await timeOf(() => runPostern(env, ['move', '--to', timed.url]))
  await timed[Symbol.asyncDispose]()
  for (let round = 0; round < rounds; round++) {
    await using target = await makePostgresDatabase()
    await killCommand(env, ['move', '--to', target.url], momentOf(wholeMs))
    const tables = await target.query(
      `select 1 from information_schema.tables where table_schema = 'postern' and table_name <> 'postern_commit'`,
    )
    if (tables.length > 0) assert.deepEqual(await readAllRows(target.url), rows)
    const again = await runPostern(env, ['move', '--to', target.url])
    assert.equal(again.code, 0, again.stderr)
    if (tables.length > 0) assert.match(again.stderr, /had been moved before/)
    assert.deepEqual(await readAllRows(target.url), rows)
    assert.deepEqual(await readAllRows(file), rows)

    const back = { ...env, POSTERN_DATABASE_URL: target.url }
    const copy = join(setUp.home, 'back.db')
    await killCommand(back, ['move', '--to', copy], momentOf(wholeMs))
    const ended = await runPostern(back, ['move', '--to', copy])
    assert.equal(ended.code, 0, ended.stderr)
    assert.deepEqual(await readAllRows(copy), rows)
    await rm(copy)
  }
}

/**
 * Writes settings in pairs, each pair in one transaction, while `work` runs.
 * @returns the number of transactions that were committed meanwhile
 */
export async function underWriters<T>(site: Site, count: number, work: () => Promise<T>): Promise<{ result: T; writes: number }> {
  const ending = new AbortController()
  let writes = 0
  const writer = async (name: number) => {
    for (let turn = 0; !ending.signal.aborted; turn++) {
      const now = site.clock.now()
      await site.store.transaction(async (db) => {
        for (const half of ['a', 'b']) {
          const key = `pair-${name}-${turn}-${half}`
          await db.insertInto('setting').values({ key, value: '1', created_at: now, updated_at: now, revision: 1 }).execute()
        }
      })
      writes++
    }
  }
  const writers = Array.from({ length: count }, (_, name) => writer(name))
  try {
    return { result: await work(), writes }
  } finally {
    ending.abort()
    await Promise.all(writers)
  }
}

/** Both halves of each pair are in the rows, or neither. */
export function checkPairs(settings: readonly string[]): number {
  const keys = new Set(settings.map((row) => /pair-\d+-\d+-[ab]/.exec(row)?.[0]).filter((key) => key !== undefined))
  for (const key of keys) assert.ok(keys.has(key.replace(/[ab]$/, (half) => (half === 'a' ? 'b' : 'a'))), key)
  return keys.size / 2
}
