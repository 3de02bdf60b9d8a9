// Zips made to do harm: each is refused whole, says which entry it is about, and leaves nothing inside or outside of the staging folder.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { Failure } from '../../src/base/failure.ts'
import { packageLimits } from '../../src/plugins/package-limits.ts'
import { faultOfPath } from '../../src/plugins/package-path.ts'
import { checkPackage, stagePackage } from '../../src/plugins/stage-package.ts'
import { codePoint, fc } from '../properties.ts'
import { type CraftedEnd, type CraftedEntry, craftZip, extraField } from './craft-zip.ts'
import { assertRefused, honestEntries, inFolder, treeOf } from './packages.ts'

test('a crafted zip that lies about nothing is taken, stored or deflated, with folders and a comment', async () => {
  const more: readonly CraftedEntry[] = [
    { name: 'lib/' },
    { name: 'lib/a.js', data: 'a', stored: true },
    { name: 'lib/é.js', data: '' },
    { name: 'empty', data: '', stored: true },
    {
      name: 'sizes-follow.js',
      data: 'abc',
      local: { flags: 0x808, crc: 0, packedBytes: 0, bytes: 0 },
      central: { flags: 0x808 },
    },
  ]
  const { files } = await checkPackage({ zip: craftZip([...honestEntries, ...more], { comment: 'made by hand' }) })
  assert.equal(files, 6)
})

/** Takes a zip of an honest package and these entries to be refused; looks for what it may have written. */
async function refuses(entries: readonly CraftedEntry[], words: RegExp, end?: CraftedEnd): Promise<void> {
  await inFolder(async (plugins, folder) => {
    const zip = craftZip([...honestEntries, ...entries], end)
    await assertRefused(stagePackage(plugins, { zip }), words)
    await assertRefused(checkPackage({ zip }), words)
    assert.deepEqual(await treeOf(folder), ['plugins'])
  })
}

const long = 'x'.repeat(100)
const names: readonly (readonly [string | Uint8Array, RegExp])[] = [
  ['../evil.js', /leaves its place/],
  ['lib/../../evil.js', /leaves its place/],
  ['..', /leaves its place/],
  ['./a.js', /leaves its place/],
  ['lib/./a.js', /leaves its place/],
  ['../evil/', /leaves its place/],
  ['/etc/evil.js', /is absolute/],
  ['//host/evil.js', /is absolute/],
  ['C:/evil.js', /is absolute/],
  ['c:evil.js', /is absolute/],
  ['lib\\evil.js', /holds one of/],
  ['..\\evil.js', /holds one of/],
  ['a.js:stream', /holds one of/],
  ['a\0.js', /invisible or control/],
  ['a\n.js', /invisible or control/],
  ['a\u007F.js', /invisible or control/],
  ['a\u202Esj.exe', /invisible or control/],
  ['a\u200B.js', /invisible or control/],
  ['a\u2028.js', /invisible or control/],
  ['', /empty part/],
  ['/', /empty part|absolute/],
  ['lib//a.js', /empty part/],
  ['lib//', /empty part/],
  ['con', /device on Windows/],
  ['nul.txt', /device on Windows/],
  ['lib/AUX.js', /device on Windows/],
  ['Com1/a.js', /device on Windows/],
  ['lpt².x', /device on Windows/],
  ['nul .js', /device on Windows/],
  ['a.', /ends in a dot or a space/],
  ['a ', /ends in a dot or a space/],
  ['lib./a.js', /ends in a dot or a space/],
  ['...', /ends in a dot or a space/],
  [`${long}${long}${long}`, /too long/],
  [`${long}/${long}/${long}/${long}/x`, /too long/],
  ['é'.repeat(101), /too long/],
  [Array.from({ length: 17 }, () => 'd').join('/'), /too deep/],
  [Buffer.from([0x61, 0xff, 0x2e, 0x6a]), /is not UTF-8/],
  [Buffer.from([0x2e, 0xc0, 0xae, 0x2f, 0x61]), /is not UTF-8/],
]

for (const [name, words] of names) {
  test(`attack 109: a zip with an entry ${JSON.stringify(name.toString().slice(0, 40))} is refused`, () =>
    refuses([{ name, data: 'x' }], words))
}

const file = 'lib/a.js'
const attacks: readonly (readonly [number, string, readonly CraftedEntry[], RegExp, CraftedEnd?])[] = [
  [109, 'a symbolic link', [{ name: 'link', data: '/etc/passwd', mode: 0o120777 }], /"link" is a link or a device/],
  [109, 'a link and a file through it', [{ name: 'link', data: '/tmp', mode: 0o120777 }, { name: 'link/a.js', data: 'x' }], /"link" is a link/],
  [109, 'a folder that is a link', [{ name: 'link/', mode: 0o120777 }], /is a link or a device/],
  [109, 'a device', [{ name: 'null', mode: 0o020666 }], /is a link or a device/],
  [109, 'a pipe', [{ name: 'pipe', mode: 0o010644 }], /is a link or a device/],
  [109, 'a setuid file', [{ name: file, mode: 0o104755 }], /is setuid or setgid/],
  [109, 'a setgid file', [{ name: file, mode: 0o102755 }], /is setuid or setgid/],
  [109, 'a file that is a folder by its mode', [{ name: file, mode: 0o040755 }], /something else by its mode/],
  [109, 'a folder that is a file by its mode', [{ name: 'lib/', mode: 0o100644 }], /something else by its mode/],
  [109, 'a file that is a folder by its attributes', [{ name: file, central: { attributes: 0x10 } }], /folder by its attributes/],
  [109, 'a folder with content', [{ name: 'lib/', data: 'abc' }], /folder with content/],
  [109, 'the same file twice', [{ name: file, data: '1' }, { name: file, data: '2' }], /"lib\/a\.js" is there twice/],
  [109, 'case twins', [{ name: 'a.js' }, { name: 'A.js' }], /"A\.js" is "a\.js" over again/],
  [109, 'case twins of folders', [{ name: 'lib/a.js' }, { name: 'LIB/b.js' }], /over again/],
  [109, 'twins in sharp s', [{ name: 'straße.js' }, { name: 'STRASSE.js' }], /over again/],
  [109, 'twins in Unicode form', [{ name: '\u00E9.js' }, { name: 'e\u0301.js' }], /over again/],
  [109, 'twins in compatible letters', [{ name: 'ﬁ.js' }, { name: 'fi.js' }], /over again/],
  [109, 'a second plugin.json in other case', [{ name: 'Plugin.json', data: '{}' }], /over again/],
  [109, 'a file that is a folder elsewhere', [{ name: 'lib' }, { name: file }], /"lib\/a\.js" is both a file and a folder/],
  [109, 'a folder that is a file elsewhere', [{ name: file }, { name: 'lib' }], /is both a file and a folder/],
  [109, 'a local name unlike the central one', [{ name: file, local: { name: '../a.js' } }], /is named "\.\.\/a\.js" in its own header/],
  [109, 'a local name of the same length', [{ name: file, local: { name: 'lib/b.js' } }], /in its own header/],
  [109, 'a second name in an extra field', [{ name: file, central: { extra: extraField(0x7075, Buffer.from('\x01....../../x')) } }], /has a second name/],
  [109, 'an encrypted entry', [{ name: file, central: { flags: 0x801 }, local: { flags: 0x801 } }], /is encrypted/],
  [109, 'an entry that only its own header calls encrypted', [{ name: file, local: { flags: 0x801 } }], /another file by its own header/],
  [109, 'strong encryption', [{ name: file, central: { flags: 0x841 } }], /is no zip, or it is damaged/],
  [109, 'another way to compress', [{ name: file, central: { method: 12 } }], /use deflate/],
  [109, 'another way to compress in its own header', [{ name: file, data: 'x', local: { method: 0 } }], /another file by its own header/],
  [110, 'a size larger than said', [{ name: file, data: 'x'.repeat(100_000), central: { bytes: 10 }, local: { bytes: 10 } }], /is larger than it says/],
  [110, 'a size smaller than said', [{ name: file, data: 'xx', central: { bytes: 3 }, local: { bytes: 3 } }], /is smaller than it says/],
  [110, 'a size that the two headers tell differently', [{ name: file, data: 'xx', local: { bytes: 3 } }], /another file by its own header/],
  [110, 'a stored size that lies', [{ name: file, data: 'xx', stored: true, central: { bytes: 1 }, local: { bytes: 1 } }], /lies about its size/],
  [110, 'a stored size beyond the file', [{ name: file, data: 'x', stored: true, central: { bytes: 1e9, packedBytes: 1e9 } }], /is no zip, or it is damaged/],
  [110, 'another checksum', [{ name: file, data: 'xx', central: { crc: 1 }, local: { crc: 1 } }], /its checksum/],
  [110, 'data that is no deflate', [{ name: file, data: 'abc', packed: Buffer.alloc(5, 255) }], /can not be unpacked/],
  [110, 'data that is cut off', [{ name: file, packed: deflateRawSync('x'.repeat(99)).subarray(0, 3), data: 'x'.repeat(99) }], /can not be unpacked/],
  [110, 'bytes after the data', [{ name: file, packed: Buffer.concat([deflateRawSync('x'), Buffer.alloc(9)]), data: 'x' }], /has bytes after its end/],
  [110, 'overlapping entries', [{ name: file, data: 'x', stored: true, packed: Buffer.from('xPK'), central: { bytes: 9, packedBytes: 9 }, local: { bytes: 9, packedBytes: 9 } }, { name: 'b.js', data: 'yyyyyyyyyyyyy' }], /overlaps "b\.js"/],
  [110, 'two entries with the same bytes', [{ name: file, data: 'x' }, { name: file.replace('a', 'b'), sameAs: 2 }], /overlaps|own header/],
  [110, 'an entry that reaches into the directory', [{ name: file, data: 'x', stored: true, central: { bytes: 40, packedBytes: 40 }, local: { bytes: 40, packedBytes: 40 } }], /overlaps the directory of the zip/],
  [110, 'sizes in Zip64', [{ name: file, data: 'x', central: { bytes: 0xffffffff, extra: extraField(1, Buffer.from([1, 0, 0, 0, 0, 0, 0, 0])) } }], /form Zip64/],
  [110, 'an empty field of Zip64', [{ name: file, data: 'x', central: { bytes: 0xffffffff, extra: extraField(1, Buffer.alloc(0)) } }], /is no zip, or it is damaged/],
  [110, 'a count of entries that is too low', [{ name: file }], /not as long as it says/, { count: 2 }],
  [110, 'a count of entries that is too high', [{ name: file }], /is no zip, or it is damaged/, { count: 9 }],
  [110, 'a directory that is elsewhere', [{ name: file }], /is no zip, or it is damaged/, { shift: 1 }],
  [110, 'more than may be of a signature', [{ name: 'signature.json', data: 'x'.repeat(packageLimits.signatureBytes.most + 1) }], /signature\.json is larger than 4 KiB/],
] // prettier-ignore

for (const [number, what, entries, words, end] of attacks) {
  test(`attack ${number}: a zip with ${what} is refused`, () => refuses(entries, words, end))
}

test('attack 110: entries are counted, with the folders that only their names make', async () => {
  const many = (count: number, name: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => ({ name: name(n), stored: true }))
  await refuses(
    many(packageLimits.entries.most, (n) => `${n}.js`),
    /more than 5,000 files and folders/,
  )
  await refuses(
    many(60_000, (n) => `${n}`),
    /more than 5,000 files and folders/,
  )
  await refuses(
    many(500, (n) => `${n}/a/b/c/d/e/f/g/h/i/j.js`),
    /more than 5,000 files and folders/,
  )
})

test('attack 110: a million entries are not looked at, whatever the record of the end counts', async () => {
  for (const count of [1_000_000, 2 ** 20 + 1]) {
    const one = craftZip([{ name: 'a', stored: true }], { count: count & 0xffff })
    const directory = one.subarray(one.readUInt32LE(one.length - 6), one.length - 22)
    const zip = Buffer.concat([
      one.subarray(0, -22 - directory.length),
      Buffer.alloc(directory.length * count, directory),
      one.subarray(-22),
    ])
    await assertRefused(checkPackage({ zip }), /more than 5,000 files and folders|directory of the zip is not as long as it says/)
  }
})

test('attack 110: what is unpacked is counted as it comes, over all files', async () => {
  const data = Buffer.alloc(packageLimits.bytes.most / 4)
  const packed = deflateRawSync(data)
  const entries = ['1', '2', '3', '4'].map((name) => ({ name, data, packed }))
  const zip = craftZip([...honestEntries, ...entries])
  assert.ok(zip.length < 2_000_000)
  const failure = await assertRefused(checkPackage({ zip }), /holds more than 256 MiB/)
  assert.equal(failure.detail.limit, packageLimits.bytes.most)
})

test('attack 110: a zip larger than may be is not looked into', async () => {
  await assertRefused(checkPackage({ zip: Buffer.alloc(packageLimits.zipBytes.most + 1) }), /larger than 64 MiB/)
})

for (const [what, bytes] of [
  ['nothing', ''],
  ['a text', 'PK'],
  ['a page', '<html>'.repeat(100)],
  ['the end of a zip', craftZip(honestEntries).subarray(60)],
] as const) {
  test(`${what} is no zip`, async () => {
    await assertRefused(checkPackage({ zip: Buffer.from(bytes) }), /is no zip, or it is damaged or was cut off/)
  })
}

const part = fc.oneof(
  fc.constantFrom(
    '.',
    '..',
    '',
    'a',
    'A',
    'con',
    'nul.x',
    'C:',
    '\\',
    'a.',
    'é',
    'e\u0301',
    '\0',
    '\u202E',
    'plugin.json',
    '__proto__',
  ),
  fc.string({ unit: codePoint, maxLength: 6 }),
)
const anyName = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/').toWellFormed())

test('attack 109: whatever entries are called, each lies where its name says below the folder, or all are refused', () =>
  fc.assert(
    fc.asyncProperty(fc.array(anyName, { minLength: 1, maxLength: 3 }), (entryNames) =>
      inFolder(async (plugins, folder) => {
        const zip = craftZip([...honestEntries, ...entryNames.map((name) => ({ name, data: name, stored: true }))])
        try {
          const place = await (await stagePackage(plugins, { zip })).keep()
          for (const name of entryNames.filter((one) => !one.endsWith('/'))) {
            assert.equal(faultOfPath(name), undefined)
            if (!name.startsWith('__MACOSX/')) assert.equal(await readFile(join(place, name), 'utf8'), name)
          }
        } catch (error) {
          if (!(error instanceof Failure)) throw error
          assert.equal(error.code, 'unprocessable')
          assert.deepEqual(await treeOf(folder), ['plugins'])
        }
        assert.deepEqual(
          (await treeOf(folder)).filter((path) => !path.startsWith('plugins')),
          [],
        )
      }),
    ),
    { numRuns: 60 },
  ))

test('attack 110: whatever byte of a zip is changed, it is refused, or its files are the same', async () => {
  const zip = craftZip([...honestEntries, { name: 'lib/a.js', data: 'some text, some text', stored: true }])
  const { hash } = await checkPackage({ zip })
  const change = fc.tuple(fc.nat(zip.length - 1), fc.integer({ min: 1, max: 255 }))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (edits) => {
      const changed = Buffer.from(zip)
      for (const [place, by] of edits) changed[place] = (changed[place] ?? 0) ^ by
      const outcome = await checkPackage({ zip: changed }).then(
        (checked) => checked.hash,
        (error: unknown) => error,
      )
      assert.ok(outcome === hash || (outcome instanceof Failure && outcome.code === 'unprocessable'), String(outcome))
    }),
    { numRuns: 500 },
  )
})

test('attack 110: wherever a zip is cut off, it is refused', async () => {
  const zip = craftZip(honestEntries)
  for (let length = 0; length < zip.length; length++) await assertRefused(checkPackage({ zip: zip.subarray(0, length) }), /./)
})
