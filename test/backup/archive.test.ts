// Archives as strangers make them: whatever is in one, nothing leaves the folder, and what isn't a backup is told as such.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { truncateSync } from 'node:fs'
import { mkdir, open, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { hashFile } from '../../src/base/hash-file.ts'
import { tarEnd, tarHeader, tarPadding } from '../../src/base/tar-header.ts'
import { openArchive } from '../../src/backup/open-archive.ts'
import { readTarEntries } from '../../src/backup/tar-format.ts'
import { unpack } from '../../src/backup/unpack.ts'
import { Failure } from '../../src/base/failure.ts'
import { fc } from '../properties.ts'
import { openTestFolder } from '../store/open-test-store.ts'

interface File {
  readonly path: string
  readonly text: string
}

const traits = { modifiedAt: 0, mode: 0o600 }

const part = (path: string, text: string | Buffer): Buffer => {
  const bytes = Buffer.from(text)
  return Buffer.concat([tarHeader(path, bytes.length, traits), bytes, tarPadding(bytes.length)])
}

/** An archive of these files, with the manifest that goes with them unless another is given. */
function archiveOf(files: readonly File[], manifest: Record<string, unknown> = {}): Buffer {
  const told = {
    format: 1,
    id: '0'.repeat(26),
    version: '1',
    schema: '',
    created_at: '2026-11-21T09:00:00.000Z',
    note: null,
    rows: {},
    files: files.map(({ path, text }) => ({
      path,
      bytes: Buffer.byteLength(text),
      sha256: createHash('sha256').update(text).digest('hex'),
    })),
    ...manifest,
  }
  return Buffer.concat([...files.map(({ path, text }) => part(path, text)), part('manifest.json', JSON.stringify(told)), tarEnd])
}

const database: File = { path: 'data/postern.db', text: 'database' }

/** Unpacks bytes; answers the failure and what is in the folder above. */
async function tryUnpack(bytes: Buffer): Promise<{ failure: unknown; found: string[] }> {
  await using folder = await openTestFolder()
  const into = join(folder.path, 'a', 'into')
  await mkdir(into, { recursive: true })
  await writeFile(join(folder.path, 'x.tar'), bytes)
  const failure = await unpack(join(folder.path, 'x.tar'), into).then(
    () => undefined,
    (error: unknown) => error,
  )
  return { failure, found: (await readdir(folder.path, { recursive: true })).filter((name) => name !== 'x.tar').sort() }
}

const badPaths = [
  '../evil',
  'data/../../evil',
  '/etc/cron.d/evil',
  'user-content/uploads/../../../evil',
  'user-content/uploads/./a',
  'user-content//uploads/a',
  'user-content/uploads/a\\..\\b',
  'user-content/uploads/a\u0000b',
  'user-content/uploads/a\nb',
  'user-content/uploads/',
  'user-content/logs/postern-errors.log',
  'user-content/other/a',
  'data/postern.db-wal',
  'data/in-use.lock',
  'data/sub/site.key',
  'dist/main.js',
  'manifest.json',
]
for (const path of badPaths) {
  test(`a file at ${JSON.stringify(path)} is refused, and nothing is unpacked`, async () => {
    const { failure, found } = await tryUnpack(archiveOf([database, { path, text: 'evil' }]))
    assert.ok(failure instanceof Failure && failure.code === 'unprocessable', String(failure))
    assert.deepEqual(found, ['a', 'a/into'])
  })
}

const rows: readonly { rule: string; bytes: Buffer; words: RegExp }[] = [
  { rule: 'nothing at all', bytes: Buffer.alloc(0), words: /cut off/ },
  { rule: 'two empty blocks', bytes: tarEnd, words: /must be manifest\.json/ },
  { rule: 'text', bytes: Buffer.from('hello '.repeat(1000)), words: /no backup of Postern/ },
  { rule: 'no manifest', bytes: Buffer.concat([part('data/postern.db', 'x'), tarEnd]), words: /must be manifest\.json/ },
  { rule: 'a manifest that is no JSON', bytes: Buffer.concat([part('manifest.json', '{'), tarEnd]), words: /no JSON/ },
  { rule: 'a manifest of a later form', bytes: archiveOf([database], { format: 2 }), words: /newer Postern/ },
  {
    rule: 'a manifest without hashes',
    bytes: archiveOf([database], { files: [{ path: 'data/postern.db', bytes: 8 }] }),
    words: /not as it must be/,
  },
  {
    rule: 'a file that the manifest doesn’t name',
    bytes: archiveOf([database], { files: [] }),
    words: /not those of its manifest/,
  },
  { rule: 'one file twice', bytes: archiveOf([database, database]), words: /not those of its manifest/ },
  { rule: 'no database', bytes: archiveOf([{ path: 'data/site.key', text: 'k' }]), words: /not those of its manifest/ },
  {
    rule: 'a file that isn’t what was hashed',
    bytes: replaced(archiveOf([database]), 'database', 'databasE', 1),
    words: /not as it was saved/,
  },
]
function replaced(bytes: Buffer, from: string, to: string, nth: number): Buffer {
  let at = bytes.indexOf(from)
  for (let i = 1; i < nth; i++) at = bytes.indexOf(from, at + 1)
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(to), bytes.subarray(at + from.length)])
}
for (const { rule, bytes, words } of rows) {
  test(`${rule} is refused`, async () => {
    const { failure } = await tryUnpack(bytes)
    assert.ok(failure instanceof Failure && failure.code === 'unprocessable', String(failure))
    assert.match(failure.message, words)
  })
}

test('links and folders that tar itself writes are refused', async () => {
  await using folder = await openTestFolder()
  for (const kind of ['link', 'folder']) {
    const source = join(folder.path, kind)
    await mkdir(join(source, 'user-content/uploads'), { recursive: true })
    if (kind === 'link') await symlink('/etc/passwd', join(source, 'user-content/uploads/a'))
    const tar = join(folder.path, `${kind}.tar`)
    await promisify(execFile)('tar', [
      'cf',
      tar,
      '--format=ustar',
      '-C',
      source,
      ...(kind === 'link' ? ['user-content/uploads/a'] : ['user-content']),
    ])
    const into = join(folder.path, `into-${kind}`)
    await mkdir(into)
    await assert.rejects(
      unpack(tar, into),
      (error: unknown) => error instanceof Failure && /link or a folder/.test(error.message),
    )
    assert.deepEqual(await readdir(into), [])
  }
})

test('an archive that is cut off anywhere, or changed in any byte, is refused or unpacks to just what was saved', async () => {
  const whole = archiveOf([database, { path: `user-content/uploads/${'é'.repeat(80)}.txt`, text: 'upload' }])
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.boolean(), fc.integer({ min: 1, max: 255 }), async (at, cut, flip) => {
      const bytes = Buffer.from(cut ? whole.subarray(0, at) : whole)
      if (!cut) bytes.writeUInt8((whole[at] ?? 0) ^ flip, at)
      const { failure, found } = await tryUnpack(bytes)
      assert.ok(failure === undefined || (failure instanceof Failure && failure.code === 'unprocessable'), String(failure))
      assert.ok(found.every((name) => name === 'a' || name.startsWith('a/into')))
    }),
    { numRuns: 150 },
  )
})

test('a header holds any path and any size', async () => {
  await using folder = await openTestFolder()
  for (const path of ['a', 'x'.repeat(100), 'x'.repeat(101), `${'ß'.repeat(90)}/b`, 'y'.repeat(4000)]) {
    await writeFile(join(folder.path, 'h.tar'), Buffer.concat([part(path, 'text'), tarEnd]))
    const file = await open(join(folder.path, 'h.tar'))
    const [entry] = await readTarEntries(file, (await file.stat()).size)
    await file.close()
    assert.deepEqual([entry?.path, entry?.bytes], [path, 4])
  }
  const header = tarHeader('big', 9 * 1024 ** 3, traits)
  assert.match(header.toString('latin1'), /size=9663676416\n/)
})

test('a file that is cut short while it is copied is begun again; one that is gone, or is a pipe by now, is not in it', async () => {
  await using folder = await openTestFolder()
  const at = (name: string) => join(folder.path, name)
  await writeFile(at('shrinks'), Buffer.alloc(3_000_000, 1))
  await writeFile(at('stays'), 'stays')
  await promisify(execFile)('mkfifo', [at('pipe')])
  // Asked before each write: after the header, the first part and the second one.
  let asked = 0
  const signal = { throwIfAborted: () => (++asked === 3 ? truncateSync(at('shrinks'), 1_000_000) : undefined) }
  const archive = await openArchive(at('x.tar'), signal as unknown as AbortSignal)
  const added = ['shrinks', 'stays', 'gone', 'pipe'].map((name) => () => archive.add(at(name), `user-content/uploads/${name}`))
  const outcomes: boolean[] = []
  for (const add of added) outcomes.push(await add())
  assert.deepEqual(outcomes, [true, true, false, false])
  const manifest = { format: 1, id: '0'.repeat(26), version: '1', schema: '', created_at: '', note: null, rows: {} } as const
  const { sha256 } = await archive.finish({ ...manifest, files: archive.files }, 0)
  await archive.close()
  assert.equal(await hashFile(at('x.tar')), sha256)
  const { stdout } = await promisify(execFile)('tar', ['tvf', at('x.tar')])
  assert.deepEqual(
    stdout.match(/\d+ \d{4}-.* \S+/g)?.map((line) => line.replace(/ .* /, ' ')),
    [
      '1000000 user-content/uploads/shrinks',
      '5 user-content/uploads/stays',
      `${stdout.match(/(\d+) \S+ \S+ manifest/)?.[1]} manifest.json`,
    ],
  )
  assert.ok(archive.files.every(({ bytes }, index) => bytes === [1_000_000, 5][index]))
})
