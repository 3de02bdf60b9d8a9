// Packages from zips and folders: what is installed, and what is refused whole with nothing left behind.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, chown, link, lstat, mkdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import yazl from 'yazl'
import { checkPackage, hashFolder, packageFolder, stagePackage } from '../../src/plugins/stage-package.ts'
import { sweepStaging } from '../../src/plugins/staging.ts'
import { craftZip } from './craft-zip.ts'
import { assertRefused, honest, honestEntries, inFolder, treeOf, writeTree } from './packages.ts'

/** A zip as an honest program writes it. */
async function honestZip(files: Readonly<Record<string, string>>, mode = 0o100600): Promise<Buffer> {
  const zip = new yazl.ZipFile()
  for (const [path, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), path, { mode })
  zip.end()
  return buffer(zip.outputStream)
}

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o7777).toString(8)

for (const umask of [0, 0o022, 0o077]) {
  test(`a zip is installed with folders 755 and files 644, whatever it and the umask (${umask.toString(8)}) say`, () =>
    inFolder(async (plugins) => {
      const before = process.umask(umask)
      try {
        const files = { ...honest, 'lib/deep/words.js': 'export {}\n' }
        const staged = await stagePackage(plugins, { zip: await honestZip(files, 0o100777) })
        assert.equal(staged.manifest.id, 'useful')
        assert.deepEqual([staged.files, staged.signer], [3, null])
        assert.equal(staged.bytes, Object.values(files).join('').length)
        const folder = await staged.keep()
        assert.equal(folder, packageFolder(plugins, 'useful', staged.hash))
        assert.deepEqual(await treeOf(folder), ['index.js', 'lib', 'lib/deep', 'lib/deep/words.js', 'plugin.json'])
        for (const path of ['..', '.', 'lib', 'lib/deep']) assert.equal(await modeOf(join(folder, path)), '755', path)
        for (const path of Object.keys(files)) assert.equal(await modeOf(join(folder, path)), '644', path)
        assert.equal(await readFile(join(folder, 'index.js'), 'utf8'), honest['index.js'])
        assert.deepEqual(await treeOf(plugins).then((all) => all.filter((path) => path.startsWith('.'))), [])
      } finally {
        process.umask(before)
      }
    }))
}

test('the same files have one hash, from a zip, from a zip with a top folder, from a zip file and from a folder', () =>
  inFolder(async (plugins, folder) => {
    const source = await writeTree(join(folder, 'source'), honest)
    const wrapped = Object.fromEntries(Object.entries(honest).map(([path, text]) => [`useful-1.0.0/${path}`, text]))
    const zipFile = join(folder, 'useful.zip')
    await writeFile(zipFile, await honestZip({ ...wrapped, '__MACOSX/useful-1.0.0/._index.js': 'x' }))
    const sources = [{ folder: source }, { zip: await honestZip(honest) }, { zip: await honestZip(wrapped) }, { zipFile }]
    const hashes = await Promise.all(sources.map(async (one) => (await checkPackage(one)).hash))
    assert.deepEqual(new Set(hashes).size, 1)
    assert.match(hashes[0] ?? '', /^[0-9a-f]{16}$/)
    const kept = await (await stagePackage(plugins, { folder: source })).keep()
    assert.equal(await hashFolder(kept), hashes[0])
  }))

test('the hash can be had with a shell', { skip: process.platform !== 'linux' }, () =>
  inFolder(async (_plugins, folder) => {
    const source = await writeTree(join(folder, 'source'), { ...honest, 'Z.js': '', 'a-b.js': '1', 'a/b.js': '2', 'ä.js': '3' })
    const command = "find . -type f | sed 's|^./||' | LC_ALL=C sort | tr '\\n' '\\0' | xargs -0 sha256sum | sha256sum"
    const told = execFileSync('sh', ['-c', command], { cwd: source, encoding: 'utf8' })
    assert.equal(await hashFolder(source), told.slice(0, 16))
  }),
)

test('a changed, an added, a removed and a renamed file each change the hash; a link in the folder is refused', () =>
  inFolder(async (_plugins, folder) => {
    const source = await writeTree(join(folder, 'source'), { ...honest, 'a.js': 'a' })
    const hashes = [await hashFolder(source)]
    const steps = [
      () => writeFile(join(source, 'a.js'), 'b'),
      () => writeFile(join(source, 'b.js'), 'b'),
      () => rename(join(source, 'a.js'), join(source, 'c.js')),
      () => rm(join(source, 'b.js')),
    ]
    for (const step of steps) {
      await step()
      hashes.push(await hashFolder(source))
    }
    assert.equal(new Set(hashes).size, hashes.length)
    await symlink('index.js', join(source, 'link.js'))
    await assertRefused(hashFolder(source), /"link\.js" is a link or a device/)
    await assertRefused(hashFolder(join(folder, 'gone')), /There is no .*gone/, 'not_found')
  }))

test('attack 87: a check writes nothing', () =>
  inFolder(async (plugins) => {
    const { manifest, hash } = await checkPackage({ zip: await honestZip(honest) })
    assert.equal(manifest.id, 'useful')
    assert.match(hash, /^[0-9a-f]{16}$/)
    assert.deepEqual(await treeOf(plugins), [])
  }))

test('a package that is there already is kept as it is; a spoilt one is replaced; discard leaves nothing', () =>
  inFolder(async (plugins) => {
    const zip = await honestZip(honest)
    const place = await (await stagePackage(plugins, { zip })).keep()
    const { ino } = await stat(place)
    assert.equal(await (await stagePackage(plugins, { zip })).keep(), place)
    assert.equal((await stat(place)).ino, ino)
    await writeFile(join(place, 'index.js'), 'evil()')
    await writeFile(join(place, 'more.js'), 'evil()')
    await (await stagePackage(plugins, { zip })).keep()
    assert.deepEqual(await treeOf(place), ['index.js', 'plugin.json'])
    assert.equal(await readFile(join(place, 'index.js'), 'utf8'), honest['index.js'])
    const other = await stagePackage(plugins, { zip: await honestZip({ ...honest, 'b.js': '' }) })
    await other.discard()
    await other.discard()
    assert.deepEqual(await treeOf(plugins), [
      'useful',
      `useful/${place.slice(-16)}`,
      ...['index.js', 'plugin.json'].map((name) => `useful/${place.slice(-16)}/${name}`),
    ])
  }))

test('an update lies beside the package before it', () =>
  inFolder(async (plugins) => {
    const first = await (await stagePackage(plugins, { zip: await honestZip(honest) })).keep()
    const second = await (await stagePackage(plugins, { zip: await honestZip({ ...honest, 'b.js': '' }) })).keep()
    assert.notEqual(first, second)
    assert.equal(await hashFolder(first), first.slice(-16))
    assert.equal(await hashFolder(second), second.slice(-16))
  }))

test('what root installs belongs to whoever the plugins belong to', { skip: process.getuid?.() !== 0 }, () =>
  inFolder(async (plugins) => {
    await chown(plugins, 1234, 2345)
    const place = await (await stagePackage(plugins, { zip: await honestZip({ ...honest, 'lib/a.js': '' }) })).keep()
    for (const path of ['..', '.', 'lib', 'lib/a.js', 'index.js']) {
      const { uid, gid } = await stat(join(place, path))
      assert.deepEqual([uid, gid], [1234, 2345], path)
    }
  }),
)

test('a staging directory that can not be made is told with its place and what to do', () =>
  inFolder(async (plugins, folder) => {
    const zip = await honestZip(honest)
    const file = join(folder, 'file')
    await writeFile(file, '')
    const words = /^The plugin's staging directory could not be created: .*\.staging-[0-9a-f]{16}: .* Try: sudo chown -R \w+ /
    const gone = join(folder, 'gone')
    const made = new RegExp(`could not be created: .* is not there\\. Try: sudo install -d -o \\w+ -m 755 ${gone}\\.$`)
    await assertRefused(stagePackage(gone, { zip }), made, 'unavailable')
    for (const place of [file, join(file, 'below')]) {
      const failure = await assertRefused(stagePackage(place, { zip }), words, 'unavailable')
      assert.ok(failure.message.includes(place) && failure.detail.hint?.startsWith('sudo chown -R '))
    }
    await assertRefused(stagePackage('/proc', { zip }), /could not be created: .* Try: sudo /, 'unavailable')
    assert.deepEqual(await treeOf(plugins), [])
    assert.deepEqual(await treeOf(folder), ['file', 'plugins'])
  }))

test('a full disk is told as one, and nothing stays on it', { skip: !canMount() }, () =>
  inFolder(async (_plugins, folder) => {
    const small = join(folder, 'small')
    await mkdir(small)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small])
    try {
      const zip = craftZip([...honestEntries, { name: 'big.bin', data: Buffer.alloc(1 << 20) }])
      await assertRefused(
        stagePackage(small, { zip }),
        /has no space left on its disk .*Try: make room on the disk\.$/,
        'unavailable',
      )
      assert.deepEqual(await treeOf(small), [])
      execFileSync('mount', ['-o', 'remount,ro', small])
      const readOnly = /staging directory could not be created.*mounted read-only.*ReadWritePaths=/
      await assertRefused(stagePackage(small, { zip: await honestZip(honest) }), readOnly, 'unavailable')
    } finally {
      execFileSync('umount', [small])
    }
  }),
)

/** Whether this machine lets tests mount. */
function canMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' })
    return process.getuid?.() === 0
  } catch {
    return false
  }
}

test('staging directories that a crash left are removed after an hour; everything else stays', () =>
  inFolder(async (plugins) => {
    const old = new Date(Date.now() - 3_700_000)
    for (const name of ['.staging-old', '.staging-new', 'useful', '.other'])
      await writeTree(join(plugins, name), { 'a/b.js': '' })
    for (const name of ['.staging-old', 'useful', '.other']) await utimes(join(plugins, name), old, old)
    await sweepStaging(plugins)
    assert.deepEqual(
      (await treeOf(plugins)).filter((path) => !path.includes('/')),
      ['.other', '.staging-new', 'useful'],
    )
  }))

const deviceFault = /is a link or a device/
const folderTricks: readonly (readonly [string, RegExp, (folder: string) => Promise<unknown>])[] = [
  ['a link to a file', deviceFault, (folder) => symlink('/etc/passwd', join(folder, 'passwd'))],
  ['a link to a folder', deviceFault, (folder) => symlink('/etc', join(folder, 'etc'))],
  ['a broken link', deviceFault, (folder) => symlink('nowhere', join(folder, 'x'))],
  ['a pipe', deviceFault, async (folder) => execFileSync('mkfifo', [join(folder, 'pipe')])],
  ['a setuid file', /is setuid or setgid/, (folder) => chmod(join(folder, 'index.js'), 0o4755)],
  [
    'a name in another code than UTF-8',
    /is not UTF-8/,
    (folder) => writeFile(Buffer.concat([Buffer.from(`${folder}/x`), Buffer.from([0xff])]), ''),
  ],
  ['case twins', /over again/, (folder) => writeFile(join(folder, 'INDEX.js'), '')],
  ['a name with a line break', /invisible or control/, (folder) => writeFile(join(folder, 'a\nb'), '')],
]

for (const [what, words, make] of folderTricks) {
  test(`attack 109: a folder with ${what} is refused, and nothing is staged`, () =>
    inFolder(async (plugins, folder) => {
      const source = await writeTree(join(folder, 'source'), honest)
      await make(source)
      await assertRefused(stagePackage(plugins, { folder: source }), words)
      assert.deepEqual(await treeOf(plugins), [])
    }))
}

test('a folder or zip file that is none is told', () =>
  inFolder(async (plugins, folder) => {
    const file = join(folder, 'file')
    await writeFile(file, 'x')
    await assertRefused(stagePackage(plugins, { folder: file }), /is no folder/)
    await assertRefused(stagePackage(plugins, { folder: join(folder, 'gone') }), /^There is no /, 'not_found')
    await assertRefused(stagePackage(plugins, { zipFile: join(folder, 'gone') }), /^There is no /, 'not_found')
    await assertRefused(stagePackage(plugins, { zipFile: folder }), /is no file/)
    await assertRefused(stagePackage(plugins, { zipFile: file }), /is no zip/)
    execFileSync('mkfifo', [join(folder, 'pipe')])
    await assertRefused(stagePackage(plugins, { zipFile: join(folder, 'pipe') }), /is no file/)
  }))

test('a package without plugin.json, with a bad one, or without its main is refused', () =>
  inFolder(async (plugins) => {
    const { 'plugin.json': manifest, ...rest } = honest
    const rows: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
      [rest, /has no plugin\.json/],
      [{ 'a/plugin.json': manifest, 'b/index.js': '' }, /has no plugin\.json/],
      [{ 'a/b/plugin.json': manifest, 'a/b/index.js': '' }, /has no plugin\.json/],
      [{ 'plugin.json': manifest }, /"main" must be a file of the package, and there is no index\.js/],
      [{ 'plugin.json': manifest, 'index.js/x.js': '' }, /"main" must be a file of the package/],
      [{ ...honest, 'plugin.json': manifest.replace('useful', '../x') }, /"id" must be/],
      [{ ...honest, 'plugin.json': `{"name": "${'x'.repeat(70_000)}"}` }, /plugin\.json is larger than 64 KiB/],
    ]
    for (const [files, words] of rows) await assertRefused(stagePackage(plugins, { zip: await honestZip(files) }), words)
    assert.deepEqual(await treeOf(plugins), [])
  }))

test('attack 115: no package is named by a path', () => {
  const hash = '0123456789abcdef'
  for (const [id, name] of [
    ['../x', hash],
    ['useful', '..'],
    ['useful', `${hash}/..`],
    ['.', hash],
    ['useful', ''],
  ] as const)
    assert.throws(() => packageFolder('/plugins', id, name), /No package/)
})

test('attack 110: a package that takes too long is given up, with nothing left', () =>
  inFolder(async (plugins, folder) => {
    const source = await writeTree(join(folder, 'source'), honest)
    const ended = AbortSignal.abort()
    await assertRefused(stagePackage(plugins, { zip: await honestZip(honest) }, ended), /could not be read within 30 seconds/)
    await assertRefused(stagePackage(plugins, { folder: source }, ended), /could not be read within 30 seconds/)
    assert.deepEqual(await treeOf(plugins), [])
  }))

test('attack 120: until the one rename a crash leaves the old state', () =>
  inFolder(async (plugins) => {
    const staged = await stagePackage(plugins, { zip: await honestZip(honest) })
    const names = (await treeOf(plugins)).filter((path) => !path.includes('/'))
    assert.equal(names.length, 1)
    assert.match(names[0] ?? '', /^\.staging-[0-9a-f]{16}$/)
    await staged.discard()
  }))

test('a hard link in a folder is a file as any, and becomes a copy', () =>
  inFolder(async (plugins, folder) => {
    const source = await writeTree(join(folder, 'source'), honest)
    await link(join(source, 'index.js'), join(source, 'twin.js'))
    const place = await (await stagePackage(plugins, { folder: source })).keep()
    assert.equal((await lstat(join(place, 'twin.js'))).nlink, 1)
  }))
