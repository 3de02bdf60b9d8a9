// Media that cost much: an image that takes too long, and a file that is larger than anything but an upload link takes.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { openFront } from '../front.ts'
import { openSite } from '../site.ts'
import { until } from '../until.ts'

const run = promisify(execFile)

test('attack 106: an image whose sizes take too long is given up with a reason, and its original stays', async () => {
  await using site = await openSite({ env: { POSTERN_PICTURE_SECONDS: '3' } })
  // 60 million pixels in 60 frames are read in a second, and take far longer to be made into animations.
  const side = 1000
  const frames = 60
  const raw = Buffer.alloc(side * side * frames * 3)
  for (let at = 0; at < raw.length; at += 1) raw[at] = (at * 2654435761) >>> 24
  const gif = await sharp(raw, { raw: { width: side, height: side * frames, channels: 3, pageHeight: side } } as never)
    .gif({ effort: 1, colours: 4, dither: 0 })
    .toBuffer()
  const { upload_id, url } = await site.call('SVC_Media.begin-upload', { filename: 'slow.gif', bytes: gif.length, alt: 'x' })
  const sent = await fetch(url, { method: 'PUT', body: new Uint8Array(gif) })
  const { data, error } = (await sent.json()) as any // oxlint-disable-line no-explicit-any
  assert.equal(error, undefined, `${upload_id}`)
  let item = data.item
  await until(
    'the work is given up',
    async () => (item = (await site.call('SVC_Media.get', { id: item.id })).item).sizes !== 'making',
  )
  assert.deepEqual([item.sizes, /more than 3 seconds/.test(item.problem)], ['failed', true], item.problem)
  const { items } = await site.call('SVC_Jobs.list', { where: { call: 'SVC_Media.upload' } })
  const failed = items.find(({ state }: { state: string }) => state === 'failed')
  assert.match(JSON.stringify(await site.call('SVC_Jobs.get', { id: failed.id })), /more than 3 seconds/)
  assert.deepEqual(await readdir(join(site.home, 'user-content', 'uploads', 'protected', '.media', '.staging')), [])
  const original = await fetch(item.original_url)
  assert.ok(Buffer.from(await original.arrayBuffer()).equals(gif))
  await site.call('SVC_Media.delete', { ids: [item.id] })
})

for (const [where, basePath] of [
  ['at the root', ''],
  ['in a subdirectory', '/blog'],
] as const)
  test(`nginx ${where}: a file above 64 MiB goes to the upload link, and to no other address`, async () => {
    await using site = await openSite({ basePath })
    await using front = await openFront({ upstream: site.port, basePath, home: site.home })
    const folder = await mkdtemp(join(tmpdir(), 'postern-large-'))
    try {
      const path = join(folder, 'film.mp4')
      const file = await open(path, 'w')
      await file.write(Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'))
      const bytes = 70 * 1024 ** 2
      await file.truncate(bytes)
      await file.close()
      const curl = async (...args: string[]) => {
        const { stdout } = await run('curl', ['-s', '-w', '\n%{http_code}', '-H', 'expect:', ...args])
        const at = stdout.lastIndexOf('\n')
        return { status: Number(stdout.slice(at + 1)), text: stdout.slice(0, at) }
      }
      const through = (address: string) => front.address + new URL(address).pathname + new URL(address).search
      const { url } = await site.call('SVC_Media.begin-upload', { filename: 'film.mp4', bytes })
      const sent = await curl('-T', path, through(url))
      assert.equal(sent.status, 200, sent.text)
      const { item } = JSON.parse(sent.text).data
      assert.deepEqual([item.kind, item.bytes, item.filename], ['video/mp4', bytes, 'film.mp4'])
      const shown = await curl('-r', '4-11', '-o', join(folder, 'part'), through(item.url))
      assert.deepEqual([shown.status, (await stat(join(folder, 'part'))).size], [206, 8])

      const token = ['-H', `authorization: Bearer ${site.token}`]
      const form = ['-F', 'class=SVC_Media', '-F', 'action=upload', '-F', `file=@${path}`]
      const api = await curl(...token, ...form, `${front.base}/api/`)
      assert.deepEqual(
        [api.status, JSON.parse(api.text).error],
        [413, { code: 'too_large', message: 'The body is larger than 64 MiB.' }],
      )
      const mcp = await curl(...token, '--data-binary', `@${path}`, `${front.base}/mcp/`)
      assert.deepEqual([mcp.status, JSON.parse(mcp.text).error.message], [413, 'The body is larger than 64 MiB.'])
      for (const page of ['/', '/admin/media', '/media/film.mp4']) {
        const refused = await curl('--data-binary', `@${path}`, front.base + page)
        assert.deepEqual([refused.status, /takes at most 64 MiB/.test(refused.text)], [413, true], `${page} ${refused.text}`)
      }
      const again = await curl('-T', path, through(url))
      assert.equal(JSON.parse(again.text).error.code, 'not_found')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
