// A file that replaces another: whole at every moment, with the mode that was asked for, and nothing left beside it.

import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { replaceFile } from '../../src/base/durable.ts'

async function openFolder() {
  const path = await mkdtemp(join(tmpdir(), 'postern-durable-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

test('many who replace a file at once leave the whole of one, and nothing beside it', async () => {
  await using folder = await openFolder()
  const path = join(folder.path, 'file')
  const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(100_000))
  await Promise.all(texts.map((text) => replaceFile(path, text, { mode: 0o644 })))
  assert.ok(texts.includes(await readFile(path, 'utf8')))
  assert.deepEqual(await readdir(folder.path), ['file'])
})

test('a file has its mode whatever the umask says, and whatever the old one had', async () => {
  await using folder = await openFolder()
  const path = join(folder.path, 'file')
  await writeFile(path, 'old')
  await chmod(path, 0o600)
  const before = process.umask(0o077)
  try {
    await replaceFile(path, 'new', { mode: 0o644 })
  } finally {
    process.umask(before)
  }
  assert.equal((await stat(path)).mode & 0o777, 0o644)
})

test('what a killed run left under the name of the draft is no hindrance', async () => {
  await using folder = await openFolder()
  const [path, draft] = [join(folder.path, 'file'), join(folder.path, 'file.new')]
  await writeFile(draft, 'half of')
  await replaceFile(path, 'whole', { mode: 0o644, draft })
  assert.equal(await readFile(path, 'utf8'), 'whole')
  assert.deepEqual(await readdir(folder.path), ['file'])
})

test('where it fails the old one stays, and no draft', async () => {
  await using folder = await openFolder()
  const path = join(folder.path, 'file')
  await mkdir(join(path, 'below'), { recursive: true })
  await assert.rejects(replaceFile(path, 'new', { mode: 0o644 }), { code: 'EISDIR' })
  assert.deepEqual(await readdir(folder.path), ['file'])
  assert.deepEqual(await readdir(path), ['below'])
})
