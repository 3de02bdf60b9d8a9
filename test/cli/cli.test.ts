// The command line as scripts use it, on a real home. Results on standard output, words on standard error, a code.

import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { UsageError } from '../../src/cli/command.ts'
import { exit, exitCodes } from '../../src/cli/exit.ts'
import { commands } from '../../src/cli/commands.ts'
import { codes } from '../../src/base/failure.ts'
import { postern as runHere } from '../postern.ts'
import { root, runPostern } from '../run-postern.ts'
import { openSite } from '../site.ts'
import { until } from '../until.ts'

let home: string
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'postern-cli-'))
  const made = await postern(['admin', 'create', '--email', 'Owner@Example.org', '--name', 'Owner'], 'correct horse battery\n')
  assert.equal(made.code, 0, made.stderr)
})
after(() => rm(home, { recursive: true, force: true }))

const postern = (args: readonly string[], input = '', env: Record<string, string> = {}) =>
  runHere({ POSTERN_HOME: home, ...env }, args, input)

test('every failure code has an exit code, and success has none of theirs', () => {
  assert.deepEqual(Object.keys(exitCodes).sort(), [...codes].sort())
  assert.ok(!Object.values(exitCodes).includes(exit.ok))
})

const rows: readonly { rule: string; args: readonly string[]; code: number; err: RegExp; input?: string }[] = [
  { rule: 'no command is told with the way to help', args: [], code: exit.usage, err: /Try: postern help/ },
  { rule: 'a misspelt command names the nearest', args: ['tokne', 'list'], code: exit.usage, err: /Try: postern token list/ },
  { rule: 'half a command names what goes on from there', args: ['token'], code: exit.usage, err: /postern token create, / },
  {
    rule: 'a misspelt second word names the nearest',
    args: ['token', 'lst'],
    code: exit.usage,
    err: /Try: postern token list\n/,
  },
  {
    rule: 'so it does where the first word is a command',
    args: ['backup', 'lst'],
    code: exit.usage,
    err: /Try: postern backup list\n/,
  },
  {
    rule: 'a misspelt command with arguments',
    args: ['instal', '--root', '/x'],
    code: exit.usage,
    err: /Try: postern install\n/,
  },
  { rule: 'help about no command is told', args: ['help', 'tokne', 'list'], code: exit.usage, err: /Try: postern token list\n/ },
  {
    rule: 'no command with --help is told',
    args: ['tokne', 'list', '--help'],
    code: exit.usage,
    err: /Try: postern token list\n/,
  },
  { rule: 'an unknown option is told', args: ['token', 'list', '--nope'], code: exit.usage, err: /--nope/ },
  {
    rule: 'a misspelt option names the nearest',
    args: ['token', 'list', '--jsno'],
    code: exit.usage,
    err: /Did you mean --json\?\nTry: /,
  },
  { rule: 'an option without its value is told', args: ['backup', '--note'], code: exit.usage, err: /^--note needs a value\. / },
  { rule: 'a value too many is told', args: ['backup', '--json=1'], code: exit.usage, err: /^--json takes no value\.\n/ },
  {
    rule: 'an action that is not there has no help',
    args: ['call', 'SVC_Content.gte', '--help'],
    code: exit.notFound,
    err: /mean SVC_Content\.get\?/,
  },
  {
    rule: 'maintenance is told on, off or status',
    args: ['maintenance', 'maybe'],
    code: exit.usage,
    err: /Try: postern maintenance status/,
  },
  { rule: 'a status takes no message', args: ['maintenance', 'status', '--message', 'x'], code: exit.usage, err: /go with "on"/ },
  {
    rule: 'a file that is not there',
    args: ['call', 'SVC_Content.get', 'id=@gone'],
    code: exit.usage,
    err: /^There is no file "gone" for id\.\nTry: id=@@gone/,
  },
  {
    rule: 'a folder is no file',
    args: ['call', 'SVC_Content.get', 'id=@/'],
    code: exit.usage,
    err: /^The file "\/" for id can't be read/,
  },
  {
    rule: 'standard input for two keys',
    args: ['call', 'SVC_Content.update', 'id=@-', 'body=@-'],
    code: exit.usage,
    err: /both id and body/,
  },
  { rule: 'an account needs its e-mail', args: ['admin', 'create'], code: exit.usage, err: /Try: postern admin create --email/ },
  {
    rule: 'a role is one of three',
    args: ['admin', 'create', '--email', 'a@b.c', '--name', 'A', '--role', 'king'],
    code: exit.usage,
    err: /admin/,
  },
  {
    rule: 'a short password is told',
    args: ['admin', 'create', '--email', 'a@b.c', '--name', 'A'],
    input: 'short',
    code: exit.usage,
    err: /at least 10/,
  },
  {
    rule: 'no e-mail is told',
    args: ['admin', 'create', '--email', 'nonsense', '--name', 'A'],
    input: 'long enough a password',
    code: exit.usage,
    err: /no e-mail/,
  },
  {
    rule: 'an e-mail that has an account is told',
    args: ['admin', 'create', '--email', 'OWNER@example.org', '--name', 'A'],
    input: 'long enough a password',
    code: exit.conflict,
    err: /already/,
  },
  {
    rule: 'a token of no account is told',
    args: ['token', 'create', '--account', 'x@example.org'],
    code: exit.notFound,
    err: /no account/,
  },
  { rule: 'a scope is one of three', args: ['token', 'create', '--scope', 'root'], code: exit.usage, err: /scope/ },
  { rule: 'an expiry is ahead', args: ['token', 'create', '--expires', '2001-01-01'], code: exit.usage, err: /future/ },
  { rule: 'a token that is not there is told', args: ['token', 'revoke', 'nope'], code: exit.notFound, err: /no token/ },
  { rule: 'a call names an action', args: ['call'], code: exit.usage, err: /Which action/ },
  { rule: 'a word without = is no argument', args: ['call', 'SVC_API.welcome', 'x'], code: exit.usage, err: /key=value/ },
  {
    rule: 'input that is no JSON is told',
    args: ['call', 'SVC_API.welcome', '--json-input', '{'],
    code: exit.usage,
    err: /no JSON/,
  },
  {
    rule: 'input that is no object is told',
    args: ['call', 'SVC_API.welcome', '-'],
    input: '[1]',
    code: exit.usage,
    err: /JSON object/,
  },
  {
    rule: 'a call as nobody is told',
    args: ['call', 'SVC_API.welcome', '--as', 'x@example.org'],
    code: exit.notFound,
    err: /no account/,
  },
]
for (const { rule, args, code, err, input } of rows) {
  test(`${rule}, with code ${code} and nothing on standard output`, async () => {
    const ran = await postern(args, input)
    assert.deepEqual([ran.code, ran.stdout], [code, ''], ran.stderr)
    assert.match(ran.stderr, err)
    assert.ok(!ran.stderr.includes('    at '), ran.stderr)
  })
}

/** Nothing stands in its usage but its name and options. */
const takesNoWords = (name: string, usage: string): boolean =>
  /^\s*(?:--\w[\w-]*(?: [A-Z|]+)?\s*)*$/.test(usage.slice(name.length).replace(/\[[^\]]*\]/g, ''))

for (const [name, { run }] of Object.entries(commands).filter(([one, { usage }]) => takesNoWords(one, usage)))
  test(`postern ${name} takes no words, and says so of one that it is given`, async () => {
    const io = { env: { POSTERN_HOME: home }, stdin: process.stdin, out: assert.fail, err: assert.fail }
    await assert.rejects(run(['stray'], io), (error) => error instanceof UsageError && error.message.includes('"stray"'))
  })

test('scripts/postern is this command line as a process: its input, both outputs and its code', async () => {
  const env = { PATH: process.env['PATH'] ?? '', POSTERN_HOME: home }
  const called = await runPostern(env, ['call', 'SVC_Content.get', '-'], '{"id": "/nowhere"}')
  assert.deepEqual(
    [called.code, JSON.parse(called.stdout).error.code, called.stderr],
    [exit.notFound, 'not_found', 'There is no entry "/nowhere".\n'],
  )
  const lost = await runPostern(env, ['tokne', 'list'])
  assert.deepEqual([lost.code, lost.stdout], [exit.usage, ''])
  assert.match(lost.stderr, /Try: postern token list/)
})

test('help is on standard output, for all commands and for each', async () => {
  for (const args of [['help'], ['--help']]) assert.match((await postern(args)).stdout, /token revoke/)
  for (const args of [
    ['help', 'token', 'create'],
    ['token', 'create', '--help'],
  ]) {
    const { code, stdout } = await postern(args)
    assert.deepEqual([code, stdout.startsWith('postern token create ')], [0, true])
  }
})

test('without an account no token is made, and how to make one is told', async () => {
  await using bare = await openSite({ bare: true })
  const { code, stdout, stderr } = await bare.postern(['token', 'create'])
  assert.deepEqual([code, stdout], [exit.notFound, ''])
  assert.match(stderr, /postern admin create --email/)
})

/** What needs a site, with what else it needs to get as far as that. */
const onSite: Readonly<Record<string, readonly string[]>> = {
  'admin list': [],
  'admin reset-password': ['a@example.org'],
  'admin set-up-link': [],
  'token create': [],
  'token list': [],
  'token revoke': ['x'],
  'plugin list': [],
  'plugin install': [join(root, 'test', 'fixtures', 'plugins', 'chores')],
  'plugin update': [join(root, 'test', 'fixtures', 'plugins', 'chores')],
  'plugin activate': ['x', '--yes'],
  'plugin deactivate': ['x'],
  'plugin configure': ['x', 'a=b'],
  'plugin delete': ['x'],
  call: ['SVC_API.welcome'],
  maintenance: ['on'],
  backup: [],
  'backup list': [],
  'backup send': [],
  verify: ['latest'],
  export: ['./nowhere'],
  import: ['./nowhere'],
  move: ['--to', 'postgres://localhost/x'],
  migrate: [],
}
/** The four that make a home, and those that look at no home or, as the doctor, can do without one. */
const withoutSite = [
  'serve',
  'admin create',
  'restore',
  'install',
  'plugin sign',
  'doctor',
  'database check',
  'nginx',
  'upgrade',
  'rollback',
  'uninstall',
  'processes',
]

test('each command is known as one that needs a site or one that does not', () => {
  assert.deepEqual([...Object.keys(onSite), ...withoutSite].sort(), Object.keys(commands).sort())
})

for (const [name, args] of Object.entries(onSite))
  test(`postern ${name} makes no site: it says that there is none, where the folder is missing or empty`, async () => {
    const parent = await mkdtemp(join(tmpdir(), 'postern-cli-'))
    try {
      for (const [folder, before] of [
        [join(parent, 'nothere'), []],
        [parent, []],
      ] as const) {
        const ran = await postern([...name.split(' '), ...args], '', { POSTERN_HOME: folder })
        assert.deepEqual([ran.code, ran.stdout], [exit.unavailable, ''], ran.stderr)
        assert.ok(ran.stderr.includes(`There is no site in ${folder}.\n`), ran.stderr)
        assert.deepEqual(await readdir(parent), before)
      }
    } finally {
      await rm(parent, { recursive: true, force: true })
    }
  })

test('the doctor makes no site either', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'postern-cli-'))
  await postern(['doctor', '--url', 'http://127.0.0.1:9'], '', { POSTERN_HOME: join(parent, 'nothere') })
  assert.deepEqual(await readdir(parent), [])
  await rm(parent, { recursive: true, force: true })
})

test('a token stands alone on its line, belongs to the oldest admin, and is listed without its secret until it is revoked', async () => {
  const made = await postern(['token', 'create', '--name', 'laptop'])
  assert.match(made.stdout, /^pst_[\w-]{43}\n$/)
  const [item] = JSON.parse((await postern(['token', 'list', '--json'])).stdout)
  assert.deepEqual([item.name, item.scope, item.account], ['laptop', 'admin', 'owner@example.org'])
  assert.equal((await postern(['token', 'list'])).stdout.split('\t')[0], item.id)
  assert.equal((await postern(['token', 'revoke', 'laptop'])).stdout, `${item.id}\n`)
  assert.equal((await postern(['token', 'list', '--json'])).stdout, '[]\n')
})

test('with --json a new token comes with what it is', async () => {
  const { stdout } = await postern(['token', 'create', '--json', '--scope', 'read', '--expires', '2099-01-31'])
  const { token, scope, expires_at: ends } = JSON.parse(stdout)
  assert.deepEqual([token.length, scope, ends], [47, 'read', '2099-01-31T23:59:59.999Z'])
})

test('a call prints the object of /api/, its arguments from words, JSON or standard input', async () => {
  const create = await postern(['call', 'SVC_Content.create', 'type=page', 'title=123', 'body=a=b', 'position=7'])
  const { success, data } = JSON.parse(create.stdout)
  assert.deepEqual([success, create.stdout.endsWith('}\n'), data.item.title], [true, true, '123'])
  const id = data.item.id as string
  for (const args of [[`id=${id}`], ['--json-input', JSON.stringify({ id })]]) {
    assert.equal(JSON.parse((await postern(['call', 'SVC_Content.get', ...args])).stdout).data.item.body, 'a=b')
  }
  const piped = await postern(
    ['call', 'SVC_Content.update', '-', '--if-revision', '1', '--dry-run'],
    JSON.stringify({ id, title: 'x' }),
  )
  assert.deepEqual(JSON.parse(piped.stdout).data.diff, [{ id, field: 'title', before: '123', after: 'x' }])
  const picked = await postern(['call', 'SVC_Content.get', `id=${id}`, '--select', 'id,position'])
  assert.deepEqual(JSON.parse(picked.stdout).data.item, { id, position: 7 })
})

test('a call that fails prints the failure as /api/ does, and its code is told by the exit code', async () => {
  const missing = await postern(['call', 'SVC_Content.get', 'id=/nowhere'])
  assert.deepEqual([missing.code, JSON.parse(missing.stdout).error.code], [exit.notFound, 'not_found'])
  const unknown = await postern(['call', 'SVC_Content.gte', 'id=/nowhere'])
  assert.deepEqual([unknown.code, JSON.parse(unknown.stdout).error.message], [exit.notFound, 'Unknown tool: SVC_Content.gte'])
  const proto = await postern(['call', 'SVC_Content.get', '__proto__={"id":"/about"}'])
  assert.deepEqual([proto.code, JSON.parse(proto.stdout).error.code], [exit.usage, 'invalid'])
})

test('an argument of a call is read from a file or standard input as it is, and @@ begins a text with @', async () => {
  const file = join(home, 'about.md')
  const text = '@home: *Käse* = 7\n\n{"not": "an object"}\n'
  await writeFile(file, text)
  const create = async (words: readonly string[], input = '') => {
    const made = await postern(['call', 'SVC_Content.create', 'type=page', ...words, '--select', 'id,title'], input)
    const { id, title } = JSON.parse(made.stdout).data.item
    const got = await postern(['call', 'SVC_Content.get', `id=${id}`])
    return { id, title, body: JSON.parse(got.stdout).data.item.body as string }
  }
  const { id, body } = await create(['title=A', `body=@${file}`])
  assert.equal(body, text)
  assert.equal((await create(['title=B', 'body=@-'], text)).body, text)
  const escaped = await create(['title=@@home', 'body=@@@'])
  assert.deepEqual([escaped.title, escaped.body], ['@home', '@@'])

  // A value that isn't text is JSON, from a file too.
  await writeFile(file, '[{"find": "Käse", "replace": "Brot"}]')
  const edited = await postern(['call', 'SVC_Content.edit', `id=${id}`, `edits=@${file}`])
  assert.deepEqual([edited.code, JSON.parse(edited.stdout).data.changed], [0, ['body']])
  await writeFile(file, Buffer.from([0xff, 0xfe]))
  const binary = await postern(['call', 'SVC_Content.get', `id=@${file}`])
  assert.deepEqual([binary.code, binary.stderr.startsWith(`The file ${file} is not text in UTF-8.\n`)], [exit.usage, true])
})

test('--as calls with the role of that account', async () => {
  await postern(
    ['admin', 'create', '--email', 'reader@example.org', '--name', 'Reader', '--role', 'read'],
    'correct horse battery',
  )
  const { data } = JSON.parse((await postern(['call', 'SVC_API.welcome', '--as', 'reader@example.org'])).stdout)
  assert.equal(data.you.tier, 'read')
  const { code } = await postern(['call', 'SVC_Tokens.list', '--as', 'reader@example.org'])
  assert.equal(code, exit.notFound)
})

test('migrate tells that there is nothing to do', async () => {
  const { code, stdout, stderr } = await postern(['migrate', '--json'])
  assert.deepEqual([code, stdout], [0, '[]\n'])
  assert.match(stderr, /up to date/)
})

test('settings that make no sense, a home that is none and a key that is open are told in a line each', async () => {
  const file = join(home, 'file')
  await writeFile(file, '')
  const key = join(home, 'data', 'site.key')
  const setting = await postern(['token', 'list'], '', { POSTERN_PORT: 'x' })
  assert.deepEqual([setting.code, /POSTERN_PORT=x/.test(setting.stderr)], [exit.usage, true])
  const noHome = await postern(['token', 'list'], '', { POSTERN_HOME: file })
  assert.deepEqual([noHome.code, noHome.stderr.includes(file)], [exit.unavailable, true])
  await chmod(key, 0o644)
  const open = await postern(['token', 'list'])
  await chmod(key, 0o600)
  assert.deepEqual([open.code, open.stderr.includes(`chmod 600 ${key}`)], [exit.refused, true])
})

test('attack 123: a password is in no log, record or answer', async () => {
  const { readdir, readFile } = await import('node:fs/promises')
  const files = (await readdir(home, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())
  for (const one of files)
    assert.ok(!(await readFile(join(one.parentPath, one.name))).includes('correct horse battery'), one.name)
})

test('a running service sees a moment later what the command line did', async () => {
  await using site = await openSite()
  const { stdout } = await site.postern(['token', 'create', '--name', 'beside'])
  const token = stdout.trim()
  const tier = async () => (await site.api('SVC_API.welcome', {}, { token })).json.data.you.tier as string
  assert.equal(await tier(), 'admin')
  await site.postern(['token', 'revoke', 'beside'])
  await until('the service sees it', async () => (await tier()) === 'anonymous')
})
