// An installed site in a folder that stands for a machine, with something in systemd's place: it holds the socket, keeps the service running from
// the release that is current, and restarts it by a command. And releases to upgrade to, built from the sources with small changes.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { fillHome } from './home-template.ts'
import { sharedFolder } from './shared-folder.ts'
import { type Answer, root, runPostern, type SendOptions } from './site.ts'
import { needTool } from './tools.ts'

/**
 * Holds a socket and a service on it: one process, or as many as the settings of the machine say. A word on the control socket is done before it
 * is answered. One with a number means that process alone, and is answered when that process has said that it is ready. A process that ends by
 * itself is started again, as Restart=always has it.
 */
const holder = `
import os, select, signal, socket, sys, time
folder, control, settings = sys.argv[1:4]
listener = socket.socket()
listener.bind(('127.0.0.1', 0))
listener.listen(4096)
os.dup2(listener.fileno(), 3)
os.set_inheritable(3, True)
words = socket.socket(socket.AF_UNIX)
words.bind(control)
words.listen(8)
print('holds', listener.getsockname()[1], flush=True)
children, wanted, ready = {}, set(), {}
def count():
    try: lines = open(settings).read().splitlines()
    except OSError: lines = []
    return next((int(line.split('=')[1]) for line in lines if line.startswith('POSTERN_PROCESSES=')), 1)
def start(name):
    if name:
        if name in ready: ready[name].close()
        address = os.path.join(os.path.dirname(control), 'notify-' + name)
        if os.path.exists(address): os.unlink(address)
        ready[name] = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        ready[name].bind(address)
    # A signal between fork and exec would else be taken by a handler that never runs.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    child = children[name] = os.fork()
    if child == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    if child == 0:
        os.chdir(folder)
        os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()))
        if name: os.environ.update(POSTERN_INSTANCE=name, POSTERN_PROCESSES=str(count()), NOTIFY_SOCKET=address)
        os.execvp(sys.argv[4], sys.argv[4:])
    print('started', child, name, os.path.basename(os.path.realpath(folder)), flush=True)
def stop(names):
    some = [children.pop(name) for name in names if name in children]
    for child in some: os.kill(child, signal.SIGTERM)
    for child in some: os.waitpid(child, 0)
def isReady(name):
    until = time.monotonic() + 120
    while time.monotonic() < until:
        if select.select([ready[name]], [], [], 0.05)[0] and b'READY=1' in ready[name].recv(4096): return True
        if os.waitpid(children[name], os.WNOHANG)[0]: children.pop(name); return False
    return False
signal.signal(signal.SIGTERM, lambda *_: (stop(list(children)), os._exit(0)))
while True:
    if select.select([words], [], [], 0.05)[0]:
        asked = words.accept()[0]
        verb, *one = asked.recv(100).decode().split()
        print('asked', verb, *one, flush=True)
        if verb in ('restart', 'stop'):
            stop(one or list(children))
            wanted = wanted - set(one) if one else set()
        if verb in ('restart', 'start'):
            names = one or ([str(at + 1) for at in range(count())] if count() > 1 else [''])
            wanted |= set(names)
            for name in names: name in children or start(name)
        told = b'done' if not one or verb == 'stop' or isReady(one[0]) else b'failed'
        print('done', verb, *one, flush=True)
        asked.sendall(told)
        asked.close()
    for name, child in list(children.items()):
        if os.waitpid(child, os.WNOHANG)[0]:
            children.pop(name)
            time.sleep(0.2)
    for name in wanted - set(children): start(name)
`

const teller = `
import socket, sys
asks = socket.socket(socket.AF_UNIX)
asks.connect(sys.argv[1])
asks.sendall(' '.join(sys.argv[2:]).encode())
sys.exit(0 if asks.recv(100) == b'done' else 1)
`

export type Ended = Awaited<ReturnType<typeof runPostern>>

export interface Machine extends AsyncDisposable {
  readonly root: string
  readonly port: number
  readonly home: string
  readonly token: string
  /** What was done to the service so far, a line each: `started PID INSTANCE RELEASE`, `asked restart 1`, `done restart 1`. */
  readonly done: readonly string[]
  /** Where something lies on it. */
  at(path: string): string
  /** Name of the release that starts next. */
  current(): Promise<string>
  /** Runs one of the commands that change it, from the checkout under test. */
  change(words: readonly string[]): Promise<Ended>
  /** The same, as words for `spawn`. */
  changeWords(words: readonly string[]): readonly string[]
  /** Runs the command line of the release that is current. */
  postern(words: readonly string[], input?: string): Promise<Ended>
  service(verb: 'restart' | 'stop' | 'start', instance?: number): Promise<void>
  api(call: string, input?: Readonly<Record<string, unknown>>): Promise<Answer>
  get(path: string, options?: SendOptions): Promise<Answer>
}

const inherited = (): Record<string, string> => ({
  PATH: `${process.env['PATH'] ?? ''}:/usr/sbin`,
  HOME: process.env['HOME'] ?? '/',
})

/** Installs a checkout below a folder, starts the service with so many processes, and makes an owner with a token. */
export async function openMachine(from: string = root, processes = 1): Promise<Machine> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-machine-'))
  const at = (path: string) => join(folder, path)
  const home = at('/var/lib/postern/site')
  const installed = await runPostern(inherited(), [
    'install',
    '--root',
    folder,
    '--from',
    from,
    '--processes',
    `${processes}`,
    '--json',
  ])
  if (installed.code !== 0) throw new Error(`install: ${installed.stderr}`)
  const control = join(folder, 'control')
  const env = { ...inherited(), POSTERN_HOME: home, POSTERN_BACKUPS: at('/var/backups/postern') }
  const service = [process.execPath, '--enable-source-maps', 'dist/main.js']
  needTool('python3')
  const held = spawn('python3', ['-c', holder, at('/opt/postern/current'), control, at('/etc/postern/postern.env'), ...service], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  held.stderr.resume()
  const lines = createInterface({ input: held.stdout })
  const [first] = (await once(lines, 'line')) as [string]
  const done: string[] = []
  lines.on('line', (line: string) => void (/^(?:started|asked|done) /.test(line) && done.push(line)))
  lines.resume()
  const port = Number(first.split(' ')[1])
  await writeFile(join(folder, 'tell'), `#!/bin/sh\nexec python3 -c "${teller}" ${control} "$@"\n`, { mode: 0o755 })
  const say = async (verb: string, instance?: number) => {
    await promisify(execFile)(join(folder, 'tell'), [verb, ...(instance === undefined ? [] : [String(instance)])])
  }
  const token = await fillHome(home)
  await say('start')
  const address = `http://127.0.0.1:${port}`
  // The socket is open from the start: this waits until somebody answers there.
  await (await fetch(`${address}/readyz`)).text()

  const options = ['--root', folder, '--restart-command', join(folder, 'tell'), '--ready-url', `${address}/readyz`]
  const changeWords: Machine['changeWords'] = ([command = '', ...words]) => [
    command,
    ...options,
    '--ready-seconds',
    '8',
    ...words,
  ]
  const postern: Machine['postern'] = (words, input = '') => runReleased(at('/opt/postern/current'), env, words, input)
  const machine = {
    root: folder,
    done,
    port,
    home,
    at,
    current: async () => basename(await readlink(at('/opt/postern/current'))),
    changeWords,
    change: (words: readonly string[]) => runPostern(inherited(), changeWords(words)),
    postern,
    service: say,
    get: (path: string, { headers = {}, method = 'GET', body }: SendOptions = {}) =>
      send(`${address}${path}`, { method, headers, ...(body === undefined ? {} : { body }) }),
    async [Symbol.asyncDispose]() {
      held.kill()
      await once(held, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
  const headers = { authorization: `Bearer ${token}` }
  const api: Machine['api'] = (call, input = {}) =>
    machine.get('/api/', { method: 'POST', headers, body: JSON.stringify({ action: call, ...input }) })
  return { ...machine, token, api }
}

async function send(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, { ...init, redirect: 'manual' })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: text.startsWith('{') ? JSON.parse(text) : undefined }
}

function runReleased(
  folder: string,
  env: Readonly<Record<string, string>>,
  words: readonly string[],
  input: string,
): Promise<Ended> {
  return new Promise((resolve) => {
    const args = [join(folder, 'scripts', 'postern'), ...words]
    const child = execFile(process.execPath, args, { env, timeout: 600_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, stdout, stderr })
    })
    child.stdin?.end(input)
  })
}

export interface ReleaseChange {
  readonly version: string
  /** A migration of this name, which makes a table. */
  readonly migration?: string
  /** A service that ends as it starts. */
  readonly broken?: boolean
  /** What its doctor finds, instead of looking: the state of each row. */
  readonly finds?: Readonly<Record<string, 'ok' | 'broken'>>
}

export interface Checkout {
  readonly folder: string
}

/** A checkout of the program as it is, with another version and what else is told: built once in a run, which takes it away at its end. */
export async function makeRelease(change: ReleaseChange): Promise<Checkout> {
  const name = createHash('sha256').update(JSON.stringify(change)).digest('hex').slice(0, 12)
  const folder = await sharedFolder(`release-${name}`, (made) => buildRelease(made, change))
  return { folder }
}

async function buildRelease(folder: string, { version, migration, broken = false, finds }: ReleaseChange): Promise<void> {
  for (const name of ['src', 'scripts', 'nginx', 'systemd', 'README.md', 'LICENSE', 'package-lock.json'])
    await cp(join(root, name), join(folder, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const json = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as object
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...json, version }))
  if (migration !== undefined) await addMigration(folder, migration)
  if (broken) await edit(join(folder, 'src', 'app', 'serve.ts'), breakStart)
  if (finds) await edit(join(folder, 'src', 'cli', 'doctor.ts'), (text) => plantFindings(text, finds))
  await mkdir(join(folder, 'dist'))
  await promisify(execFile)(process.execPath, [join(folder, 'scripts', 'build.mjs')], { cwd: folder })
}

/**
 * A release that is the program as it is, but asks for no package: copying those is most of the work of an install. Nobody changes it.
 * @returns its folder
 */
export function lightRelease(): Promise<string> {
  return sharedFolder('release-light', async (folder) => {
    for (const name of ['package.json', 'package-lock.json', 'README.md', 'LICENSE', 'scripts', 'nginx', 'systemd'])
      await cp(join(root, name), join(folder, name), { recursive: true })
    const { files } = JSON.parse(await readFile(join(root, 'dist', 'contents.json'), 'utf8')) as { files: string[] }
    const code = files.filter((name) => !name.endsWith('.map'))
    for (const name of code) await cp(join(root, 'dist', name), join(folder, 'dist', name))
    await writeFile(join(folder, 'dist', 'contents.json'), JSON.stringify({ packages: [], files: code }))
  })
}

/** After the database is brought up to date, which is the worst moment. */
const breakStart = (text: string): string =>
  text.replace('const server = serverOf(', "if (site) throw new Error('This release is broken.')\n    const server = serverOf(")

function plantFindings(text: string, states: Readonly<Record<string, string>>): string {
  const findings = Object.entries(states).map(([id, state]) => ({ id, state }))
  const answer = `io.out(${JSON.stringify(JSON.stringify({ findings }))}); if (args) return 2`
  return text.replace('async run(args, io) {', `async run(args, io) { ${answer}`)
}

async function addMigration(folder: string, name: string): Promise<void> {
  const up = "async up(db: Kysely<unknown>) { await db.schema.createTable('later').addColumn('id', 'text').execute() }"
  await edit(join(folder, 'src', 'store', 'migrations', 'index.ts'), (text) =>
    text
      .replace("import type { Migration } from 'kysely'", "import type { Kysely, Migration } from 'kysely'")
      .replace('{ ...list }', `{ ...list, '${name}': { ${up} } }`),
  )
}

/** Changes a file of the copy. @throws AssertionError if the text is as before, since a release like any other would then be tested */
async function edit(path: string, change: (text: string) => string): Promise<void> {
  const before = await readFile(path, 'utf8')
  const after = change(before)
  assert.notEqual(after, before, `${path} has nothing to change`)
  await writeFile(path, after)
}
