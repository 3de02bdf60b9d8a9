// What is checked of a site without leaving the machine, and the spellings in which its protected folders are asked for.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { denyFix } from '../../../src/doctor/front-lines.ts'
import { protectedFolders, spellingsOf } from '../../../src/doctor/protected-paths.ts'
import { foldPath } from '../../../src/http/fold-path.ts'
import { isProtected } from '../../../src/site/routes.ts'
import { openTestSite, type TestSite } from '../../identity/open-test-site.ts'

/** Checks that ask nothing through the public address. */
const inside =
  'home staging disk file-system limits keep-alive time-zone time-source restarts chromium processes database database-server wal backup backup-passphrase backups-elsewhere webhooks mail plugins release maintenance theme paths sections sources'.split(
    ' ',
  )

const find = async (site: TestSite, check: string) => (await site.ok('SVC_Health.check', { only: [check] })).items[0]

for (const folder of protectedFolders) {
  test(`attack 129: each spelling of a file in ${folder} is one that the service refuses`, () => {
    const spellings = spellingsOf(folder, 'x.log')
    assert.equal(new Set(spellings).size, spellings.length)
    for (const path of spellings) {
      assert.equal(foldPath(path), `${folder}/x.log`, path)
      assert.ok(isProtected(path), path)
    }
  })
}

test('the line for nginx denies what it should below a slug, and nothing beside', () => {
  const line = denyFix({ path: '/my.blog' }).nginx
  assert.match(line, /^location ~\* \^\/my\\\.blog\/user-content\/.* \{ return 403; \} {3}before any rule/)
  const pattern = new RegExp(line.split(' ')[2] ?? '', 'i')
  for (const path of [
    '/my.blog/user-content/logs/x',
    '/My.Blog/User-Content/LOGS',
    '/my.blog/user-content/uploads/protected/a.png',
  ])
    assert.match(path, pattern)
  for (const path of ['/my.blog/user-content/uploads/a.png', '/my.blog/user-content/logs-of-may', '/user-content/logs/x'])
    assert.doesNotMatch(path, pattern)
})

test('a new site is well, as far as can be known from inside', async () => {
  await using site = await openTestSite()
  const { items } = await site.ok('SVC_Health.check', { outside: false })
  const found = Object.fromEntries(items.map(({ check, state }: Record<string, string>) => [check, state]))
  assert.deepEqual(
    // What the machine of the tests is like is not the site's affair.
    { ...found, disk: 'ok', limits: 'ok', 'file-system': 'ok', 'time-source': 'ok', restarts: 'ok' },
    Object.fromEntries(inside.map((name) => [name, 'ok'])),
  )
  assert.deepEqual(
    site.site.health.latest.map(({ id }) => id),
    items.map(({ check }: Record<string, string>) => check),
  )
})

test('without a public address nobody knows what can be read from outside', async () => {
  await using site = await openTestSite()
  const { state, fix } = await find(site, 'protected-folders')
  assert.equal(state, 'unknown')
  assert.match(fix, /POSTERN_BASE_URL/)
})

test('what anyone could write, and a database folder that others may enter, are told with what mends it', async () => {
  await using site = await openTestSite()
  const upload = join(site.home, 'user-content', 'uploads', 'a.png')
  await writeFile(upload, 'x', { mode: 0o644 })
  await symlink('/etc', join(site.home, 'user-content', 'uploads', 'link'))
  await chmod(join(site.home, 'user-content', 'uploads', 'protected'), 0o700)
  assert.equal((await find(site, 'home')).state, 'ok')
  await chmod(upload, 0o666)
  await chmod(join(site.home, 'data'), 0o755)
  const { state, message, fix } = await find(site, 'home')
  assert.equal(state, 'warning')
  assert.match(message, /data \(mode 755, not 700\), user-content\/uploads\/a\.png \(mode 666, not 644\)/)
  assert.match(fix, /chmod 700 .*\/data/)
})

test('a site where no plugin can arrive says so in the words of the failure', async () => {
  await using site = await openTestSite()
  await rm(join(site.home, 'user-content', 'plugins'), { recursive: true })
  const { state, message, fix } = await find(site, 'staging')
  assert.equal(state, 'broken')
  assert.match(message, /staging directory could not be created in .*, which is not there\./)
  assert.match(fix, /^sudo install -d /)
  execFileSync('sh', ['-c', fix.replace('sudo ', '')])
  assert.equal((await find(site, 'staging')).state, 'ok')
})

test('an old release and maintenance are told', async () => {
  await using site = await openTestSite({ POSTERN_COMPAT: '0.10' })
  assert.equal((await find(site, 'release')).state, 'warning')
  await writeFile(join(site.home, 'MAINTENANCE'), 'Painting.')
  await site.site.maintenance.look()
  const { items } = await site.ok('SVC_Health.check', { only: ['maintenance'] })
  assert.equal(items[0].state, 'warning')
  assert.match(items[0].fix, /MAINTENANCE/)
})

test('a check that fails itself is unknown, and stops none of the others', async () => {
  await using site = await openTestSite()
  const data = join(site.home, 'data')
  await rename(data, `${data}-away`)
  const { items } = await site.ok('SVC_Health.check', { only: ['home', 'release'] })
  await rename(`${data}-away`, data)
  assert.deepEqual(
    items.map(({ state }: Record<string, string>) => state),
    ['unknown', 'ok'],
  )
})

test('clearing the caches moves this process and the others on; a dry run moves nothing', async () => {
  await using site = await openTestSite()
  const counters = () => site.site.store.read.selectFrom('version').selectAll().execute()
  const before = [site.site.freshness.generation, await counters()]
  await site.ok('SVC_Health.clear-caches', { dry_run: true })
  assert.deepEqual([site.site.freshness.generation, await counters()], before)
  const { done } = await site.ok('SVC_Health.clear-caches')
  assert.ok(done.includes('content'))
  assert.ok(site.site.freshness.generation > Number(before[0]))
  assert.ok((await counters()).length >= done.length)
})

test('health is the admin’s alone', async () => {
  await using site = await openTestSite()
  assert.equal((await site.fails('SVC_Health.check', {}, site.as('content'))).code, 'unknown_action')
})

test('a line of a text that begins with ::: and is no section is told of, with the entry and the line', async () => {
  await using site = await openTestSite()
  assert.equal((await find(site, 'sections')).state, 'ok')
  await site.ok('SVC_Content.create', { type: 'page', title: 'Old', body: '::: hero\n## A\n:::\n\n::: spoiler' })
  const { state, message, fix } = await find(site, 'sections')
  assert.equal(state, 'warning')
  assert.match(message, /"Old" at \/old \(line 5\)\./)
  assert.match(fix, /^SVC_Content\.check .*"sections"/)
})
