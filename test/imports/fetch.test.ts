// Pictures that are still on the old site: a real server plays it, behind the guard of the way out.

import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import sharp from 'sharp'
import { callAction } from '../../src/actions/call/call-action.ts'
import { importActions } from '../../src/actions/imports/index.ts'
import type { Site } from '../../src/app/compose.ts'
import { callerFor, withSite } from '../../src/cli/open-site.ts'
import { stageLocal } from '../../src/imports/staged-imports.ts'
import { fillHome } from '../home-template.ts'
import { listen, outboundTo, publicAddress } from '../outbound/open-outbound.ts'
import { findAddress, usesPostgres } from '../postgres.ts'
import { oldFile, oldItem, oldSite, oldUrl } from './old-site.ts'

const names = ['loaf', 'gone', 'page', 'cut', 'inside']
const image = (name: string) => `<p>${name}</p><img src="${oldUrl}/wp-content/uploads/${name}.png" alt="${name}">`
const cover = '<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>10</wp:meta_value></wp:postmeta>'
const items = [
  oldItem({ id: 1, title: 'Rye', slug: 'rye', body: [...names, 'unlisted'].map(image).join(''), more: cover }),
  ...names.map((name, at) => oldFile(10 + at, `${name}.png`)),
]

test('pictures come from the old site once it is there; what it does not give whole, or gives from inside, is named (attacks 117, 164)', async () => {
  const home = await mkdtemp(join(tmpdir(), 'postern-import-fetch-'))
  await fillHome(home, usesPostgres)
  const png = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#963' } })
    .png()
    .toBuffer()
  await using inside = await listen((_request, response) => void response.end(png), '127.0.0.1')
  let isDown = true
  await using old = await listen(({ url = '' }, response) => {
    if (isDown) return void response.writeHead(503).end()
    if (/loaf|unlisted/.test(url)) return void response.writeHead(200, { 'content-type': 'image/png' }).end(png)
    if (url.includes('page')) return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Gone</h1>')
    if (url.includes('inside'))
      return void response.writeHead(302, { location: `http://127.0.0.1:${inside.port}/secret.png` }).end()
    if (!url.includes('cut')) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-length': png.length }).write(png.subarray(0, 20))
    return void setTimeout(() => response.destroy(), 50)
  })
  const file = join(home, 'export.xml')
  await writeFile(file, oldSite(items.join('')).replaceAll(oldUrl, `http://old.example:${old.port}`))
  const out = outboundTo({ 'old.example': [[publicAddress]] })
  const outbound = { ...out, fetch: (url: string, more = {}) => out.fetch(url, { ...more, ports: [old.port, inside.port] }) }
  const url = await findAddress(home)
  const env = { POSTERN_HOME: home, ...(url !== undefined && { POSTERN_DATABASE_URL: url }) }
  const io = { env, stdin: Readable.from([]), out: () => undefined, err: () => undefined }
  try {
    await withSite(io, async (whole) => {
      const site = Object.create(whole, { outbound: { value: outbound } }) as Site
      const caller = await callerFor(site)
      const around = { origin: 'http://localhost', jobWaitMs: Infinity }
      const run = async (again?: Readonly<Record<string, unknown>> | null) => {
        const { id } = await stageLocal(home, file, site.clock.now())
        const given = again ?? { file: id, media: 'fetch' }
        const { data, failure } = await callAction(site, caller, importActions.run, given, {}, around)
        if (failure) throw failure
        const got = await callAction(site, caller, importActions.get, { id: data.run }, {}, around)
        if (got.failure) throw got.failure
        return got.data.item
      }
      const bodyOf = () => whole.store.read.selectFrom('entry').selectAll().where('path', '=', '/rye').executeTakeFirstOrThrow()
      const first = await run()
      assert.equal(first.counts['media.failed'], 6, JSON.stringify(first.losses))
      assert.equal(first.counts['media.made'], undefined)
      assert.match((await bodyOf()).body, /old\.example/, 'a picture that is not here stays as it was written')

      isDown = false
      assert.ok(first.again, 'the file is still here')
      const second = await run({ ...first.again })
      const reasons = Object.fromEntries(
        second.losses.filter(({ group }) => group === 'media').map(({ name, reason }) => [name, reason]),
      )
      assert.match(reasons['gone.png'] ?? '', /answered 404/)
      assert.match(reasons['page.png'] ?? '', /a page in place of the file/)
      assert.ok(reasons['cut.png'] !== undefined && reasons['inside.png'] !== undefined, JSON.stringify(reasons))
      assert.deepEqual(inside.asked, [], 'nothing asks an address inside')
      assert.equal(second.counts['media.failed'], 4)
      const { body, cover: shown } = await bodyOf()
      assert.match(body, /!\[loaf\]\(\/media\/loaf\.png/)
      // Two names of one picture are one file.
      assert.match(body, /!\[unlisted\]\(\/media\/loaf\.png/)
      assert.notEqual(shown, null, 'the cover came')
    })
  } finally {
    await rm(home, { recursive: true, force: true })
  }
})
