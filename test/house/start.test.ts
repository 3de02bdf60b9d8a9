// The scripts that start Postern, held on a checkout of their own with a program of a few lines.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { root } from '../site.ts'

interface Checkout extends AsyncDisposable {
  readonly folder: string
  write(name: string, source: string): Promise<void>
  start(): ChildProcess
  /** Starts and waits for the end. */
  run(): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>
}

async function makeCheckout(main: string): Promise<Checkout> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-start-'))
  await cp(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true })
  await putPackages(folder)
  await mkdir(join(folder, 'src', 'app'), { recursive: true })
  const running = new Set<ChildProcess>()
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
  const checkout: Checkout = {
    folder,
    write: (name, source) => writeFile(join(folder, 'src', name), source),
    start() {
      const child = spawn(process.execPath, ['scripts/start.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
      running.add(child)
      return child
    },
    async run() {
      const child = checkout.start()
      const ended = once(child, 'close')
      const [out, err] = await Promise.all([text(child.stdout!), text(child.stderr!)])
      const [code] = (await ended) as [number | null]
      return { code, out, err }
    },
    async [Symbol.asyncDispose]() {
      for (const child of running) child.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
  await checkout.write('app/main.ts', main)
  return checkout
}

/** The bundler alone, and an npm that only tells how it was called: no test may touch the packages of the real checkout. */
async function putPackages(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules')
  await mkdir(modules)
  await mkdir(join(folder, 'bin'))
  for (const name of ['esbuild', '@esbuild']) await symlink(join(root, 'node_modules', name), join(modules, name))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies: { esbuild: '1' } }))
  await lock(folder, 'package-lock.json', '1.0.0')
  await lock(folder, 'node_modules/.package-lock.json', '1.0.0')
  await writeFile(join(folder, 'bin', 'npm'), '#!/bin/sh\necho "npm $*"\n')
  await chmod(join(folder, 'bin', 'npm'), 0o755)
}

function lock(folder: string, name: string, version: string, more: object = {}): Promise<void> {
  return writeFile(join(folder, name), JSON.stringify({ packages: { '': {}, 'node_modules/esbuild': { version }, ...more } }))
}

/** Waits for a line of the program; fails with the process. */
async function line(child: ChildProcess, wanted: string): Promise<void> {
  let said = ''
  for await (const part of child.stdout!.iterator({ destroyOnReturn: false })) {
    said += String(part)
    if (said.includes(wanted)) return
  }
  assert.fail(`ended without “${wanted}”: ${said}`)
}

test('a start builds once, and again only when a source has changed', async () => {
  await using checkout = await makeCheckout(`console.log('one')`)
  assert.deepEqual(await checkout.run(), { code: 0, out: 'one\n', err: 'Building …\n' })
  assert.deepEqual(await checkout.run(), { code: 0, out: 'one\n', err: '' })
  await checkout.write('app/main.ts', `console.log('second')`)
  assert.deepEqual(await checkout.run(), { code: 0, out: 'second\n', err: 'Building …\n' })
})

test('a file that a theme no longer has is gone from the next build', async () => {
  await using checkout = await makeCheckout(`console.log('one')`)
  const theme = join('themes', 'shipped', 'default')
  await mkdir(join(checkout.folder, 'src', theme), { recursive: true })
  for (const name of ['page.liquid', 'post.liquid']) await checkout.write(join(theme, name), name)
  await checkout.run()
  await rm(join(checkout.folder, 'src', theme, 'post.liquid'))
  await checkout.run()
  assert.deepEqual(await readdir(join(checkout.folder, 'dist', theme)), ['page.liquid'])
})

test('a start passes on the exit code of the program', async () => {
  await using checkout = await makeCheckout('process.exitCode = 7')
  assert.equal((await checkout.run()).code, 7)
})

test('of several starts at once one builds and all run', async () => {
  await using checkout = await makeCheckout(`console.log('runs')`)
  const runs = await Promise.all([checkout.run(), checkout.run(), checkout.run()])
  assert.deepEqual(
    runs.map(({ out }) => out),
    ['runs\n', 'runs\n', 'runs\n'],
  )
  assert.equal(runs.filter(({ err }) => err === 'Building …\n').length, 1)
})

test('sources that do not bundle end the start with a sentence', async () => {
  await using checkout = await makeCheckout(`console.log('good')`)
  await checkout.run()
  await checkout.write('app/main.ts', `import { absent } from './absent.ts'\nconsole.log(absent)`)
  const broken = await checkout.run()
  assert.equal(broken.code, 1)
  assert.match(broken.err, /Could not resolve ".\/absent.ts"[^]*The build failed\.\n$/)
  assert.doesNotMatch(broken.err, /node:internal/)
  await checkout.write('app/main.ts', `console.log('good again')`)
  assert.equal((await checkout.run()).out, 'good again\n')
})

test('a service that runs still finds the parts of its build after the next build', async () => {
  await using checkout = await makeCheckout(`
    console.log('up')
    process.once('SIGTERM', async () => { console.log((await import('./later.ts')).word); clearInterval(timer) })
    const timer = setInterval(() => {}, 1000)`)
  await checkout.write('app/later.ts', `export const word = 'old part'`)
  const old = checkout.start()
  await line(old, 'up')
  // It was built long ago, and has served ever since.
  const longAgo = new Date(Date.now() - 30 * 86_400_000)
  const chunks = join(checkout.folder, 'dist', 'chunks')
  for (const name of await readdir(chunks)) await utimes(join(chunks, name), longAgo, longAgo)
  await checkout.write('app/later.ts', `export const word = 'a newer part'`)
  await checkout.write('app/main.ts', `console.log((await import('./later.ts')).word)`)
  assert.equal((await checkout.run()).out, 'a newer part\n')
  old.kill('SIGTERM')
  await line(old, 'old part')
})

test('a second signal does not cut short the stop that the first began', async () => {
  await using checkout = await makeCheckout(`
    const timer = setInterval(() => {}, 1000)
    process.once('SIGINT', () => {
      clearInterval(timer)
      console.log('stopping')
      setTimeout(() => console.log('stopped'), 300)
    })
    console.log('up')`)
  const child = checkout.start()
  const ended = once(child, 'close')
  await line(child, 'up')
  child.kill('SIGINT')
  await line(child, 'stopping')
  child.kill('SIGINT')
  await line(child, 'stopped')
  assert.deepEqual(await ended, [0, null])
})

test('a start installs where the lock file asks for another version than is there', async () => {
  await using checkout = await makeCheckout(`console.log('runs')`)
  await lock(checkout.folder, 'package-lock.json', '1.0.1')
  const { code, out, err } = await checkout.run()
  assert.deepEqual({ code, out }, { code: 0, out: 'runs\n' })
  assert.match(err, /^Installing packages \(esbuild\) …\nnpm ci --no-audit --no-fund --omit=dev\n/)
})

test('a start installs what serving needs, and keeps the packages of tests that are there', async () => {
  await using checkout = await makeCheckout(`console.log('runs')`)
  const tests = { 'node_modules/recheck': { version: '1.0.0', dev: true } }
  await lock(checkout.folder, 'package-lock.json', '1.0.0', tests)
  assert.equal((await checkout.run()).err.includes('Installing'), false, 'what only tests need is not missed')
  await lock(checkout.folder, 'node_modules/.package-lock.json', '0.9.0', tests)
  assert.match((await checkout.run()).err, /npm ci --no-audit --no-fund --include=dev\n/)
})
