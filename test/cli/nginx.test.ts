// `postern nginx` as an operator calls it: files into a folder, their names on standard output, how to install them on standard error.

import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { exit } from '../../src/cli/exit.ts'
import { postern } from '../postern.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-nginx-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const nginx = (args: readonly string[], env: Record<string, string> = {}) => postern(env, ['nginx', ...args])

test('each file that was written is a line on standard output; three commands that install them stand on standard error', async () => {
  const out = join(folder, 'plain')
  const { code, stdout, stderr } = await nginx(['--server-name', 'example.org', '--out', out])
  assert.equal(code, exit.ok, stderr)
  const files = stdout.trim().split('\n')
  assert.ok(files.includes(join(out, 'conf.d/postern.conf')))
  for (const file of files) assert.ok(existsSync(file), file)
  assert.equal(stderr.match(/^ {2}sudo .*$/gm)?.length, 3)
})

test('--json gives files and commands as one object', async () => {
  const out = join(folder, 'json')
  for (const [kind, file] of [
    ['nginx', 'conf.d/postern.conf'],
    ['apache', 'sites-available/postern.conf'],
    ['caddy', 'Caddyfile'],
  ] as const) {
    const { stdout } = await nginx(['--server-name', 'example.org', '--out', out, '--for', kind, '--json'])
    const told = JSON.parse(stdout) as { files: string[]; commands: string[] }
    assert.ok(told.files.includes(join(out, file)))
    assert.equal(told.commands.length, 3)
  }
})

test('names may be given one by one or together; uploads come from POSTERN_HOME unless --home says otherwise', async () => {
  const out = join(folder, 'names')
  const words = ['--server-name', 'Example.org,www.example.org', '--server-name', 'example.org', '--out', out]
  await nginx(words, { POSTERN_HOME: '/srv/site' })
  assert.match(await readFile(join(out, 'conf.d/postern.conf'), 'utf8'), /server_name example\.org www\.example\.org;/)
  const site = () => readFile(join(out, 'snippets/postern-site.conf'), 'utf8')
  assert.match(await site(), /root \/srv\/site;/)
  await nginx([...words, '--home', '/srv/other'], { POSTERN_HOME: '/srv/site' })
  assert.match(await site(), /root \/srv\/other;/)
})

test('a folder of an earlier run holds what this site is given, and nothing else of ours', async () => {
  const out = join(folder, 'again')
  await nginx(['--server-name', 'example.org', '--out', out, '--tls', '/c.pem', '/k.pem'])
  await writeFile(join(out, 'conf.d/postern-mine.conf'), '')
  const { stdout } = await nginx(['--server-name', 'example.org', '--out', out, '--base-path', '/blog'])
  const there = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.conf'))
  const told = stdout.trim().split('\n')
  assert.deepEqual(there.map((path) => join(out, path)).sort(), [...told, join(out, 'conf.d/postern-mine.conf')].sort())
})

const name = ['--server-name', 'example.org']
const rows: readonly { readonly rule: string; readonly args: readonly string[]; readonly err: RegExp }[] = [
  { rule: 'no name', args: [], err: /^Which host name\?\nTry: postern nginx/ },
  { rule: 'a name that is none', args: ['--server-name', 'a b'], err: /^--server-name "a b" makes no sense: it must be/ },
  { rule: 'a name that goes on as a directive', args: ['--server-name', 'a; return 200'], err: /^--server-name/ },
  { rule: 'a path that goes on as a directive', args: [...name, '--home', '/a; } server {'], err: /^--home/ },
  {
    rule: 'a relative password file',
    args: [...name, '--basic-auth', 'htpasswd'],
    err: /^--basic-auth "htpasswd" makes no sense/,
  },
  { rule: 'a certificate without its key', args: [...name, '--tls', '/c.pem'], err: /^--tls takes two files/ },
  { rule: 'a word too many', args: [...name, '--tls', '/c.pem', '/k.pem', 'x'], err: /^"x" belongs to no option\./ },
  { rule: 'a word without --tls', args: [...name, 'x'], err: /^"x" belongs to no option\./ },
  {
    rule: 'a port that is none',
    args: [...name, '--listen', '70000'],
    err: /^--listen "70000" makes no sense: it must be a port/,
  },
  {
    rule: 'one port for both',
    args: [...name, '--tls', '/c.pem', '/k.pem', '--listen', '80'],
    err: /^--listen and --plain-listen name the same port/,
  },
  { rule: 'a slug without its slash', args: [...name, '--base-path', 'blog'], err: /^--base-path "blog" .* such as \/blog/ },
  { rule: 'an upstream without a port', args: [...name, '--upstream', 'localhost'], err: /^--upstream "localhost"/ },
  {
    rule: 'another web server',
    args: [...name, '--for', 'iis'],
    err: /^--for "iis" makes no sense: it must be nginx, apache or caddy/,
  },
  {
    rule: 'a password with Caddy',
    args: [...name, '--for', 'caddy', '--basic-auth', '/x'],
    err: /^Caddy reads no password file/,
  },
]
for (const { rule, args, err } of rows) {
  test(`nginx: ${rule} is told in one sentence, and nothing is written`, async () => {
    const out = join(folder, 'never')
    const { code, stdout, stderr } = await nginx([...args, '--out', out])
    assert.deepEqual([code, stdout], [exit.usage, ''])
    assert.match(stderr, err)
    assert.equal(existsSync(out), false)
  })
}

test('nginx: a folder is asked for, and one that cannot be made is told', async () => {
  assert.match((await nginx(name)).stderr, /^Into which folder\?/)
  const file = join(folder, 'file')
  await writeFile(file, '')
  const { code, stderr } = await nginx([...name, '--out', join(file, 'below')])
  assert.equal(code, exit.refused)
  assert.match(stderr, /^The folder .* can't be written/)
})
