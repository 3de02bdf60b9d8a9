// Releases beside each other: which one runs, which ones stay, what a package brings along, and whether there is room.

import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, readlink, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { Failure } from '../../src/base/failure.ts'
import { checkSpace } from '../../src/install/disk-space.ts'
import { findPackages } from '../../src/install/packages.ts'
import { paths, placesBelow } from '../../src/install/places.ts'
import { copyRelease, readSource } from '../../src/install/release-files.ts'
import {
  dropDrafts,
  dropRelease,
  findCurrent,
  listReleases,
  listSpare,
  readArrival,
  switchTo,
  writeArrival,
} from '../../src/install/releases.ts'

async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-releases-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function put(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

async function machineOf(t: TestContext, ...names: string[]) {
  const places = placesBelow(await folderOf(t))
  for (const name of names) await mkdir(join(places.at(paths.releases), name), { recursive: true })
  return places
}

test('one release is current, by a link that holds wherever the folder lies, and another takes its place', async (t) => {
  const places = await machineOf(t, 'one', 'two')
  assert.equal(await findCurrent(places), undefined)
  await switchTo(places, 'one')
  await symlink('nowhere', `${places.at(paths.current)}.new`)
  await switchTo(places, 'two')
  assert.equal(await findCurrent(places), 'two')
  assert.equal(await readlink(places.at(paths.current)), 'releases/two')
})

test('three releases stay: the current one, the one before it, and the newest other', async (t) => {
  const places = await machineOf(t, 'oldest')
  for (const name of ['old', 'before', 'now']) {
    // The times of folders are as coarse as the kernel's clock.
    await new Promise((done) => setTimeout(done, 20))
    await mkdir(join(places.at(paths.releases), name))
  }
  assert.deepEqual(await listSpare(places, 'now', 'before'), ['oldest'])
  assert.deepEqual(await listSpare(places, 'now', 'oldest'), ['old'])
  await utimes(places.at(paths.releases), 0, 0)
  await dropRelease(places, 'oldest')
  assert.deepEqual(await listSpare(places, 'now', 'before'), [])
})

test('a release is dropped with what is noted of it, and what was left half done goes', async (t) => {
  const places = await machineOf(t, 'one', 'two', '.new-three')
  const arrival = { at: 1, previous: 'one', backup: '/b.tar', done: true }
  await writeArrival(places, 'two', arrival)
  assert.deepEqual(await readArrival(places, 'two'), arrival)
  assert.equal(await readArrival(places, 'one'), undefined)
  assert.deepEqual([...(await listReleases(places))].sort(), ['one', 'two'])
  await dropDrafts(places)
  await dropRelease(places, 'two')
  await dropRelease(places, 'gone already')
  assert.deepEqual(await readdir(places.at(paths.releases)), ['one'])
})

test('a package brings along what it asks for, the nearest of each, and nothing that is optional and absent', async (t) => {
  const folder = await folderOf(t)
  const json = (deps: object, optional: object = {}) => JSON.stringify({ dependencies: deps, optionalDependencies: optional })
  await put(folder, {
    'node_modules/a/package.json': json({ b: '1', '@c/c': '1', gone: '1' }, { gone: '1' }),
    'node_modules/b/package.json': json({ a: '1', d: '1' }),
    'node_modules/@c/c/package.json': json({ d: '2' }),
    'node_modules/@c/c/node_modules/d/package.json': json({}),
    'node_modules/d/package.json': json({}),
    'node_modules/other/package.json': json({}),
  })
  assert.deepEqual(await findPackages(folder, ['a']), [
    'node_modules/@c/c',
    'node_modules/@c/c/node_modules/d',
    'node_modules/a',
    'node_modules/b',
    'node_modules/d',
  ])
  await assert.rejects(findPackages(folder, ['missing']), /The package missing is missing in .*npm ci/)
})

const program = {
  'package.json': '{"version": "1.2.3"}',
  'package-lock.json': '{}',
  'README.md': '',
  LICENSE: '',
  'scripts/postern': '#!/bin/sh\n',
  'scripts/start.mjs': '',
  'scripts/ready.mjs': '',
  'scripts/build.mjs': '',
  'nginx/a.conf': '',
  'systemd/a.service': '',
  'dist/contents.json': '{"files": ["main.js"], "packages": ["a"]}',
  'dist/main.js': 'main',
  'dist/chunks/of-an-older-build.js': '',
  'node_modules/a/package.json': '{}',
  'node_modules/a/node_modules/b/package.json': '{}',
  'test/x.ts': '',
}

test('a release is what its build says, named by version and content, and copied with its own modes', async (t) => {
  const folder = await folderOf(t)
  await put(folder, program)
  await chmod(join(folder, 'scripts/postern'), 0o700)
  await chmod(join(folder, 'dist/main.js'), 0o666)
  const source = await readSource(folder)
  assert.match(source.name, /^1\.2\.3-[0-9a-f]{12}$/)
  const copied = source.files.map(({ path }) => path)
  assert.ok(copied.includes('dist/main.js') && copied.includes('node_modules/a/package.json'))
  for (const left of ['test/x.ts', 'dist/chunks/of-an-older-build.js', 'node_modules/a/node_modules/b/package.json'])
    assert.ok(!copied.includes(left), left)
  const releases = join(folder, 'releases')
  await mkdir(join(releases, `.new-${source.name}`, 'left'), { recursive: true })
  await copyRelease(source, releases)
  assert.deepEqual(await readdir(releases), [source.name])
  const modeOf = async (path: string) => (await stat(join(releases, source.name, path))).mode & 0o777
  assert.deepEqual([await modeOf('scripts/postern'), await modeOf('dist/main.js'), await modeOf('dist')], [0o755, 0o644, 0o755])
  assert.equal((await readSource(join(releases, source.name))).name, source.name)
  await writeFile(join(folder, 'dist/main.js'), 'other')
  assert.notEqual((await readSource(folder)).name, source.name)
  await rm(join(folder, 'dist/main.js'))
  await assert.rejects(readSource(folder), /holds no release that could be installed: dist\/main\.js is missing/)
})

test('room is held for each disk, and what lies on one disk is counted together', async (t) => {
  const folder = await folderOf(t)
  await checkSpace([{ folder: join(folder, 'not', 'there', 'yet'), bytes: 1 }])
  await assert.rejects(
    checkSpace([
      { folder, bytes: 2 ** 61 },
      { folder: dirname(folder), bytes: 2 ** 61 },
    ]),
    (error) =>
      error instanceof Failure && error.code === 'refused' && /MiB free, but 4398046511104 MiB are needed/.test(error.message),
  )
})
