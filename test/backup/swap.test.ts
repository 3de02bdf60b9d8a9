// The swap of an old site for a new one, ended at each of its steps in turn: whoever comes next finds the old one or the new one, whole.

import assert from 'node:assert/strict'
import { existsSync, statSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { enterHome } from '../../src/backup/enter-home.ts'
import { finishSwap, makeWorkFolder, newHome, swap } from '../../src/backup/swap.ts'
import { Failure } from '../../src/base/failure.ts'
import { openTestFolder } from '../store/open-test-store.ts'

type Tree = Readonly<Record<string, string>>

const old: Tree = {
  'data/postern.db': 'old database',
  'data/postern.db-wal': 'old log',
  'data/postern.db-shm': 'old memory',
  'data/site.key': 'old key',
  'user-content/uploads/a.png': 'old',
  'user-content/uploads/only-old.png': 'old',
  'user-content/themes/own/page.liquid': 'old',
}
const coming: Tree = {
  'data/postern.db': 'new database',
  'data/site.key': 'new key',
  'user-content/uploads/a.png': 'new',
  'user-content/plugins/shop/plugin.json': 'new',
}
/** In neither backup nor swap: it stays. */
const staying: Tree = { 'user-content/logs/postern-errors.log': 'log', 'data/in-use.lock': '' }

async function write(folder: string, tree: Tree): Promise<void> {
  for (const [path, text] of Object.entries(tree)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

async function read(folder: string): Promise<Tree> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const texts = await Promise.all(
    files.map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const),
  )
  return Object.fromEntries(texts.sort(([a], [b]) => (a < b ? -1 : 1)))
}

const sorted = (tree: Tree): Tree => Object.fromEntries(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1)))

/** A home that stands before its swap. */
async function prepare(home: string): Promise<void> {
  await write(home, { ...old, ...staying })
  await makeWorkFolder(home)
  await write(newHome(home), coming)
}

class Killed extends Error {}

/** Ends the run before the step of this number, counted from 0; never with `Infinity`. */
const killAt = (number: number) => {
  let steps = 0
  return {
    step: () => {
      if (steps++ === number) throw new Killed()
    },
    count: () => steps,
  }
}

async function stepsOf(): Promise<number> {
  await using folder = await openTestFolder()
  await prepare(folder.path)
  const { step, count } = killAt(Infinity)
  await swap(folder.path, { step })
  assert.deepEqual(await read(folder.path), sorted({ ...coming, ...staying }))
  return count()
}

test('attack 120: a swap that is ended before any of its steps leaves the old site or the new one, and so does going on that is ended', async () => {
  const steps = await stepsOf()
  assert.ok(steps > 10, String(steps))
  const outcomes: string[] = []
  for (let first = 0; first < steps; first++) {
    for (let second = first % 4; second <= steps; second += 4) {
      await using folder = await openTestFolder()
      await prepare(folder.path)
      await assert.rejects(swap(folder.path, killAt(first)), Killed)
      await finishSwap(folder.path, killAt(second)).catch((error: unknown) => assert.ok(error instanceof Killed, String(error)))
      await finishSwap(folder.path)
      const found = await read(folder.path)
      const isOld = found['data/postern.db'] === 'old database'
      assert.deepEqual(found, sorted({ ...(isOld ? old : coming), ...staying }), `ended at ${first}, then at ${second}`)
      outcomes.push(isOld ? 'old' : 'new')
    }
  }
  assert.deepEqual(new Set(outcomes), new Set(['old', 'new']))
})

/** Another file system than that of temporary folders, where there is one. */
const otherDisk = '/dev/shm'
const isOther = existsSync(otherDisk) && statSync(otherDisk).dev !== statSync(tmpdir()).dev

test(
  'attack 120: a swap whose user-content is on another disk leaves the old site or the new one as well',
  { skip: !isOther },
  async () => {
    const outcomes = new Set<string>()
    const steps = await stepsOf()
    for (let first = 0; first <= steps; first++) {
      await using folder = await openTestFolder()
      const home = join(folder.path, 'home')
      const volume = await mkdtemp(join(otherDisk, 'postern-swap-'))
      try {
        await mkdir(home)
        await symlink(volume, join(home, 'user-content'))
        await prepare(home)
        await swap(home, killAt(first)).catch((error: unknown) => assert.ok(error instanceof Killed, String(error)))
        await finishSwap(home)
        const inVolume = Object.entries(await read(volume)).map(([path, text]) => [`user-content/${path}`, text])
        const found = { ...(await read(home)), ...Object.fromEntries(inVolume) } as Tree
        const isOld = found['data/postern.db'] === 'old database'
        assert.deepEqual(sorted(found), sorted({ ...(isOld ? old : coming), ...staying }), `ended at ${first}`)
        outcomes.add(isOld ? 'old' : 'new')
      } finally {
        await rm(volume, { recursive: true, force: true })
      }
    }
    assert.deepEqual(outcomes, new Set(['old', 'new']))
  },
)

test('what a copying of files left half done is thrown away, and the old site stands', async () => {
  await using folder = await openTestFolder()
  await write(folder.path, { ...old, ...staying })
  await makeWorkFolder(folder.path)
  await write(newHome(folder.path), { 'data/postern.db': 'half a datab' })
  const { leave } = await enterHome(folder.path)
  await leave()
  assert.deepEqual(await read(folder.path), sorted({ ...old, ...staying }))
})

test('of several who come after a killed swap one goes on, and all find the new site', async () => {
  await using folder = await openTestFolder()
  await prepare(folder.path)
  await assert.rejects(swap(folder.path, killAt(5)), Killed)
  const held = await Promise.all([1, 2, 3, 4].map(() => enterHome(folder.path)))
  assert.equal((await read(folder.path))['data/postern.db'], 'new database')
  for (const { leave } of held) await leave()
})

test('a folder that is a link can’t be put aside: that is told, and nothing changes', async () => {
  await using folder = await openTestFolder()
  const home = join(folder.path, 'home')
  await prepare(home)
  await cp(join(home, 'user-content/uploads'), join(folder.path, 'elsewhere'), { recursive: true })
  await rm(join(home, 'user-content/uploads'), { recursive: true })
  await symlink(join(folder.path, 'elsewhere'), join(home, 'user-content/uploads'))
  await assert.rejects(swap(home), (error: unknown) => error instanceof Failure && error.code === 'refused')
  await finishSwap(home)
  assert.equal(await readFile(join(home, 'data/postern.db'), 'utf8'), 'old database')
  assert.equal(await readFile(join(home, 'user-content/uploads/a.png'), 'utf8'), 'old')
})
