// Backups of a running service from outside: the command line beside it, the actions, the link, and what `kill -9` leaves at any moment.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { system } from '../../src/identity/caller.ts'
import { signDownload } from '../../src/backup/download-link.ts'
import { createSiteKey } from '../../src/identity/site-key.ts'
import { killBackups, killRestores } from '../backup/kill-runs.ts'
import { postern } from '../postern.ts'
import { root, runPostern } from '../run-postern.ts'
import { openSite, type TestSite } from '../site.ts'
import { openTestFolder } from '../store/open-test-store.ts'

let site: TestSite
before(async () => {
  site = await openSite()
  await writeFile(join(site.home, 'user-content/uploads/photo.jpg'), Buffer.alloc(3_000_000, 7))
  await site.call('SVC_Content.create', { type: 'page', title: 'Kept', status: 'published', body: 'saved words' })
})
after(() => site[Symbol.asyncDispose]())

test('a backup beside a running service under writes: none of them fails, it is listed and good', async () => {
  let writes = 0
  let slowest = 0
  const ending = new AbortController()
  const write = async () => {
    while (!ending.signal.aborted) {
      const started = performance.now()
      await site.call('SVC_Content.create', { type: 'post', title: `Post ${writes}` })
      slowest = Math.max(slowest, performance.now() - started)
      writes++
    }
  }
  const writing = Promise.all([write(), write()])
  const made = await site.postern(['backup', '--note', 'nightly', '--json'])
  ending.abort()
  await writing
  assert.equal(made.code, 0, made.stderr)
  const item = JSON.parse(made.stdout)
  assert.ok(writes > 0)
  assert.deepEqual([item.note, item.error, item.verified_at !== null], ['nightly', null, true])
  assert.equal(
    createHash('sha256')
      .update(await readFile(item.path))
      .digest('hex'),
    item.sha256,
  )
  const [listed] = (await site.call('SVC_Backup.list')).items
  assert.equal(listed.id, item.id)
  assert.match((await site.postern(['backup', 'list'])).stdout, new RegExp(`^${item.id}\t.*nightly\n$`))
  assert.equal((await site.postern(['verify', 'latest'])).stdout, `${item.path}\n`)
  process.stdout.write(`# ${writes} writes meanwhile, the slowest ${slowest.toFixed(0)} ms\n`)
})

test('attack 141: a backup that is not sealed has no link, and one that is made for it all the same is refused with the reason', async () => {
  const { item, url, url_refused: reason } = await site.call('SVC_Backup.get', { id: 'latest' })
  assert.deepEqual([item.sealed, url], [false, null])
  assert.match(reason, /^This backup is not sealed, so it stays on the machine/)
  const key = createSiteKey(await readFile(join(site.home, 'data/site.key')))
  const refused = await fetch(site.base + signDownload(key, item.id, Date.now() + 60_000, system))
  assert.equal(refused.status, 403)
  assert.match(await refused.text(), /This backup is not sealed, so it stays on the machine/)
  const { warnings } = await site.call('SVC_Backup.create', { dry_run: true })
  assert.deepEqual(
    warnings.map(({ code }: { code: string }) => code),
    ['not_sealed'],
  )
})

test('attack 141: a sealed backup goes by its link, to a script with a limited token too, and opens with its passphrase alone', async () => {
  await using folder = await openTestFolder()
  const [file, away] = [join(folder.path, 'passphrase'), join(folder.path, 'away.tar.sealed')]
  await writeFile(file, 'correct horse battery staple\n', { mode: 0o600 })
  await using sealed = await openSite({ env: { POSTERN_BACKUP_PASSPHRASE_FILE: file } })
  const { token, item: made } = await sealed.call('SVC_Tokens.create', {
    name: 'Off-site',
    scope: 'admin',
    limits: { classes: ['SVC_Backup'] },
  })
  const { item } = (await sealed.api('SVC_Backup.create', {}, { token })).json.data
  assert.equal(item.sealed, true)
  const { url } = (await sealed.api('SVC_Backup.get', { id: item.id }, { token })).json.data
  const answer = await fetch(url)
  const bytes = Buffer.from(await answer.arrayBuffer())
  assert.equal(createHash('sha256').update(bytes).digest('hex'), item.sha256)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal(answer.headers.get('content-disposition'), `attachment; filename="${item.file}"`)
  assert.equal((await fetch(url, { method: 'HEAD' })).headers.get('content-length'), String(item.bytes))
  const plain = url.split('?')[0] as string
  for (const bad of [url.slice(0, -5), plain, url.replace(item.id, 'latest'), url.replace(/key=./, 'key=')]) {
    const refused = await fetch(bad)
    assert.equal(refused.status, 404, bad)
    await refused.text()
  }
  // Attack 159: tighter limits end the link.
  await sealed.call('SVC_Tokens.update', { id: made.id, limits: { classes: ['SVC_Backup'], per_minute: 100 } })
  assert.equal((await fetch(url)).status, 404)
  const key = new URL(url).searchParams.get('key') ?? ''
  assert.ok(key !== '' && !sealed.log.some((line) => line.includes(key)))

  await writeFile(away, bytes)
  await sealed.stop()
  assert.equal((await sealed.postern(['verify', away])).code, 0)
  const bare = (words: readonly string[]) => runPostern({ PATH: process.env['PATH'] ?? '', POSTERN_HOME: sealed.home }, words)
  await writeFile(`${file}-wrong`, 'not the right one', { mode: 0o600 })
  const without = /^This backup is sealed\. Give the passphrase that sealed it\.\n.*--passphrase-file FILE/
  const wrong = /^This passphrase does not open the backup: it was sealed with another one\.\n/
  for (const [words, err] of [
    [['verify', away], without],
    [['restore', away, '--yes'], without],
    [['restore', away, '--yes', '--passphrase-file', `${file}-wrong`], wrong],
  ] as const) {
    const ran = await bare(words)
    assert.deepEqual([ran.code, ran.stdout], [4, ''])
    assert.match(ran.stderr, err)
  }
  for (const words of [
    ['verify', away, '--apart'],
    ['restore', away, '--yes'],
  ]) {
    const right = await bare([...words, '--passphrase-file', file])
    assert.equal(right.code, 0, right.stderr)
  }
  const out = join(folder.path, 'out')
  assert.equal((await bare(['backup', '--out', out])).code, 4)
  const local = await bare(['backup'])
  assert.match(local.stderr, /^This backup is not sealed/)
  assert.equal((await bare(['backup', '--out', out, '--passphrase-file', file])).code, 0)
  assert.equal((await sealed.postern(['verify', out])).code, 0)
})

test('over an action one is made and tried in a thread of its own, whose refusals are told as such', async () => {
  const threads = async () => (await readdir(`/proc/${site.pid}/task`)).length
  const before = await threads()
  const making = site.call('SVC_Backup.create')
  const made = making.then(() => true)
  let most = 0
  do most = Math.max(most, await threads())
  while (!(await Promise.race([made, sleep(5, false)])))
  const { item } = await making
  assert.ok(item.verified_at !== null && item.error === null)
  assert.ok(most > before, `${most} threads, ${before} before`)

  const path = join(site.home, 'backups', item.file)
  const bytes = await readFile(path)
  await writeFile(path, bytes.fill(1, 2000, 2001))
  const bad = await site.api('SVC_Backup.verify', { id: item.id })
  assert.deepEqual([bad.status, bad.json.error.code], [422, 'unprocessable'], bad.text)
  assert.match(bad.json.error.message, /SHA-256 differs/)
  assert.equal((await site.call('SVC_Backup.get', { id: item.id })).item.error, bad.json.error.message)
  await site.call('SVC_Backup.delete', { ids: [item.id], expect: 1 })

  const sparse = join(site.home, 'user-content/uploads/sparse.bin')
  await writeFile(sparse, '')
  await truncate(sparse, 8 * 1024 ** 4)
  const full = await site.api('SVC_Backup.create')
  await rm(sparse)
  assert.deepEqual([full.status, full.json.error.code], [503, 'unavailable'], full.text)
  assert.match(full.json.error.message, /MiB free, and a backup takes/)
})

test('over an action a restore tells the command and changes nothing', async () => {
  const answer = await site.api('SVC_Backup.restore', { id: 'latest', expect: 1 })
  assert.deepEqual([answer.status, answer.json.error.code], [422, 'refused'])
  assert.match(answer.json.error.message, /scripts\/postern restore postern-.*\.tar$/)
})

const passphraseFile = join(tmpdir(), `postern-passphrase-${process.pid}`)
before(() => writeFile(passphraseFile, 'correct horse battery staple', { mode: 0o600 }))
after(() => rm(passphraseFile))

const rows: readonly { rule: string; args: readonly string[]; code: number; err: RegExp }[] = [
  { rule: 'a restore while the service runs', args: ['restore', 'latest', '--yes'], code: 4, err: /in use: stop the service/ },
  { rule: 'a restore that nobody said is meant', args: ['restore', 'latest'], code: 2, err: /--yes/ },
  { rule: 'a restore of nothing', args: ['restore'], code: 2, err: /Which backup/ },
  { rule: 'a restore of a file that is not there', args: ['restore', '/nowhere.tar', '--yes'], code: 3, err: /no backup/ },
  {
    rule: 'a try of a file that is no backup',
    args: ['verify', join(root, 'package.json')],
    code: 4,
    err: /no backup of Postern/,
  },
  { rule: 'a try of what is not there', args: ['verify', 'nope'], code: 3, err: /no backup/ },
  {
    rule: 'a backup into a folder that is not there',
    args: ['backup', '--out', '/nowhere/x.tar', '--passphrase-file', passphraseFile],
    code: 3,
    err: /no folder/,
  },
  {
    rule: 'a backup in place of a file',
    args: ['backup', '--out', join(root, 'package.json'), '--passphrase-file', passphraseFile],
    code: 6,
    err: /there already/,
  },
  {
    rule: 'a backup elsewhere without a passphrase',
    args: ['backup', '--out', '/tmp/x.tar'],
    code: 4,
    err: /not sealed stays in the folder of backups/,
  },
  {
    rule: 'a passphrase that is not there',
    args: ['backup', '--passphrase-file', '/nowhere'],
    code: 5,
    err: /can't be read \(ENOENT\)/,
  },
]
for (const { rule, args, code, err } of rows) {
  test(`${rule} is refused with code ${code}`, async () => {
    const ran = await site.postern(args)
    assert.deepEqual([ran.code, ran.stdout], [code, ''], ran.stderr)
    assert.match(ran.stderr, err)
  })
}

test('a folder of backups that can’t be made is told, with what it must be', async () => {
  const env = { POSTERN_HOME: site.home, POSTERN_BACKUPS: join(root, 'package.json', 'backups') }
  const { code, stderr } = await postern(env, ['backup'])
  assert.equal(code, 5, stderr)
  assert.match(stderr, /^The folder of backups .*package\.json\/backups can't be made \(ENOTDIR\): it must belong/)
})

test('attack 120: a backup that is killed at any moment leaves the older ones, and no half one', () => killBackups(site, 1))

test('attack 120: a restore that is killed at any moment leaves a site that starts, the old one or the new one', () =>
  killRestores(1))
