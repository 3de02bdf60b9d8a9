// Parts that are loaded at their first use: once, again after a failure, and never while there are no file descriptors for them.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { createLate, maxFiles } from '../../src/base/late.ts'
import { openSite, root } from '../site.ts'

test('a part is made once, for all who ask meanwhile, and is there at once afterwards', async () => {
  let made = 0
  const part = createLate(async () => ++made)
  assert.deepEqual(await Promise.all([part(), part()]), [1, 1])
  assert.equal(part(), 1)
})

test('a part that could not be made is an error for those who waited, and the next use tries again', async () => {
  let tries = 0
  const part = createLate(async () => {
    if (++tries === 1) throw new Error('not now')
    return 'there'
  })
  const both = await Promise.allSettled([part(), part()])
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(await part(), 'there')
  assert.equal(tries, 2)
})

const dist = (file: string): string => readFileSync(join(root, 'dist', file), 'utf8')
const files: readonly string[] = JSON.parse(dist('contents.json')).files

/** The built file of a module that `import()` loads. */
function chunkOf(name: string): string {
  const [found] = files.filter((file) => new RegExp(`^chunks/${name}-[A-Z0-9]+\\.js$`).test(file))
  return found ?? assert.fail(`no chunk ${name}`)
}

/** A built file, and all files that it imports at once. */
function closureOf(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, path = ''] of dist(file).matchAll(/(?:\bfrom|\bimport)"(\.[^"]+\.js)"/g))
    closureOf(join(dirname(file), path), seen)
  return seen
}

const atStart = new Set([...closureOf('main.js'), ...closureOf(chunkOf('serve'))])

test('a start loads nothing of the admin’s pages, no document, and no parser that few requests need', () => {
  const sources = [...atStart].flatMap((file) => JSON.parse(dist(`${file}.map`)).sources as string[])
  assert.ok(sources.some((source) => source.endsWith('src/admin/routes.ts')))
  for (const late of [
    /src\/admin\/(?!routes\.ts|paths\.ts|sections\.ts|address-row\.ts)/,
    /src\/docs\//,
    /src\/store\/postgres\/(?!address\.ts|search\.ts|search-vector\.ts)/,
    /node_modules\/(?:@fastify|@simplewebauthn|diff|liquidjs|pg|qrcode|sanitize-html|undici|yaml|yauzl)\//,
  ])
    assert.deepEqual(
      sources.filter((source) => late.test(source)),
      [],
    )
})

test('a part consists of fewer files than are tried before it is loaded', () => {
  for (const name of ['pages', 'front-matter']) {
    const own = [...closureOf(chunkOf(name))].filter((file) => !atStart.has(file))
    assert.ok(own.length > 0 && own.length < maxFiles, `${name}: ${own.length}`)
  }
})

test('a page of the admin is refused without file descriptors, and is there as soon as there are some', async () => {
  await using site = await openSite({ ownProcess: true })
  const before = readdirSync(`/proc/${site.pid}/fd`).length
  setLimit(site.pid, before + 20)
  const refused = await site.send('/admin/sign-in', { token: null })
  assert.equal(refused.status, 500)
  assert.equal((await site.send('/healthz', { token: null })).status, 200)
  setLimit(site.pid, 1024)
  assert.equal((await site.send('/admin/sign-in', { token: null })).status, 200)
})

const setLimit = (pid: number, files: number): void => void execFileSync('prlimit', [`--pid=${pid}`, `--nofile=${files}:`])
