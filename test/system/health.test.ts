// The check of the protected folders against real fronts: servers on loopback that pass everything on to the site, but hand out some of
// `user-content/` from disk.

import assert from 'node:assert/strict'
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, normalize } from 'node:path'
import { after, before, test } from 'node:test'
import { openVisitor } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'

/** The file or folder below the home that a front takes a target for; undefined is passed on. */
type Front = (target: string) => string | undefined

const lenient = (target: string): string =>
  normalize(decodeURIComponent(target.split('?')[0] ?? '').replaceAll('\\', '/')).replace(/^\/blog/, '')
const passOn: Front = () => undefined
const fromDisk: Front = (target) => (lenient(target).startsWith('/user-content/') ? lenient(target) : undefined)

interface Fronted extends AsyncDisposable {
  readonly site: TestSite
  /** What the check finds while the front is such a one; undefined is a front that answers nothing. */
  check(front: Front | undefined): Promise<{ state: string; message: string; fix: string | null }>
  /** What lies in the protected folders. */
  left(): Promise<readonly string[]>
}

async function openFronted(basePath = ''): Promise<Fronted> {
  let front: Front | undefined = passOn
  let site: TestSite | undefined
  const server = createServer((incoming, outgoing) => {
    const target = incoming.url ?? ''
    const file = front?.(target)
    if (!front || !site) incoming.socket.destroy()
    else if (file !== undefined) void sendFile(outgoing, join(site.home, file))
    else passTo(site.port, incoming, outgoing)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  const opened = await openSite({ basePath, env: { POSTERN_BASE_URL: `http://127.0.0.1:${port}${basePath}` } })
  site = opened
  return {
    site: opened,
    async check(now) {
      front = now
      return (await opened.call('SVC_Health.check', { only: ['protected-folders'] })).items[0]
    },
    async left() {
      const folders = ['logs', 'skills', 'uploads/protected'].map((folder) => readdir(join(opened.home, 'user-content', folder)))
      return (await Promise.all(folders)).flat().filter((name) => !name.endsWith('-errors.log'))
    },
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function passTo(port: number, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { url: path = '/', method, headers } = incoming
  const passed = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  incoming.pipe(passed.on('error', () => outgoing.destroy()))
}

/** A file, or the listing of a folder. */
async function sendFile(outgoing: ServerResponse, path: string): Promise<void> {
  const names = await readdir(path).catch(() => undefined)
  const text = names
    ? names.map((name) => `<a href="${name}">${name}</a>`).join('\n')
    : await readFile(path, 'utf8').catch(() => undefined)
  outgoing.writeHead(text === undefined ? 404 : 200).end(text)
}

let front: Fronted
before(async () => {
  front = await openFronted()
})
after(() => front[Symbol.asyncDispose]())

test('attack 129: a front that serves the folders from disk is found out, told with its paths and its remedy, and shown on every page', async () => {
  const { state, message, fix } = await front.check(fromDisk)
  assert.equal(state, 'broken')
  for (const folder of ['/user-content/logs/', '/user-content/skills/', '/user-content/uploads/protected/'])
    assert.ok(message.includes(folder), message)
  assert.match(fix ?? '', /^location ~\* \^\/user-content\/\(\?:logs\|skills\|uploads\/protected\)/)
  assert.deepEqual(await front.left(), [])
  const owner = openVisitor(front.site)
  await owner.signIn()
  for (const page of ['/admin/', '/admin/settings']) {
    const { text } = await owner.open(page)
    assert.ok(text.includes('Anyone can read the files in /user-content/logs/'), page)
    assert.ok(text.includes('return 403;'), page)
  }
  assert.deepEqual((await front.site.call('SVC_Skills.list')).items, [], 'what was planted is no skill')
})

for (const [what, lenientOne, told] of [
  [
    'two slashes',
    (target: string) => (target.startsWith('//') ? fromDisk(target) : undefined),
    /at \/\/user-content\/\/logs\/\/… , /,
  ],
  [
    'an encoded letter',
    (target: string) => (target.includes('%6C') ? fromDisk(target) : undefined),
    /in \/user-content\/logs\/: .* at \/user-content\/%6Cogs\/…\.$/,
  ],
  [
    'the ending .png',
    (target: string) => (target.endsWith('.png') ? fromDisk(target) : undefined),
    /in \/user-content\/uploads\/protected\/: /,
  ],
  ['a listing', (target: string) => (target.endsWith('/logs/') ? fromDisk(target) : undefined), /at \/user-content\/logs\/\.$/],
] as const) {
  test(`attack 129: a front that falls for ${what} alone is found out`, async () => {
    const { state, message } = await front.check(lenientOne)
    assert.equal(state, 'broken')
    assert.match(message, told)
    assert.deepEqual(await front.left(), [])
  })
}

test('below a slug the paths and the remedy have it too', async () => {
  await using below = await openFronted('/blog')
  const { message, fix } = await below.check(fromDisk)
  assert.match(message, /\/blog\/user-content\/logs\/…/)
  assert.match(fix ?? '', /\^\/blog\/user-content/)
})

test('a front that passes everything on is well', async () => {
  assert.deepEqual([(await front.check(passOn)).state, await front.left()], ['ok', []])
})

test('a front that answers nothing leaves it unknown, and nothing behind', async () => {
  const { state, message } = await front.check(undefined)
  assert.equal(state, 'unknown')
  assert.match(message, /could not be reached at its own address/)
  assert.deepEqual(await front.left(), [])
})

test('what a check left that was killed is taken away by the next, and a check that fails half-way leaves nothing', async () => {
  const folder = join(front.site.home, 'user-content', 'logs')
  const old = join(folder, 'postern-probe-0123456789abcdef.log')
  await writeFile(old, 'x')
  await utimes(old, 1_700_000_000, 1_700_000_000)
  await front.check(passOn)
  assert.deepEqual(await front.left(), [])
  await rm(join(front.site.home, 'user-content', 'uploads', 'protected'), { recursive: true })
  assert.equal((await front.check(passOn)).state, 'unknown')
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('postern-probe-')),
    [],
  )
})
