// A tar that is made while it is read, as `tar` unpacks it from a pipe.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import type { ExportFile } from '../../src/exports/export-file.ts'
import { tarBytes } from '../../src/exports/tar.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tar-test-'))
})
after(() => rm(folder, { recursive: true, force: true }))

async function* only(...files: readonly ExportFile[]): AsyncGenerator<ExportFile> {
  yield* files
}

async function* inParts(...parts: readonly string[]): AsyncGenerator<string> {
  yield* parts
}

async function* bytesIn(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

/** The temporary folders of tars that are being made. */
const leftOver = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('postern-export-'))

test('each kind of content comes out of the pipe as it is, also under long names and names in other scripts', async () => {
  const from = join(folder, 'large')
  await writeFile(from, 'x'.repeat(200_000))
  const long = `${'folder-with-a-name/'.repeat(9)}Брот.md`
  const files = only(
    { path: 'text', content: { text: 'Rye.' } },
    { path: 'empty', content: { text: '' } },
    { path: 'bytes', content: { bytes: Buffer.alloc(512, 'b') } },
    { path: long, content: { pieces: inParts('Grüße, ', 'in parts') } },
    { path: 'open', content: { size: 6, open: () => bytesIn('opened') } },
    { path: 'from', content: { from } },
    { path: '../TEXT', content: { text: 'another one' } },
  )
  const unpacked = await mkdtemp(join(folder, 'out-'))
  const tar = spawn('tar', ['x', '-C', unpacked], { stdio: ['pipe', 'ignore', 'inherit'] })
  const [[code]] = await Promise.all([once(tar, 'exit'), pipeline(Readable.from(tarBytes(files)), tar.stdin)])
  assert.equal(code, 0)
  const read = (path: string) => readFile(join(unpacked, path), 'utf8')
  assert.deepEqual(await Promise.all(['text', 'empty', long, 'open', 'TEXT-2'].map(read)), [
    'Rye.',
    '',
    'Grüße, in parts',
    'opened',
    'another one',
  ])
  assert.deepEqual([(await read('bytes')).length, (await read('from')).length], [512, 200_000])
  assert.equal((await stat(join(unpacked, 'text'))).mode & 0o777, 0o644, 'a web server may read the files')
})

test('the same files make the same bytes, and a reader that leaves leaves nothing behind', async () => {
  const make = () => tarBytes(only({ path: 'a', content: { pieces: inParts('x'.repeat(300_000)) } }))
  assert.deepEqual(await buffer(make()), await buffer(make()))
  const before = await leftOver()
  const left = make()
  await left.next()
  await left.return(undefined)
  assert.deepEqual(
    (await leftOver()).filter((name) => !before.includes(name)),
    [],
  )
})

test('a file that can’t be read is an error of the whole tar', async () => {
  await assert.rejects(buffer(tarBytes(only({ path: 'b', content: { from: '/nowhere/at/all' } }))), /ENOENT/)
})
