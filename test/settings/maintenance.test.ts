// When a site is closed, and what is said of it: by the row, by its end, and by the file, which wins.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { openTestSite, start } from '../identity/open-test-site.ts'

const call = 'SVC_Settings.maintenance'
const usual = 'This site is under maintenance and will be back soon.'
const hourMs = 3_600_000

test('a site is open unless told otherwise, and closed with the usual words', async () => {
  await using on = await openTestSite()
  assert.equal(on.site.maintenance.now(), undefined)
  await on.ok(call, { on: true })
  assert.deepEqual(on.site.maintenance.now(), { message: usual, until: null, retryAfterSeconds: 120, byFile: false })
  await on.ok(call, { on: false })
  assert.equal(on.site.maintenance.now(), undefined)
})

test('an end is counted down in whole seconds, and at it the site is open by itself', async () => {
  await using on = await openTestSite()
  await on.ok(call, { on: true, message: 'Stocktaking.', until: new Date(start + hourMs).toISOString() })
  assert.equal(on.site.maintenance.now()?.retryAfterSeconds, 3600)
  on.clock.at += hourMs - 1
  assert.equal(on.site.maintenance.now()?.retryAfterSeconds, 1)
  on.clock.at += 1
  assert.equal(on.site.maintenance.now(), undefined)
  const again = await on.ok(call, { on: true })
  assert.deepEqual(again.item, { on: true, message: null, until: null, by_file: false })
  assert.deepEqual(again.changed, ['on'])
})

test('an end without a zone is read in the site’s, and told in UTC', async () => {
  await using on = await openTestSite()
  await on.ok('SVC_Settings.update', { set: { time_zone: 'Europe/Berlin' } })
  const { item } = await on.ok(call, { on: true, until: '2099-07-01T18:00' })
  assert.equal(item.until, '2099-07-01T16:00:00.000Z')
})

test('the file’s text is the message, without controls and cut to what a page holds; nothing in it says the usual', async () => {
  await using on = await openTestSite()
  const file = join(on.home, 'MAINTENANCE')
  for (const [text, message] of [
    ['', usual],
    [' \n ', usual],
    ['Back\u0000 at\u009b noon.\r\nPromised.\n', 'Back at noon.\nPromised.'],
    ['ä'.repeat(3000), 'ä'.repeat(500)],
  ] as const) {
    await writeFile(file, text)
    await on.site.maintenance.look()
    assert.deepEqual(on.site.maintenance.now(), { message, until: null, retryAfterSeconds: 120, byFile: true }, text.slice(0, 20))
  }
  await rm(file)
  await on.site.maintenance.look()
  assert.equal(on.site.maintenance.now(), undefined)
})

test('a file that can not be read, a folder and a pipe of its name close the site too', async () => {
  await using on = await openTestSite()
  const file = join(on.home, 'MAINTENANCE')
  await writeFile(file, 'Secret.')
  await chmod(file, 0o000)
  await on.site.maintenance.look()
  assert.equal(on.site.maintenance.now()?.byFile, true)
  await rm(file)
  for (const make of [() => mkdir(file), () => promisify(execFile)('mkfifo', [file])]) {
    await make()
    await on.site.maintenance.look()
    assert.equal(on.site.maintenance.now()?.message, usual)
    await rm(file, { recursive: true })
    await on.site.maintenance.look()
    assert.equal(on.site.maintenance.now(), undefined)
  }
})

test('opening is refused while the file lies there, in the very moment that it is put there', async () => {
  await using on = await openTestSite()
  await on.ok(call, { on: true })
  await writeFile(join(on.home, 'MAINTENANCE'), 'By file.')
  assert.equal((await on.fails(call, { on: false })).code, 'refused')
})
