// The file of an import on its way: what arrives whole is kept for a week, and nothing else is ever found.

import assert from 'node:assert/strict'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { unusedMediaTurn } from '../../src/actions/media/unused-media.ts'
import { keepStaged } from '../../src/imports/staged-imports.ts'
import { openTestSite } from '../identity/open-test-site.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'
import { oldItem, oldSite } from './old-site.ts'

const folderOf = (home: string): string => join(home, 'data', 'imports')
const exportOf = (title: string): string => oldSite(oldItem({ id: 1, title, slug: 'one' }))

/** Sends the beginning of a file, and breaks the connection once some of it is on the disk. */
async function sendHalf(site: TestSite, url: URL, file: string, body: string): Promise<void> {
  const { hostname, port } = new URL(site.base)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.write(`PUT ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-length: 9000000\r\n\r\n${body}`)
  await until('a part of the file', async () =>
    (await readdir(join(folderOf(site.home), file)).catch((): string[] => [])).includes('incoming'),
  )
  socket.destroy()
}

test('a file whose connection breaks is not there, the one before it is still the latest, and the link takes it again', async () => {
  await using site = await openSite()
  const begin = () => site.call('SVC_Import.begin-upload', { filename: 'export.xml' })
  const send = async (link: { readonly url: string }, body: string) => {
    const url = new URL(link.url)
    return site.send(url.pathname + url.search, { method: 'PUT', body, token: null })
  }
  const first = await begin()
  assert.equal((await send(first, exportOf('First'))).status, 200)
  const second = await begin()
  await sendHalf(site, new URL(second.url), second.file, exportOf('Half'))
  await until('nothing of it', async () => !(await readdir(folderOf(site.home))).includes(second.file))
  assert.equal((await site.api('SVC_Import.inspect', { file: second.file })).json.error.code, 'not_found')
  const latest = await site.call('SVC_Import.inspect', { file: 'latest' })
  assert.equal(latest.counts.entries, 1)

  // A crash leaves what had arrived.
  await mkdir(join(folderOf(site.home), second.file, 'source'), { recursive: true })
  await writeFile(join(folderOf(site.home), second.file, 'incoming'), exportOf('Half').slice(0, 200))
  assert.equal((await site.api('SVC_Import.inspect', { file: second.file })).json.error.code, 'not_found')
  assert.equal((await site.call('SVC_Import.inspect', { file: 'latest' })).counts.entries, 1)
  assert.equal((await send(second, exportOf('Second'))).status, 200)
  const done = await site.call('SVC_Import.run', { file: 'latest', media: 'none' })
  assert.equal(done.counts['entries.made'], 1)
  assert.equal((await site.call('SVC_Content.get', { id: '/one' })).item.title, 'Second')
  assert.equal((await send(second, exportOf('Third'))).status, 404, 'a link takes one file')
})

test('a file is deleted a week after it came, by recurring work and by a start', async () => {
  await using on = await openTestSite()
  const keep = async (id: string) => {
    const stream = (async function* () {
      yield Buffer.from('secret')
    })()
    await keepStaged(on.home, stream, { id, filename: 'ghost.json', now: on.clock.at })
    await utimes(join(folderOf(on.home), id), on.clock.at / 1000, on.clock.at / 1000)
  }
  const [one, other] = ['01jdqzzzzzzzzzzzzzzzzzzzz1', '01jdqzzzzzzzzzzzzzzzzzzzz2']
  await keep(one)
  on.clock.at += 6 * 86_400_000
  await keep(other)
  await unusedMediaTurn(on.site).run(new AbortController().signal)
  assert.deepEqual((await readdir(folderOf(on.home))).sort(), [one, other])
  on.clock.at += 2 * 86_400_000
  await unusedMediaTurn(on.site).run(new AbortController().signal)
  assert.deepEqual(await readdir(folderOf(on.home)), [other])
  on.clock.at += 6 * 86_400_000
  await on.other()
  assert.deepEqual(await readdir(folderOf(on.home)), [])
})
