// What can be imported: folders, archives and single files, within limits and never outside (attacks 161, 162).

import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { ZipFile } from 'yazl'
import { openSource } from '../../src/imports/sources/open-source.ts'

const home = await mkdtemp(join(tmpdir(), 'postern-sources-'))
after(() => rm(home, { recursive: true, force: true }))
const staging = join(home, 'staging')
await mkdir(staging)

async function save(name: string, bytes: Buffer | string): Promise<string> {
  const path = join(home, name)
  await writeFile(path, bytes)
  return path
}

async function zipOf(files: readonly (readonly [name: string, content: string | Buffer, mode?: number])[]): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content, mode] of files)
    zip.addBuffer(Buffer.from(content as string), name, mode === undefined ? {} : { mode })
  zip.end()
  return buffer(zip.outputStream)
}

/** yazl refuses such names, so they are written over those of the same length. */
const renamed = (zip: Buffer, from: string, to: string) => Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1')

test('a folder is read without links, devices and what is never content', async () => {
  const folder = join(home, 'folder')
  await mkdir(join(folder, 'posts'), { recursive: true })
  await mkdir(join(folder, 'node_modules', 'x'), { recursive: true })
  await writeFile(join(folder, 'posts', 'rye.md'), '# Rye')
  await writeFile(join(folder, 'node_modules', 'x', 'readme.md'), 'x')
  await writeFile(join(folder, 'posts', 'bru\u0308he.md'), 'in another normal form')
  await symlink('/etc/passwd', join(folder, 'posts', 'passwd.md'))
  await symlink('/etc', join(folder, 'etc'))
  const files = await openSource(folder, staging)
  assert.deepEqual([...files.sizes.keys()], ['posts/br\u00fche.md', 'posts/rye.md'])
  assert.equal(await text(files.open('posts/br\u00fche.md')), 'in another normal form')
  assert.deepEqual(
    files.leftOut.map(({ path, reason }) => `${path}: ${reason}`),
    ['etc: a symbolic link', 'posts/passwd.md: a symbolic link'],
  )
})

test('a zip: names that leave the folder, links and doubles are named and never read', async () => {
  const zip = await zipOf([
    ['b.md', 'b'],
    ['xx/evil.md', 'x'],
    ['/abs.md'.replace('/', '_'), 'x'],
    ['a.md', 'a'],
    ['link.md', '/etc/passwd', 0o120777],
    ['__MACOSX/b.md', 'x'],
    ['c.md', 'first'],
    ['d.md', 'second'],
  ])
  const bytes = [
    ['xx/evil.md', '../evil.md'],
    ['_abs.md', '/abs.md'],
    ['d.md', 'c.md'],
  ].reduce((all, [from = '', to = '']) => renamed(all, from, to), zip)
  const files = await openSource(await save('names.zip', bytes), staging)
  assert.deepEqual([...files.sizes.keys()], ['a.md', 'b.md', 'c.md'])
  assert.equal(await text(files.open('c.md')), 'first')
  assert.deepEqual(
    files.leftOut.map(({ reason }) => reason),
    ['a path that leaves the folder', 'an absolute path', 'a symbolic link', 'another file has the same name'],
  )
  await files.close()
})

test('a zip bomb is refused by its directory, before a byte is unpacked', async () => {
  const bomb = await zipOf([['a.md', Buffer.alloc(40 * 1024 ** 2)]])
  await assert.rejects(openSource(await save('bomb.zip', bomb), staging), /more than 100 times as large/)
})

test('a file in a zip that is longer than the directory says, and a zip that was cut, end with a sentence', async () => {
  const zip = await zipOf([['a.md', 'x'.repeat(1000)]])
  const sizeAt = zip.readUInt32LE(zip.length - 6) + 24
  const lying = Buffer.from(zip)
  lying.writeUInt32LE(10, sizeAt)
  const files = await openSource(await save('lying.zip', lying), staging)
  await assert.rejects(text(files.open('a.md')), /damaged or was cut off/)
  await assert.rejects(openSource(await save('cut.zip', zip.subarray(0, zip.length - 30)), staging), /damaged or was cut off/)
})

test('a tar in gzip is unpacked under numbers, and its staging folder goes with it', async () => {
  const tar = pack()
  tar.entry({ name: 'site/_posts/2024-05-01-rye.md' }, '# Rye')
  tar.entry({ name: '../../evil.md' }, 'x')
  tar.entry({ name: 'site/link.md', type: 'symlink', linkname: '/etc/passwd' })
  tar.entry({ name: 'dev', type: 'character-device' })
  tar.finalize()
  const files = await openSource(await save('site.tgz', gzipSync(await buffer(tar))), staging)
  assert.deepEqual([...files.sizes], [['site/_posts/2024-05-01-rye.md', 5]])
  assert.equal(await text(files.open('site/_posts/2024-05-01-rye.md')), '# Rye')
  assert.deepEqual(
    files.leftOut.map(({ reason }) => reason),
    ['a path that leaves the folder', 'a link', 'no file'],
  )
  await files.close()
  assert.deepEqual(await readdir(staging), [])
})

test('a gzip of one file is that file; a gzip bomb ends early and leaves nothing', async () => {
  const files = await openSource(await save('export.xml.gz', gzipSync('<rss/>')), staging)
  assert.equal(await text(files.open('export.xml')), '<rss/>')
  await files.close()
  const bomb = gzipSync(Buffer.alloc(64 * 1024 ** 2))
  await assert.rejects(openSource(await save('bomb.gz', bomb), staging), /more than 100 times as large/)
  assert.deepEqual(await readdir(staging), [])
})

test('one file of more than 64 GiB is refused, and what is not there has a sentence', async () => {
  const path = await save('huge.xml', '<rss>')
  await truncate(path, 65 * 1024 ** 3)
  await assert.rejects(openSource(path, staging), /more than 64 GiB/)
  await assert.rejects(openSource(join(home, 'nothing'), staging), /There is no file/)
})
