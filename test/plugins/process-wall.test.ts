// What a plugin can't do from its process: a fixture tries every way out that we know. The same tries are made in a bare process, so that
// each is known to lead somewhere.

import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readlinkSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { root } from '../site.ts'
import { fatalOf, firstAction, fixtures, openPlugin } from './processes.ts'

interface Tried {
  readonly tried: number
  readonly got: readonly string[]
}

/** A file that no plugin may read, a server that none may reach, and what of it all a plugin's tries are told. */
async function withTarget<Value>(
  use: (target: { secret: string; port: number; connections: () => number }) => Promise<Value>,
): Promise<Value> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-secret-'))
  const secret = join(folder, 'key')
  await writeFile(secret, 'the key of the site')
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.on('error', () => undefined)
    socket.end('HTTP/1.1 204 No Content\r\n\r\n')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await use({ secret, port: (server.address() as AddressInfo).port, connections: () => connections })
  } finally {
    server.close()
    await rm(folder, { recursive: true })
  }
}

/** Plugin code in a process without any wall; `parent` is one that is there to be killed. */
async function tryBare(input: { secret: string; port: number }): Promise<Tried> {
  const victim = spawn('sh', ['-c', 'trap "" TERM USR1; exec sleep 60'])
  // What else it imports may print first.
  const script = `
    import { activate } from ${JSON.stringify(join(fixtures, 'snoops', 'index.js'))}
    process.on('SIGTERM', () => {})
    activate({ action: async ({ run }) => {
      const { tried, got } = await run(${JSON.stringify({ ...input, parent: victim.pid })})
      process.stdout.write(JSON.stringify({ tried, got }), () => process.reallyExit(0))
    } })`
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', '--input-type=module', '-e', script])
    return JSON.parse(stdout.slice(stdout.indexOf('{'))) as Tried
  } finally {
    victim.kill('SIGKILL')
    await rm(join(fixtures, 'snoops', 'new.txt'), { force: true })
  }
}

test('attacks 112, 113: of all ways out, none leads anywhere', async () => {
  await withTarget(async ({ secret, port, connections }) => {
    await using open = await openPlugin('snoops', { limits: { timeoutMs: 60_000 } })
    const { value } = await open.plugin.run(firstAction, [{ secret, port, parent: process.pid }, {}])
    assert.deepEqual((value as Tried).got, [])
    assert.ok((value as Tried).tried > 90)
    assert.equal(connections(), 0)
    assert.equal(existsSync(join(fixtures, 'snoops', 'new.txt')), false)
  })
})

/** Those that lead somewhere in a bare process of every Node that we run on. */
const known = [
  'reads /proc/self/environ',
  'imports child_process',
  'imports node:worker_threads',
  'imports net',
  'imports sqlite3',
  'imports ../prints/index.js',
  'writes a file',
  'kills its parent',
  'opens a debugger in its parent',
  'has a binding',
  'fetches',
  'evaluates an import',
  'makes a function that imports',
  'has a global of what connects',
  'finds the real process by its events',
  'finds the file system in what reads',
  'changes what all objects are',
  'has a port by giving a stream away',
]

test('attacks 112, 113: the same ways lead out of a bare process', async () => {
  await withTarget(async ({ secret, port }) => {
    const { got } = await tryBare({ secret, port })
    assert.deepEqual(
      [`reads ${secret}`, ...known].filter((way) => !got.includes(way)),
      [],
    )
  })
})

test('attack 113: a module that may not be imported is refused by name, with what may be', async () => {
  const fatal = await fatalOf(openPlugin('imports-net'))
  assert.equal(fatal.reason, 'load')
  assert.match(fatal.message, /A plugin can't import "node:net"\. It may import its own files .* zlib/)
})

test('attack 113: a file outside its folder is refused', async () => {
  const fatal = await fatalOf(openPlugin('imports-outside'))
  assert.equal(fatal.reason, 'load')
  assert.ok(!fatal.message.includes(fixtures), fatal.message)
})

test('attack 113: its environment is empty, and where it may have namespaces, its network too', async () => {
  await using open = await openPlugin('prints')
  const { pid } = open.plugin
  assert.equal(readFileSync(`/proc/${pid}/environ`, 'utf8'), '')
  assert.equal(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim(), '1000')
  const isAlone = readlinkSync(`/proc/${pid}/ns/net`) !== readlinkSync('/proc/self/ns/net')
  assert.equal(isAlone, mayUnshare())
})

test('attack 113: code that has all of Node still reads, writes and starts nothing, and has no network where it may have namespaces', async () => {
  await withTarget(async ({ secret, port }) => {
    const hostFile = pathToFileURL(join(root, 'test', 'fixtures', 'hostile-host.mjs'))
    await using open = await openPlugin('prints', { hostFile, main: 'reaches out' })
    const { value } = await open.plugin.run(firstAction, [{ secret, port }])
    assert.deepEqual(value, mayUnshare() ? [] : ['connects'])
  })
})

function mayUnshare(): boolean {
  try {
    execFileSync('unshare', ['-Un', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
