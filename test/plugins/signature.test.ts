// Signed packages: whose they are, and that a changed one is refused before anything of it runs.

import assert from 'node:assert/strict'
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { signFolder } from '../../src/plugins/signature.ts'
import { checkPackage, hashFolder, stagePackage } from '../../src/plugins/stage-package.ts'
import { craftZip } from './craft-zip.ts'
import { assertRefused, honest, inFolder, treeOf, writeTree } from './packages.ts'

/** Runs with a signed package, and the key it was signed with. */
async function withSigned(
  run: (source: string, about: { signer: string; keyFile: string; plugins: string; folder: string }) => Promise<void>,
): Promise<void> {
  await inFolder(async (plugins, folder) => {
    const source = await writeTree(join(folder, 'source'), { ...honest, 'lib/a.js': 'a' })
    const keyFile = join(folder, 'author.key')
    const { signer, files } = await signFolder(source, keyFile)
    assert.equal(files, 3)
    await run(source, { signer, keyFile, plugins, folder })
  })
}

test('a signed package says who signed it, from a folder and from a zip; an unsigned one says nobody', () =>
  withSigned(async (source, { signer, plugins }) => {
    assert.match(signer, /^[0-9a-f]{32}$/)
    const paths = ['plugin.json', 'index.js', 'lib/a.js', 'signature.json']
    const zip = craftZip(await Promise.all(paths.map(async (name) => ({ name, data: await readFile(join(source, name)) }))))
    for (const one of [{ folder: source }, { zip }]) assert.equal((await checkPackage(one)).signer, signer)
    const kept = await (await stagePackage(plugins, { zip })).keep()
    assert.equal((await checkPackage({ folder: kept })).signer, signer)
    await rm(join(source, 'signature.json'))
    assert.equal((await checkPackage({ folder: source })).signer, null)
  }))

test('the key is made with mode 600 and used again; another key is another signer', () =>
  withSigned(async (source, { signer, keyFile, folder }) => {
    assert.equal(((await stat(keyFile)).mode & 0o777).toString(8), '600')
    await writeFile(join(source, 'lib/a.js'), 'b')
    assert.equal((await signFolder(source, keyFile)).signer, signer)
    const text = await readFile(join(source, 'signature.json'), 'utf8')
    assert.equal((await signFolder(source, keyFile)).signer, signer)
    assert.equal(await readFile(join(source, 'signature.json'), 'utf8'), text, 'the same files and key give the same signature')
    assert.notEqual((await signFolder(source, join(folder, 'other.key'))).signer, signer)
    assert.deepEqual(
      (await treeOf(source)).filter((path) => path.startsWith('signature')),
      ['signature.json'],
    )
    assert.doesNotMatch(text, new RegExp((await readFile(keyFile, 'utf8')).trim().replace(/[+/]/g, '\\$&')))
  }))

const stale = /changed after it was signed/
const changes: readonly (readonly [string, (source: string) => Promise<unknown>])[] = [
  ['a changed file', (source) => writeFile(join(source, 'index.js'), 'evil()')],
  ['a changed manifest', (source) => writeFile(join(source, 'plugin.json'), honest['plugin.json'].replace('1.0.0', '1.0.1'))],
  ['an added file', (source) => writeFile(join(source, 'more.js'), 'evil()')],
  ['a removed file', (source) => rm(join(source, 'lib/a.js'))],
]

for (const [what, change] of changes) {
  test(`attack 115: a signed package with ${what} is refused, and nothing is staged`, () =>
    withSigned(async (source, { plugins }) => {
      await change(source)
      await assertRefused(stagePackage(plugins, { folder: source }), stale)
      await assertRefused(checkPackage({ folder: source }), stale)
      assert.deepEqual(await treeOf(plugins), [])
    }))
}

test('attack 115: a signature of another key, of another package, or of none is refused', () =>
  withSigned(async (source, { folder, keyFile }) => {
    const path = join(source, 'signature.json')
    const own = JSON.parse(await readFile(path, 'utf8')) as { key: string; signature: string }
    const other = await writeTree(join(folder, 'other'), { ...honest, 'b.js': '' })
    await signFolder(other, keyFile)
    await writeFile(path, await readFile(join(other, 'signature.json')))
    await assertRefused(checkPackage({ folder: source }), stale)
    const zeros = (length: number) => Buffer.alloc(length).toString('base64')
    await writeFile(path, JSON.stringify({ ...own, key: Buffer.alloc(32, 7).toString('base64') }))
    await assertRefused(checkPackage({ folder: source }), stale)
    const broken = ['', '{}', 'null', '[]', '"x"', { ...own, key: 7 }, { ...own, key: zeros(31) }, { ...own, signature: zeros(63) }, { ...own, key: `${own.key}\n` }, { ...own, signature: own.signature.replace('==', '') }] // prettier-ignore
    for (const one of broken) {
      await writeFile(path, typeof one === 'string' ? one : JSON.stringify(one))
      await assertRefused(checkPackage({ folder: source }), /signature\.json must hold/)
    }
    await writeFile(path, ' '.repeat(5000))
    await assertRefused(checkPackage({ folder: source }), /signature\.json is larger than 4 KiB/)
  }))

test('the signature is part of what the hash is of', () =>
  withSigned(async (source, { folder }) => {
    const before = await hashFolder(source)
    await signFolder(source, join(folder, 'other.key'))
    assert.notEqual(await hashFolder(source), before)
  }))

test('a key that others may read, that is none, or that lies in the package is not used', () =>
  withSigned(async (source, { keyFile, folder }) => {
    await chmod(keyFile, 0o640)
    await assertRefused(signFolder(source, keyFile), /has mode 640, so others may read it: chmod 600/, 'refused')
    await chmod(keyFile, 0o600)
    await writeFile(keyFile, 'not a key')
    await assertRefused(signFolder(source, keyFile), /holds no key/, 'refused')
    await assertRefused(signFolder(source, join(source, 'author.key')), /must lie outside/, 'refused')
    await assertRefused(signFolder(source, join(folder, 'gone', 'author.key')), /can not be made \(ENOENT\)/, 'refused')
    assert.ok(!(await treeOf(source)).includes('author.key'))
  }))
