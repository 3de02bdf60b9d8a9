// `postern doctor` as a command: on the server and from another machine, over TLS, with its exit codes; and what it leaves behind.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openDns, openPatient, type Patient } from '../doctor-plants.ts'
import { postern } from '../postern.ts'
import { databaseSettings } from '../postgres.ts'
import { root, runPostern } from '../run-postern.ts'
import { onlySqlite } from '../sqlite-only.ts'

let patient: Patient
let dns: Awaited<ReturnType<typeof openDns>>
let reach: readonly string[]
before(async () => {
  patient = await openPatient({ front: { tls: true } })
  dns = await openDns({ localhost: { A: ['93.184.215.14'] } })
  const { front } = patient
  const certificate = join(front.folder, 'certificate.pem')
  reach = [
    '--resolve',
    'localhost:127.0.0.1',
    '--dns',
    dns.server,
    '--cacert',
    certificate,
    '--plain-port',
    String(front.plainPort),
  ]
})
after(async () => {
  await dns[Symbol.asyncDispose]()
  await patient[Symbol.asyncDispose]()
})

const activeTokens = async () => (await patient.site.call('SVC_Tokens.list')).items.map(({ name }: { name: string }) => name)

test('doctor: on the server a site as it should be is told so, with exit code 0, and no token is left', async () => {
  const { code, stdout, stderr } = await patient.site.postern(['doctor', ...reach])
  assert.equal(code, 0, stdout + stderr)
  assert.match(stdout, /^\d+ rows are well, \d+ unknown, 0 warnings, 0 broken\.\n$/)
  assert.deepEqual(await activeTokens(), ['test'])
})

test('doctor: what is broken is told with its fix and exit code 2, as JSON too', async () => {
  await patient.examine([['postern-proxy.conf', 'X-Forwarded-For $remote_addr', 'X-Forwarded-For $proxy_add_x_forwarded_for']], {
    only: ['name'],
  })
  const told = await patient.site.postern(['doctor', ...reach, '--only', 'forged-address,target'])
  assert.equal(told.code, 2, told.stderr)
  assert.match(
    told.stdout,
    /^✗ forged-address: .*\n {4}fix: proxy_set_header X-Forwarded-For \$remote_addr; {3}in \/etc\/nginx\/snippets\/postern-proxy\.conf\n1 rows are well/,
  )
  const { stdout } = await patient.site.postern(['doctor', ...reach, '--only', 'forged-address', '--json'])
  const [finding] = JSON.parse(stdout).findings
  assert.deepEqual(
    [finding.id, finding.state, Object.keys(finding).sort()],
    ['forged-address', 'broken', ['fix', 'id', 'message', 'seen', 'source', 'state']],
  )
  await patient.examine([], { only: ['name'] })
})

test('doctor: from another machine an admin’s token buys what is seen; without one that is unknown', async () => {
  const home = await mkdtemp(join(tmpdir(), 'postern-doctor-'))
  try {
    const env = { POSTERN_HOME: home }
    const words = ['doctor', '--url', patient.front.base, ...reach, '--json']
    const stateOf = async (more: readonly string[]) => {
      const { code, stdout, stderr } = await postern(env, [...words, ...more])
      assert.equal(code, 0, stdout + stderr)
      return Object.fromEntries(JSON.parse(stdout).findings.map(({ id, state }: { id: string; state: string }) => [id, state]))
    }
    const stranger = await stateOf([])
    assert.deepEqual([stranger['target'], stranger['legacy-bridge'], stranger['body']], ['unknown', 'unknown', 'ok'])
    const refused = await postern(env, [...words, '--token', `pst_${'a'.repeat(43)}`, '--only', 'authorization,target'])
    assert.match(refused.stderr, /^The token is unknown, has ended, or does not have the scope admin/)
    assert.deepEqual(
      JSON.parse(refused.stdout).findings.map(({ state }: { state: string }) => state),
      ['unknown', 'ok'],
      'the web server is not to blame',
    )
    const inside = await postern(env, [...words, '--only', 'home'])
    assert.match(inside.stderr, /^The row home can only be checked on the server/)
    const admin = await stateOf(['--token', patient.site.token])
    assert.deepEqual([admin['target'], admin['legacy-bridge'], admin['events']], ['ok', 'ok', 'ok'])
    assert.deepEqual(await activeTokens(), ['test'])
  } finally {
    await rm(home, { recursive: true, force: true })
  }
})

test('doctor: a row that does not exist, and a command line that makes no sense, are told', async () => {
  const wrong = await patient.site.postern(['doctor', ...reach, '--only', 'nonsense'])
  assert.match(wrong.stderr, /There is no row nonsense; there are: name, ipv6/)
  const form = await patient.site.postern(['doctor', '--resolve', 'example.org'])
  assert.equal(form.code, 2)
})

test(
  'doctor sqlite-module: a driver that does not load is told, and all that can be known without it',
  onlySqlite('a compiled driver'),
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'postern-doctor-'))
    try {
      const hook = join(folder, 'hook.cjs')
      await writeFile(
        hook,
        `process.dlopen = (_, file) => { throw new Error('The module ' + file + ' was compiled against another Node.') }`,
      )
      const { site, front } = patient
      const env = {
        PATH: process.env['PATH'] ?? '',
        POSTERN_HOME: site.home,
        POSTERN_BASE_URL: front.base,
        NODE_OPTIONS: `--require=${hook}`,
      }
      const { code, stdout, stderr } = await runPostern(env, ['doctor', ...reach])
      assert.equal(code, 2, stdout + stderr)
      assert.match(stdout, /^✗ sqlite-module: The module sqlite3.* does not load: .*node_sqlite3\.node/)
      assert.match(stdout, /fix: npm rebuild sqlite3/)
      assert.match(stdout, /\d\d rows are well, \d+ unknown, 0 warnings, 1 broken/)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)

test('doctor: asked to stop in the middle, it takes its token back and says so', async () => {
  const { site } = patient
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const env = { ...process.env, ...(await databaseSettings(site.home)), POSTERN_HOME: site.home }
  const words = [join(root, 'scripts', 'postern'), 'doctor', '--url', `http://127.0.0.1:${port}`, '--only', 'reachable']
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  await once(silent, 'connection')
  assert.deepEqual([...(await activeTokens())].sort(), ['postern doctor', 'test'])
  child.kill('SIGINT')
  const [code] = await once(child, 'close')
  silent.close()
  assert.equal(code, 5)
  assert.deepEqual(await activeTokens(), ['test'])
})

test('a probe’s header is answered to who has the key alone, below 2 KiB, and to nobody else', async () => {
  const plain = await patient.site.send('/mcp/', { headers: { 'x-postern-probe': 'nonsense.AAAA' } })
  assert.equal(plain.headers.get('x-postern-saw'), null)
  assert.equal((await patient.site.send('/healthz')).headers.get('x-postern-saw'), null)
  const key = (await patient.site.call('SVC_Health.doctor-key')).key
  const mark = patient.mark(key)
  const names = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`x-long-header-name-${index}`, 'x']))
  const path = `/${'%22'.repeat(2000)}`
  const { headers } = await patient.site.send(path, { headers: { ...names, 'x-postern-probe': mark } })
  const saw = headers.get('x-postern-saw') ?? ''
  assert.ok(saw.length > 100 && saw.length < 2048, String(saw.length))
  const other = await patient.site.send('/mcp/', {
    headers: { 'x-postern-probe': mark.replace(/^[^.]*/, (end) => (parseInt(end, 36) + 1).toString(36)) },
  })
  assert.equal(other.headers.get('x-postern-saw'), null)
})
