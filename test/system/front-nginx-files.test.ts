// nginx as `postern nginx` configures it, and what lies on disk: the folders that are never served, uploads, links out of them.

import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { openEcho } from '../echo.ts'
import { type Front, needFront, openFront } from '../front.ts'
import { fillHome } from '../home-template.ts'
import { usesPostgres } from '../postgres.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

/** Spellings of a file in a protected folder; each must be refused by nginx or by the service behind it. */
const spellings = [
  '/user-content/logs/planted.png',
  '/user-content/logs/',
  '/user-content/logs',
  '/user-content/skills/planted.png',
  '/user-content/uploads/protected/planted.png',
  '/user-content/uploads/protected',
  '/User-Content/LOGS/planted.png',
  '/user-content/uploads/Protected/planted.png',
  '/user-content/%6Cogs/planted.png',
  '/%75ser-content/logs/planted.png',
  '//user-content//logs//planted.png',
  '/user-content/uploads//protected/planted.png',
  '/x/../user-content/logs/planted.png',
  '/user-content/./logs/planted.png',
  '/user-content/uploads/../logs/planted.png',
  '/user-content/uploads/%2e%2e/logs/planted.png',
  '/user-content/uploads/x/../protected/planted.png',
  '/user-content%2Flogs%2Fplanted.png',
  '/user-content/uploads%2Fprotected%2Fplanted.png',
  '/user-content/logs;x/planted.png',
  '/user-content/logs./planted.png',
  '/user-content/logs%20/planted.png',
  '/user-content/logs/planted.png?x=1',
  '/user-content\\logs\\planted.png',
  '/user-content/logs/%70lanted%2Epng',
]

for (const [where, basePath] of [
  ['at the root', ''],
  ['in a subdirectory', '/blog'],
] as const) {
  let home = ''
  let site: TestSite
  let token = ''
  let front: Front
  before(async () => {
    needFront()
    home = await mkdtemp(join(tmpdir(), 'postern-test-'))
    token = await fillHome(home, usesPostgres)
    site = await openSite({ home, basePath })
    for (const folder of ['logs', 'skills', 'uploads/protected', 'uploads/2026', 'uploads/.staging', 'uploads/2026/.staging'])
      await plant(join(home, 'user-content', folder))
    await symlink(join(home, 'user-content/logs/planted.png'), join(home, 'user-content/uploads/link.png'))
    await symlink(join(home, 'user-content/logs'), join(home, 'user-content/uploads/linked'))
    await symlink('/etc/passwd', join(home, 'user-content/uploads/passwd.png'))
    front = await openFront({ upstream: site.port, basePath, home })
  })
  after(async () => {
    await front[Symbol.asyncDispose]()
    await site[Symbol.asyncDispose]()
    await rm(home, { recursive: true, force: true })
  })

  for (const spelling of spellings) {
    test(`nginx ${where}: attack 129: ${spelling} is 403`, async () => {
      for (const method of ['GET', 'HEAD', 'POST']) {
        const { status, text } = await front.raw(basePath + spelling, { method })
        assert.doesNotMatch(text, /planted text/)
        // A page takes no POST; the rule is nginx's for every method.
        assert.ok(status === 403 || (method === 'POST' && status === 405), `${method} ${status}`)
      }
    })
  }

  test(`nginx ${where}: attack 129: none of them needs the service to be refused, but for the backslash`, async () => {
    await using echo = await openEcho()
    await using alone = await openFront({ upstream: echo.port, basePath })
    for (const spelling of spellings) await alone.raw(basePath + spelling)
    assert.deepEqual(
      echo.arrived.map(({ target }) => target),
      [`${basePath}/user-content\\logs\\planted.png`],
    )
  })

  test(`nginx ${where}: a protected path with a NUL is 400, one that was encoded twice is not there`, async () => {
    assert.equal((await front.raw(`${basePath}/user-content/logs%00/planted.png`)).status, 400)
    assert.ok([403, 404].includes((await front.raw(`${basePath}/user-content/%256cogs/planted.png`)).status))
  })

  test(`nginx ${where}: an upload comes from disk, and no browser will run it`, async () => {
    const { status, text, headers } = await front.raw(`${basePath}/user-content/uploads/2026/planted.png`)
    assert.deepEqual([status, text, headers.get('content-type')], [200, 'planted text', 'image/png'])
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox")
  })

  test(`nginx ${where}: a size of an image comes from disk after its first request, with the same headers; no other name does`, async () => {
    const photo = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#08f' } })
      .jpeg()
      .toBuffer()
    const call = (action: string, input: Record<string, unknown>) => site.call(action, input, { token })
    const { item } = await call('SVC_Media.upload', { base64: photo.toString('base64'), filename: 'wave.jpg', alt: 'A wave' })
    let whole = item
    await until('the sizes are made', async () => (whole = (await call('SVC_Media.get', { id: item.id })).item).sizes === 'ready')
    const path = new URL(whole.variants[0].url).pathname
    const first = await front.raw(path)
    const second = await front.raw(path)
    for (const name of ['cache-control', 'content-type', 'content-security-policy', 'x-content-type-options'])
      assert.equal(second.headers.get(name), first.headers.get(name), name)
    assert.equal(first.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    const name = path.slice(path.lastIndexOf('/') + 1)
    await writeFile(join(home, 'user-content', 'media', name.slice(0, 2), name), 'planted text')
    assert.equal((await front.raw(path)).text, 'planted text')
    assert.equal((await front.raw(path.replace('-320.', '-321.'))).status, 404)
    const { url } = await call('SVC_Media.begin-upload', { filename: 'words.txt', bytes: 5 })
    const { pathname, search } = new URL(url)
    const sent = await front.send(`${pathname.slice(basePath.length)}${search}`, { method: 'PUT', body: 'words', token: null })
    assert.equal(sent.json.data?.item.filename, 'words.txt', sent.text)
  })

  test(`nginx ${where}: attack 104: an upload of any other kind is not served from disk, nor one whose name is hidden`, async () => {
    for (const name of [
      '2026/planted.html',
      '2026/planted.svg',
      '.staging/planted.png',
      '2026/.staging/planted.png',
      '2026/none.png',
    ]) {
      const { status, text } = await front.raw(`${basePath}/user-content/uploads/${name}`)
      assert.deepEqual([status, text.includes('planted text')], [404, false], name)
    }
  })

  test(`nginx ${where}: a link in the uploads is not followed`, async () => {
    for (const name of ['link.png', 'linked/planted.png', 'passwd.png']) {
      const { status, text } = await front.raw(`${basePath}/user-content/uploads/${name}`)
      assert.ok(status === 403 || status === 404, `${name} ${status}`)
      assert.doesNotMatch(text, /planted text|root:/)
    }
  })
}

async function plant(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const name of ['planted.png', 'planted.html', 'planted.svg']) await writeFile(join(folder, name), 'planted text')
}
