// A lock on a file: shared or alone, and gone with the process that held it.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { lockFile } from '../../../src/store/core/file-lock.ts'
import { root } from '../../site.ts'
import { openTestFolder } from '../open-test-store.ts'

test('a lock is shared by any number or had alone, and its file is nobody else’s to read', async () => {
  await using folder = await openTestFolder()
  const path = join(folder.path, 'lock')
  const [one, two] = [await lockFile(path, 'shared'), await lockFile(path, 'shared')]
  assert.ok(one && two)
  assert.equal(await lockFile(path, 'exclusive'), undefined)
  await one.release()
  assert.equal(await lockFile(path, 'exclusive'), undefined)
  await two.release()
  const alone = await lockFile(path, 'exclusive')
  assert.ok(alone)
  assert.equal(await lockFile(path, 'shared'), undefined)
  assert.equal(await lockFile(path, 'exclusive'), undefined)
  await alone.release()
  await alone.release()
  const again = await lockFile(path, 'shared')
  assert.ok(again)
  await again.release()
  assert.equal((await stat(path)).mode & 0o777, 0o600)
})

test('who waits for a lock gets it when it is let go of', async () => {
  await using folder = await openTestFolder()
  const path = join(folder.path, 'lock')
  const first = await lockFile(path, 'exclusive')
  const waiting = lockFile(path, 'exclusive', 5000)
  await first?.release()
  const second = await waiting
  assert.ok(second)
  await second.release()
})

/** Locks a file in a process of its own, and says so. */
const holder = `
  import { createRequire } from 'node:module'
  const sqlite3 = createRequire(process.argv[1])('sqlite3')
  const db = new sqlite3.Database(process.argv[2])
  db.all(process.argv[3], () => db.all('select count(*) from sqlite_schema', () => process.stdout.write('held')))
  setInterval(() => {}, 1000)
`

for (const begin of ['begin', 'begin exclusive']) {
  test(`attack 120: what a killed process held by “${begin}” is free at once`, async () => {
    await using folder = await openTestFolder()
    const path = join(folder.path, 'lock')
    await (await lockFile(path, 'shared'))?.release()
    const args = ['--input-type=module', '-e', holder, join(root, 'package.json'), path, begin]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      await once(child.stdout, 'data')
      assert.equal(await lockFile(path, 'exclusive'), undefined)
    } finally {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    const free = await lockFile(path, 'exclusive')
    assert.ok(free)
    await free.release()
  })
}
