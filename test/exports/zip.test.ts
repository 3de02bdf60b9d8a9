// A zip that is made while it is read: no faster than its reader, and no longer than the reader stays.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { test } from 'node:test'
import * as yauzl from 'yauzl'
import type { ExportFile } from '../../src/exports/export-file.ts'
import { zipBytes } from '../../src/exports/zip.ts'
import { until } from '../until.ts'
import { readZip } from '../../src/plugins/read-zip.ts'

const fileBytes = 256 * 1024

/** Files without end, and how many were asked for. */
function endless() {
  const seen = { files: 0, left: false }
  async function* files(): AsyncGenerator<ExportFile> {
    try {
      for (;;) yield { path: `${++seen.files}.bin`, content: { bytes: randomBytes(fileBytes) } }
    } finally {
      seen.left = true
    }
  }
  return { seen, files: files() }
}

test('a slow reader has few files in memory, and one that leaves ends the reading of files', { timeout: 300_000 }, async () => {
  const { seen, files } = endless()
  const zip = zipBytes(files)
  await zip.next()
  await new Promise((resolve) => setTimeout(resolve, 200))
  assert.ok(seen.files <= 3, `${seen.files} files were asked for`)
  await zip.return(undefined)
  assert.ok(seen.left)
})

test('a reader that leaves amid a large file closes it', { timeout: 300_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-zip-'))
  try {
    const from = join(folder, 'large')
    await writeFile(from, randomBytes(8 * 1024 ** 2))
    const open = async () => (await readdir('/proc/self/fd', { withFileTypes: true })).length
    const before = await open()
    for (let times = 0; times < 20; times += 1) {
      const zip = zipBytes(only({ path: 'large', content: { from } }))
      await zip.next()
      await zip.return(undefined)
    }
    await until('the files are closed', async () => (await open()) < before + 10)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('a file that can’t be read is an error of the whole zip', { timeout: 300_000 }, async () => {
  const zip = zipBytes(
    only({ path: 'a', content: { bytes: randomBytes(9) } }, { path: 'b', content: { from: '/nowhere/at/all' } }),
  )
  await assert.rejects(buffer(zip), /ENOENT/)
})

test('a zip has each file as it is, of every kind of content', async () => {
  const text = 'Rye, '.repeat(10_000)
  const zip = await buffer(
    zipBytes(
      only(
        { path: 'text', content: { text } },
        { path: 'bytes', content: { bytes: Buffer.from('bytes') } },
        { path: 'empty', content: { text: '' } },
        { path: 'from', content: { from: import.meta.filename } },
      ),
    ),
  )
  assert.ok(zip.length < text.length, 'texts are compressed')
  const entries = await readZip(zip, AbortSignal.timeout(300_000))
  const sizes = await Promise.all(entries.map(async ({ path, read }) => [path, (await buffer(read())).length]))
  assert.deepEqual(sizes.slice(0, 3), [
    ['text', text.length],
    ['bytes', 5],
    ['empty', 0],
  ])
})

test('a zip of more files than the short form of its end can count has each of them', async () => {
  const count = 66_000
  async function* many(): AsyncGenerator<ExportFile> {
    for (let at = 0; at < count; at++) yield { path: `${at}`, content: { size: `${at}`.length, open: () => piecesOf(`${at}`) } }
  }
  const zip = await yauzl.fromBufferPromise(await buffer(zipBytes(many())))
  assert.equal(zip.entryCount, count)
  let last: yauzl.Entry | undefined
  for await (const entry of zip.eachEntry()) last = entry
  assert.ok(last)
  assert.equal(last.fileName, `${count - 1}`)
  assert.equal(await text(await zip.openReadStreamPromise(last)), `${count - 1}`)
})

async function* piecesOf(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content)
}

async function* only(...files: readonly ExportFile[]): AsyncGenerator<ExportFile> {
  yield* files
}
