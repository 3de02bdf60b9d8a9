// A disk that has no room, for the database and for files: writes are 503 and say so, nothing is left of them, and pages are served as before.
// Runs in a process of its own, because writing calls of this process fail while a test wants them to.

import assert from 'node:assert/strict'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { mock, test } from 'node:test'
import { sql } from 'kysely'
import { openTestSite } from '../identity/open-test-site.ts'
import { openSite, type TestSite } from '../site.ts'
import { onlySqlite } from '../sqlite-only.ts'

const noRoom = () =>
  Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write', errno: -28 })

/** Fails each write of bytes to a file, as a full disk does. Opening, reading and removing files work. */
function fillDisk(): () => void {
  const mocks = [
    mock.method(fs, 'write', (...args: unknown[]) => (args.at(-1) as (error: Error) => void)(noRoom())),
    mock.method(fs, 'writev', (...args: unknown[]) => (args.at(-1) as (error: Error) => void)(noRoom())),
    mock.method(fs.promises, 'writeFile', async (path: string) => {
      // The file is there by then, without its bytes.
      fs.closeSync(fs.openSync(path, 'wx', 0o600))
      throw noRoom()
    }),
  ]
  syncBuiltinESMExports()
  return () => {
    for (const one of mocks) one.mock.restore()
    syncBuiltinESMExports()
  }
}

async function filesOf(site: TestSite): Promise<readonly string[]> {
  const media = join(site.home, 'user-content', 'uploads', 'protected', '.media')
  const incoming = join(site.home, 'data', 'incoming')
  const imports = join(site.home, 'data', 'imports')
  const found = await Promise.all(
    [media, incoming, imports].map((folder) => readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])),
  )
  return found.flat().flatMap((one) => (one.isFile() ? [one.name] : []))
}

test('a full disk of files: every way in is 503 and leaves nothing, pages are served, and the upload can be repeated', async () => {
  await using site = await openSite({ database: 'sqlite' })
  await site.call('SVC_Content.create', { type: 'page', title: 'About', status: 'published', body: 'Words.' })
  const text = 'words '.repeat(1000)
  const form = () => {
    const data = new FormData()
    data.set('class', 'SVC_Media')
    data.set('action', 'upload')
    data.set('file', new Blob([text]), 'words.txt')
    return fetch(`${site.base}/api/`, { method: 'POST', body: data, headers: { authorization: `Bearer ${site.token}` } })
  }
  const { url } = await site.call('SVC_Media.begin-upload', { filename: 'sent.txt', bytes: text.length })
  const { url: importUrl } = await site.call('SVC_Import.begin-upload', { filename: 'export.xml' })
  const ways: Readonly<Record<string, () => ReturnType<typeof answerOf>>> = {
    'in the call': () => site.api('SVC_Media.upload', { text, filename: 'words.txt' }),
    'as a form': async () => answerOf(await form()),
    'by a link': async () => answerOf(await fetch(url, { method: 'PUT', body: text })),
    'to be imported': async () => answerOf(await fetch(importUrl, { method: 'PUT', body: text })),
  }
  const emptyDisk = fillDisk()
  try {
    for (const [way, send] of Object.entries(ways)) {
      const { status, headers, json } = await send()
      assert.deepEqual([status, json.error?.code, headers.get('retry-after')], [503, 'unavailable', '60'], way)
      assert.match(json.error.message, /disk of the site is full, so the file was not stored\. Nothing of it is left/)
    }
    assert.deepEqual(await filesOf(site), [])
    assert.equal((await site.send('/about', { token: null })).status, 200)
  } finally {
    emptyDisk()
  }
  const ids = new Set<string>()
  for (const [way, send] of Object.entries(ways)) {
    const { status, json } = await send()
    assert.equal(status, 200, `${way}: ${JSON.stringify(json)}`)
    if (way !== 'to be imported') ids.add(json.data.item.id)
  }
  assert.equal(ids.size, 1)
})

// oxlint-disable-next-line no-explicit-any -- JSON of many shapes
const answerOf = async (answer: Response) => ({
  status: answer.status,
  headers: answer.headers,
  json: (await answer.json()) as any,
})

test(
  'a full disk of the database: writes are 503, an upload leaves no file, and everything can be read',
  onlySqlite('a limit of pages'),
  async () => {
    await using on = await openTestSite({}, 'SQLite')
    await on.ok('SVC_Content.create', { type: 'page', title: 'About', status: 'published' })
    const limitPages = (pages: number) => sql.raw(`pragma max_page_count = ${pages}`).execute(on.site.store.write)
    await limitPages(1)
    const input = { text: 'words', filename: 'words.txt', caption: 'x'.repeat(2000) }
    // What is left of the last page of a table may take some rows.
    const failure = await (async () => {
      for (let at = 0; at < 50; at++) {
        const { item } = await on
          .ok('SVC_Media.upload', { ...input, text: `words ${at}` })
          .catch((error: Error) => ({ item: error.cause }))
        if (item?.code !== undefined) return item
      }
      return undefined
    })()
    assert.deepEqual([failure?.code, failure?.message], ['unavailable', 'The disk that holds the database is full.'])
    const items = (await on.ok('SVC_Media.list', { limit: 100 })).items.length
    assert.equal((await on.site.media.store.listFiles()).length, items)
    assert.equal((await on.ok('SVC_Content.get', { id: '/about' })).item.title, 'About')
    await limitPages(1_000_000)
    assert.equal((await on.ok('SVC_Media.upload', input)).deduplicated, false)
  },
)
