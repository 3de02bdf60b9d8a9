// Protected files: what is one, what isn't, and the signed addresses by which they are fetched.

import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { isRaster, kindOf } from '../../src/media/file-kind.ts'
import { openProtectedFiles, type ProtectedFiles } from '../../src/media/protected-files.ts'

let home: string
let files: ProtectedFiles
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'postern-test-'))
  const folder = join(home, 'user-content', 'uploads', 'protected')
  await mkdir(join(folder, '2026'), { recursive: true })
  await mkdir(join(folder, 'folder.pdf'))
  await writeFile(join(folder, 'report.pdf'), '%PDF-1.7 and more')
  await writeFile(join(folder, '2026', 'größe.txt'), 'text')
  await writeFile(join(folder, '.hidden'), 'x')
  await writeFile(join(folder, 'back\\slash'), 'x')
  await writeFile(join(home, 'user-content', 'uploads', 'open.txt'), 'x')
  await writeFile(join(home, 'secret'), 'secret')
  await symlink(join(home, 'secret'), join(folder, 'link.txt'))
  await symlink(home, join(folder, 'links'))
  files = openProtectedFiles(home)
})
after(() => rm(home, { recursive: true, force: true }))

test('files are listed with those in folders; links, hidden and unsayable names are not', async () => {
  assert.deepEqual(await files.list(), ['protected/2026/größe.txt', 'protected/report.pdf'])
})

test('a file is told by its content', async () => {
  const found = await files.find('protected/report.pdf')
  assert.deepEqual([found?.kind, found?.bytes, found?.filename], ['application/pdf', 17, 'report.pdf'])
})

for (const id of [
  'protected/none',
  'protected/link.txt',
  'protected/links/secret',
  'protected/../open.txt',
  'protected/2026/../report.pdf',
  'protected/./report.pdf',
  'protected//report.pdf',
  'protected/.hidden',
  'protected/folder.pdf',
  'protected/back\\slash',
  'protected/report.pdf/',
  'protected/report.pdf/x',
  'protected/a\0b',
  'protected/',
  'protected',
  'open.txt',
  'report.pdf',
  '/etc/passwd',
  '',
  `protected/${'a'.repeat(300)}`,
]) {
  test(`there is no protected file ${JSON.stringify(id.slice(0, 40))}`, async () => {
    assert.equal(await files.find(id), undefined)
    await assert.rejects(files.read(id, 0, 0)[Symbol.asyncIterator]().next())
  })
}

test('a part is read as it was asked for', async () => {
  const parts: Uint8Array[] = []
  for await (const part of files.read('protected/report.pdf', 1, 3)) parts.push(part)
  assert.equal(Buffer.concat(parts).toString(), 'PDF')
})

for (const [head, kind] of [
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff\xe0', 'image/jpeg'],
  ['GIF89a', 'image/gif'],
  ['RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
  ['\0\0\0\x1cftypavif', 'image/avif'],
] as const) {
  test(`${kind} may be shown`, () => {
    assert.equal(kindOf(Buffer.from(head, 'latin1')), kind)
    assert.ok(isRaster(kind))
  })
}

for (const text of ['<svg xmlns="http://www.w3.org/2000/svg">', '<!doctype html>', '%PDF-1.7', 'RIFF\0\0\0\0WAVE', '', 'GIF']) {
  test(`what begins with ${JSON.stringify(text.slice(0, 12))} may not be shown`, () =>
    assert.equal(isRaster(kindOf(Buffer.from(text))), false))
}
