// A protected file: never at its own path, and by its signed address to whoever has that.

import assert from 'node:assert/strict'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { system } from '../../src/identity/caller.ts'
import { createSiteKey } from '../../src/identity/site-key.ts'
import { signedPath } from '../../src/media/signed-address.ts'
import { openSite, type TestSite } from '../site.ts'

const png = Buffer.from('\x89PNG\r\n\x1a\n0123456789', 'latin1')
let site: TestSite
let folder: string
before(async () => {
  site = await openSite({ basePath: '/blog' })
  folder = join(site.home, 'user-content', 'uploads', 'protected')
  await mkdir(join(folder, 'inside'))
  await writeFile(join(folder, 'inside', 'größe.svg'), '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')
  await writeFile(join(folder, 'photo.txt'), png)
  await writeFile(join(folder, 'empty'), '')
})
after(() => site[Symbol.asyncDispose]())

const addressOf = async (id: string): Promise<string> => (await site.call('SVC_Media.get', { id })).item.url as string
const open = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url, { headers, method, redirect: 'manual' })

test('list and get tell what is there to those who may read, and nothing to others', async () => {
  const { items, total } = await site.call('SVC_Media.list', { count: true })
  assert.deepEqual(
    items.map(({ id, kind }: Record<string, unknown>) => [id, kind]),
    [
      ['protected/empty', 'application/octet-stream'],
      ['protected/inside/größe.svg', 'application/octet-stream'],
      ['protected/photo.txt', 'image/png'],
    ],
  )
  assert.equal(total, 3)
  const first = await site.call('SVC_Media.list', { limit: 2 })
  const rest = await site.call('SVC_Media.list', { limit: 2, cursor: first.next_cursor })
  assert.deepEqual([...first.items, ...rest.items], items)
  assert.equal(rest.next_cursor, null)
  assert.equal((await site.api('SVC_Media.get', { id: 'protected/photo.txt' }, { token: null })).json.error.code, 'not_found')
  assert.equal((await site.api('SVC_Media.get', { id: 'protected/../../x' })).json.error.code, 'not_found')
  assert.equal((await site.send('/user-content/uploads/protected/photo.txt')).status, 403)
})

test('an image of pixels is shown, by its bytes and not its name', async () => {
  const answer = await open(await addressOf('protected/photo.txt'))
  assert.equal(answer.status, 200)
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), png)
  const told = [
    'content-type',
    'content-disposition',
    'content-security-policy',
    'cache-control',
    'x-content-type-options',
    'content-length',
  ]
  assert.deepEqual(
    told.map((name) => answer.headers.get(name)),
    [
      'image/png',
      'inline; filename="photo.txt"',
      "default-src 'none'; sandbox",
      'private, no-store',
      'nosniff',
      String(png.length),
    ],
  )
})

test('anything else is kept and not shown, under its own name', async () => {
  const answer = await open(await addressOf('protected/inside/größe.svg'))
  assert.equal(
    answer.headers.get('content-disposition'),
    `attachment; filename="gr__e.svg"; filename*=UTF-8''gr%C3%B6%C3%9Fe.svg`,
  )
  assert.equal(answer.headers.get('content-type'), 'application/octet-stream')
  assert.match(await answer.text(), /<script/)
  assert.equal(await (await open(await addressOf('protected/empty'))).text(), '')
})

test('HEAD tells the same without the bytes', async () => {
  const answer = await open(await addressOf('protected/photo.txt'), { range: 'bytes=0-1' }, 'HEAD')
  assert.deepEqual([answer.status, answer.headers.get('content-length'), await answer.text()], [200, String(png.length), ''])
})

test('attack 108: one part is 206, several or reversed are the whole, beyond the end is 416', async () => {
  const url = await addressOf('protected/photo.txt')
  const part = await open(url, { range: 'bytes=1-3' })
  assert.deepEqual([part.status, await part.text(), part.headers.get('content-range')], [206, 'PNG', `bytes 1-3/${png.length}`])
  for (const range of ['bytes=3-1', `bytes=${'0-0,'.repeat(999)}0-0`, 'lines=1-2']) {
    const whole = await open(url, { range })
    assert.deepEqual([whole.status, (await whole.arrayBuffer()).byteLength], [200, png.length])
  }
  const beyond = await open(url, { range: 'bytes=99-' })
  assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, `bytes */${png.length}`])
})

test('a forged address, another name, and a file that became a link are 404', async () => {
  const url = await addressOf('protected/photo.txt')
  for (const forged of [
    url.replace('psf_', 'psf_A'),
    url.replace('photo.txt', 'photo.html'),
    `${url}/`,
    url.replace('photo.txt', ''),
  ]) {
    assert.equal((await open(forged)).status, 404, forged)
  }
  await writeFile(join(folder, 'goes'), 'x')
  const gone = await addressOf('protected/goes')
  await rm(join(folder, 'goes'))
  await symlink(join(site.home, 'data', 'site.key'), join(folder, 'goes'))
  assert.equal((await open(gone)).status, 404)
})

test('an address that has ended says so', async () => {
  const key = createSiteKey(await readFile(join(site.home, 'data', 'site.key')))
  const path = signedPath(key, { id: 'protected/photo.txt', filename: 'photo.txt' }, Date.now() - 1, system)
  const ended = await site.send(path)
  assert.equal(ended.status, 403)
  assert.match(ended.text, /This link has expired/)
})

test('an address ends with the token that asked for it, and stands in no log', async () => {
  const { item, token } = await site.call('SVC_Tokens.create', { name: 'short', scope: 'read' })
  const url = (await site.call('SVC_Media.get', { id: 'protected/photo.txt' }, { token })).item.url as string
  assert.equal((await open(url)).status, 200)
  await site.call('SVC_Tokens.revoke', { ids: [item.id], expect: 1 })
  assert.equal((await open(url)).status, 404)
  const [, secret = ''] = /(psf_[\w-]+)/.exec(url) ?? []
  assert.ok(secret.length > 60)
  assert.ok(site.log.every((line) => !line.includes(secret.slice(10, 50))))
})
