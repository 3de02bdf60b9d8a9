// An install below a folder that stands for a machine: each file with its mode, again without a change, units that systemd takes, nginx files
// that nginx takes, and all of it gone at the end but the site.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { fillHome } from '../home-template.ts'
import { lightRelease } from '../installed.ts'
import { postern } from '../postern.ts'

const run = promisify(execFile)
const env = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin`, HOME: process.env['HOME'] ?? '/' }

async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-install-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

let installed: string
before(async () => {
  installed = await mkdtemp(join(tmpdir(), 'postern-install-'))
  const { code, stderr } = await postern(env, ['install', '--root', installed])
  assert.equal(code, 0, stderr)
})
after(() => rm(installed, { recursive: true, force: true }))

/** Everything below a folder with its kind, mode and bytes; of the releases only what is at their top. */
function listing(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return names
    .filter((name) => !/^opt\/postern\/(?:current\/|releases\/[^/]+\/.*\/)/.test(name))
    .map((name) => {
      const found = lstatSync(join(folder, name))
      const kind = found.isDirectory() ? 'd' : found.isSymbolicLink() ? 'l' : '-'
      return `${kind}${(found.mode & 0o777).toString(8)} /${name.replace(/(?<=releases\/)[^/.]+\.\d+\.\d+-[0-9a-f]{12}/, 'RELEASE')} ${kind === '-' ? found.size : ''}`
    })
}

const without = (lines: readonly string[]): string[] => lines.map((line) => line.replace(/ \d*$/, ''))

test('an install puts each file in its place with its mode, prints it, and a second one changes nothing', async (t) => {
  const folder = await folderOf(t)
  const name = ['--server-name', 'example.org', '--tls', '/etc/ssl/c.pem', '/etc/ssl/k.pem']
  const words = ['install', '--root', folder, '--from', await lightRelease(), ...name]
  const dry = await postern(env, [...words, '--dry-run'])
  assert.equal(dry.code, 0, dry.stderr)
  assert.deepEqual(listing(folder), [])
  const first = await postern(env, words)
  assert.equal(first.code, 0, first.stderr)
  assert.deepEqual(first.stdout, dry.stdout)
  assert.deepEqual(first.stderr, dry.stderr)
  const printed = first.stdout.trim().split('\n')
  const listed = listing(folder)
  const files = listed.filter((line) => line.startsWith('-') && line.includes(' /etc/')).map((line) => line.split(' ')[1])
  assert.deepEqual(printed.sort(), files.sort())
  assert.deepEqual(
    without(listed).filter((line) => !/nginx|releases\/RELEASE\//.test(line)),
    [
      'd755 /etc',
      'd755 /etc/postern',
      '-644 /etc/postern/installed.json',
      '-640 /etc/postern/postern.env',
      'd755 /etc/systemd',
      'd755 /etc/systemd/system',
      '-644 /etc/systemd/system/postern-backup.service',
      '-644 /etc/systemd/system/postern-backup.timer',
      '-644 /etc/systemd/system/postern-eyes.socket',
      '-644 /etc/systemd/system/postern-eyes@.service',
      '-644 /etc/systemd/system/postern.service',
      '-644 /etc/systemd/system/postern.socket',
      '-644 /etc/systemd/system/postern@.service',
      '-644 /etc/systemd/system/system-postern.slice',
      'd755 /opt',
      'd755 /opt/postern',
      '-600 /opt/postern/.lock',
      'l777 /opt/postern/current',
      'd755 /opt/postern/releases',
      'd755 /opt/postern/releases/RELEASE',
      'd755 /var',
      'd755 /var/backups',
      'd700 /var/backups/postern',
      'd755 /var/lib',
      'd750 /var/lib/postern',
    ],
  )
  assert.match(await readFile(join(folder, 'etc/postern/postern.env'), 'utf8'), /^POSTERN_BASE_URL=https:\/\/example\.org$/m)
  assert.match(await readlink(join(folder, 'opt/postern/current')), /^releases\/1\.0\.0-[0-9a-f]{12}$/)
  for (const left of ['useradd --system', 'usermod -aG postern www-data', 'nginx -t', 'systemctl enable postern.socket'])
    assert.ok(first.stderr.includes(`Left out below ${folder}: ${left}`), left)

  const current = join(folder, 'opt/postern/current')
  const { stdout: told } = await promisify(execFile)(join(current, 'scripts/postern'), ['--version'])
  assert.equal(`releases/${told}`, `${await readlink(current)}\n`)

  await writeFile(join(folder, 'etc/postern/postern.env'), 'POSTERN_LOG_LEVEL=warn\n')
  const before = listing(folder)
  const second = await postern(env, words)
  assert.equal(second.code, 0)
  assert.doesNotMatch(second.stderr, /had been changed|stays as it is/)
  assert.deepEqual(listing(folder), before)

  const record = () => readFile(join(folder, 'etc/postern/installed.json'), 'utf8')
  const written = JSON.parse(await record()).files as unknown[]
  assert.equal((await postern(env, words.slice(0, 5))).code, 0)
  assert.deepEqual(
    new Set((JSON.parse(await record()).files as unknown[]).map((file) => JSON.stringify(file))),
    new Set(written.map((file) => JSON.stringify(file))),
  )
})

test('systemd finds nothing wrong in what was installed, which starts the release by its link', async () => {
  // What the units ask of the machine.
  const node = join(installed, process.execPath)
  await mkdir(join(node, '..'), { recursive: true })
  await writeFile(node, '#!/bin/sh\n', { mode: 0o755 })
  await mkdir(join(installed, 'bin'), { recursive: true })
  await writeFile(join(installed, 'bin', 'sh'), '#!/bin/sh\n', { mode: 0o755 })
  const shipped = '/usr/lib/systemd/system'
  await mkdir(join(installed, shipped), { recursive: true })
  for (const name of readdirSync(shipped))
    if (name.endsWith('.target')) await cp(join(shipped, name), join(installed, shipped, name))
  const units = readdirSync(join(installed, 'etc/systemd/system'))
  const { stdout, stderr } = await run('systemd-analyze', ['verify', `--root=${installed}`, ...units])
  assert.equal(`${stdout}${stderr}`, '')
  const unit = readFileSync(join(installed, 'etc/systemd/system/postern.service'), 'utf8')
  assert.match(unit, /^WorkingDirectory=\/opt\/postern\/current$/m)
  assert.ok(unit.includes(`ExecStart=${process.execPath} `))
})

test('nginx takes what was installed, once its own files are around it', async (t) => {
  const folder = await folderOf(t)
  const pair = ['-keyout', join(folder, 'k.pem'), '-out', join(folder, 'c.pem')]
  await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...pair, '-subj', '/CN=example.org'])
  const tls = ['--tls', join(folder, 'c.pem'), join(folder, 'k.pem')]
  const { code, stderr: told } = await postern(env, [
    'install',
    '--root',
    folder,
    '--from',
    await lightRelease(),
    '--server-name',
    'example.org',
    ...tls,
    '--base-path',
    '/blog',
  ])
  assert.equal(code, 0, told)
  assert.match(readFileSync(join(folder, 'etc/postern/postern.env'), 'utf8'), /^POSTERN_BASE_URL=https:\/\/example\.org\/blog$/m)
  const place = join(folder, 'etc/nginx')
  const config = `pid ${folder}/pid;\nevents {}\nhttp { access_log off; include conf.d/*.conf; }\n`
  await writeFile(join(place, 'nginx.conf'), config)
  const { stderr } = await run('nginx', ['-t', '-p', place, '-c', 'nginx.conf'], { env })
  assert.match(stderr, /test is successful/)
})

test('what is there already: a default server, a file that somebody changed, an address in the settings', async (t) => {
  const folder = await folderOf(t)
  const there = {
    'etc/nginx/sites-enabled/default': '',
    'etc/nginx/conf.d/postern.conf': '# by hand\n',
    'etc/postern/postern.env': 'POSTERN_BASE_URL=https://other.example\n',
  }
  for (const [path, text] of Object.entries(there)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const words = ['install', '--root', folder, '--from', await lightRelease(), '--server-name', 'example.org']
  const { stdout, stderr } = await postern(env, words)
  assert.match(stdout, /conf\.d\/postern\.conf/)
  assert.doesNotMatch(stdout, /unknown-hosts/)
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')
  assert.match(
    stderr,
    /^\/etc\/nginx\/conf\.d\/postern\.conf had been changed\. Its old text is in .*postern\.conf\.postern-old\.$/m,
  )
  assert.equal(read('etc/nginx/conf.d/postern.conf.postern-old'), '# by hand\n')
  assert.match(read('etc/nginx/conf.d/postern.conf'), /server_name example\.org/)
  assert.match(
    stderr,
    /^\/etc\/postern\/postern\.env stays as it is, with POSTERN_BASE_URL=https:\/\/other\.example, but nginx serves http:\/\/example\.org\.$/m,
  )
  assert.equal(read('etc/postern/postern.env'), there['etc/postern/postern.env'])
})

test('an uninstall takes away what was written, leaves what was changed since, and the site', async (t) => {
  const folder = await folderOf(t)
  const made = await postern(env, ['install', '--root', folder, '--from', await lightRelease()])
  assert.equal(made.code, 0, made.stderr)
  await fillHome(join(folder, 'var/lib/postern/site'))
  await writeFile(join(folder, 'etc/postern/postern.env'), 'POSTERN_LOG_LEVEL=warn\n')
  const { code, stdout, stderr } = await postern(env, ['uninstall', '--root', folder])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^\/etc\/systemd\/system\/postern\.service$/m)
  assert.match(stderr, /^\/etc\/postern\/postern\.env was changed after the install, and stays\.$/m)
  assert.match(stderr, /The site stays in \/var\/lib\/postern\/site/)
  const left = without(listing(folder)).map((line) => line.split(' ')[1])
  assert.deepEqual(
    left.filter((path) => path?.startsWith('/opt')),
    ['/opt'],
  )
  assert.deepEqual(left.filter((path) => path?.startsWith('/etc/')).sort(), [
    '/etc/postern',
    '/etc/postern/postern.env',
    '/etc/systemd',
    '/etc/systemd/system',
  ])
  assert.ok(left.includes('/var/lib/postern/site/data/postern.db'))
  assert.equal((await postern(env, ['uninstall', '--root', folder])).code, 4)
})

const folder = 'a folder that holds no release'
for (const { rule, words, code, says } of [
  {
    rule: folder,
    words: ['--from', '/tmp'],
    code: 4,
    says: /^\/tmp holds no release that could be installed: package\.json can't be read/,
  },
  { rule: 'a slug without a name', words: ['--base-path', '/blog'], code: 2, says: /^Which host name\?/ },
  { rule: 'a certificate without a name', words: ['--tls', '/c.pem', '/k.pem'], code: 2, says: /^Which host name\?/ },
  { rule: 'a word too many', words: ['now'], code: 2, says: /^"now" belongs to no option/ },
  {
    rule: 'an address of another machine',
    words: ['--ready-url', 'http://192.0.2.1/readyz'],
    code: 2,
    says: /an address of this machine/,
  },
  { rule: 'no number of seconds', words: ['--ready-seconds', 'soon'], code: 2, says: /^--ready-seconds must be a number/ },
]) {
  test(`install: ${rule} is told in one sentence, and nothing but the lock is written`, async (t) => {
    const place = await folderOf(t)
    const told = await postern(env, ['install', '--root', place, ...words])
    assert.equal(told.code, code, told.stderr)
    assert.match(told.stderr, says)
    assert.deepEqual(
      without(listing(place)).filter((line) => !/ \/opt(?:\/postern(?:\/\.lock)?)?$/.test(line)),
      [],
    )
  })
}

test('an install beside another release is an upgrade’s affair; a build older than its sources is nobody’s', async (t) => {
  const other = await folderOf(t)
  await cp(await lightRelease(), other, { recursive: true })
  const second = await postern(env, ['install', '--root', installed, '--from', other])
  assert.equal(second.code, 6, second.stderr)
  assert.match(second.stderr, /is installed already, and .* is another release\.\nTry: postern upgrade/)
  await mkdir(join(other, 'src'))
  await chmod(join(other, 'src'), 0o755)
  const stale = await postern(env, ['upgrade', '--root', installed, '--from', other])
  assert.equal(stale.code, 4)
  assert.match(stale.stderr, /its build is older than its sources\. In a checkout run: npm ci && npm run build/)
})
