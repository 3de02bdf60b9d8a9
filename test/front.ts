// A real web server in front of a service: nginx, Apache or Caddy on free loopback ports, run from the files that `postern nginx` writes;
// all of it gone at the end. What Debian's own nginx.conf would hold around those files is as hostile here as it may be.

import { execFile, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, type LookupFunction } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Agent, fetch as fetchBy } from 'undici'
import { freePort } from './free-port.ts'
import { sendOver, type Sent } from './front-send.ts'
import { postern } from './postern.ts'
import type { Answer, SendOptions } from './site.ts'
import { needTool } from './tools.ts'

export type FrontKind = 'nginx' | 'apache' | 'caddy'

export interface FrontOptions {
  readonly kind?: FrontKind
  /** Port of the service on loopback, or of each node. */
  readonly upstream: number | readonly number[]
  readonly basePath?: string
  readonly tls?: boolean
  /** Asks for `owner` and `open sesame`. */
  readonly basicAuth?: boolean
  /** Whose uploads come from disk. */
  readonly home?: string
  /** Ports that were chosen before, where the service had to know them. */
  readonly ports?: Ports
}

export interface Ports {
  readonly port: number
  readonly plainPort: number
}

export interface Front extends AsyncDisposable, Ports {
  /** `https://localhost:PORT`, without the slug. */
  readonly address: string
  /** With the slug. */
  readonly base: string
  /** Holds the written files, the certificate, `acme/` and `logs/`. */
  readonly folder: string
  readonly version: Sent['version']
  /** Sends a target as it is written, by HTTP/1.1 unless told otherwise. */
  raw(target: string, sent?: Sent): Promise<Answer>
  /** Sends below the slug, as a site's own `send` does; a path that begins with `//` is taken from the origin's root. */
  send(path: string, options?: SendOptions & Sent): Promise<Answer>
  /** The browser's, which knows the certificate. */
  readonly fetch: typeof fetch
  /** Lines of the access log. */
  accessLog(): Promise<string>
}

export const basicAuth = { user: 'owner', password: 'open sesame' }
export const basicHeader = `Basic ${Buffer.from(`${basicAuth.user}:${basicAuth.password}`).toString('base64')}`

/** Two ports of loopback that nobody listens on now. */
export async function freePorts(): Promise<Ports> {
  return { port: await freePort(), plainPort: await freePort() }
}

/** Leaves out the test that runs, if the programs of a front are missing. Called before anything is opened that would have to be closed again. */
export function needFront({ kind = 'nginx' }: { readonly kind?: FrontKind } = {}): void {
  needTool(kind === 'apache' ? 'apache2' : kind)
  needTool('openssl')
}

/** Starts a web server in front of the service on this port, and waits until it takes connections. */
export async function openFront(options: FrontOptions): Promise<Front> {
  needFront(options)
  const { kind = 'nginx', tls = false, basePath = '' } = options
  const folder = await mkdtemp(join(tmpdir(), `postern-${kind}-`))
  const ports = options.ports ?? (await freePorts())
  const stop = await runIn(folder, ports, options).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true })
    throw error
  })
  const certificate = tls ? await readFile(join(folder, 'certificate.pem'), 'utf8') : undefined
  const toLoopback: LookupFunction = (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }])
  const agent = new Agent({ connect: { lookup: toLoopback, ...(certificate === undefined ? {} : { ca: certificate }) } })
  const address = `${tls ? 'https' : 'http'}://localhost:${ports.port}`
  const raw: Front['raw'] = (target, sent = {}) =>
    sendOver(
      { port: sent.plain === true ? ports.plainPort : ports.port, certificate: sent.plain === true ? undefined : certificate },
      target,
      sent,
    )
  return {
    ...ports,
    address,
    base: address + basePath,
    folder,
    version: '1.1',
    raw,
    send: (path, { token, headers = {}, ...sent } = {}) =>
      raw(path.startsWith('//') ? path.slice(1) : basePath + path, {
        ...sent,
        headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
      }),
    fetch: ((url: string, init: object) => fetchBy(url, { ...init, dispatcher: agent })) as unknown as typeof fetch,
    accessLog: () => readFile(join(folder, 'logs', 'postern-access.log'), 'utf8'),
    async [Symbol.asyncDispose]() {
      await agent.destroy()
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** @returns what ends it */
async function runIn(folder: string, ports: Ports, options: FrontOptions): Promise<() => Promise<void>> {
  await prepare(folder, options)
  await writeFiles(folder, ports, options)
  const { program, args, wrapper, config } = programs[options.kind ?? 'nginx'](folder)
  await writeFile(join(folder, wrapper), config)
  return start(program, args, folder, ports.port)
}

async function prepare(folder: string, { tls, basicAuth: asks }: FrontOptions): Promise<void> {
  const run = promisify(execFile)
  // Apache's workers are another user.
  await chmod(folder, 0o755)
  for (const name of ['logs', 'acme/.well-known/acme-challenge', 'tmp', 'home'])
    await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, 'acme/.well-known/acme-challenge/planted'), 'token.thumbprint')
  if (asks) {
    const { stdout } = await run('openssl', ['passwd', '-apr1', basicAuth.password])
    await writeFile(join(folder, 'htpasswd'), `${basicAuth.user}:${stdout}`)
  }
  if (!tls) return
  const names = 'subjectAltName=DNS:localhost,DNS:www.localhost,DNS:other.localhost'
  const out = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  await run('openssl', ['req', ...kind, ...out, '-subj', '/CN=localhost', '-addext', names])
}

/** What an operator would do, with ports and folders that the test has to itself. */
async function writeFiles(folder: string, { port, plainPort }: Ports, options: FrontOptions): Promise<void> {
  const { kind = 'nginx', upstream, basePath, tls, basicAuth: asks, home = join(folder, 'home') } = options
  const words = ['nginx', '--for', kind, '--server-name', 'localhost,www.localhost', '--out', join(folder, 'files')]
  words.push('--listen', `127.0.0.1:${port}`, '--plain-listen', `127.0.0.1:${plainPort}`)
  for (const node of [upstream].flat()) words.push('--upstream', `127.0.0.1:${node}`)
  words.push('--home', home, '--acme', join(folder, 'acme'), '--logs', join(folder, 'logs'))
  if (basePath !== undefined) words.push('--base-path', basePath)
  if (asks) words.push('--basic-auth', join(folder, 'htpasswd'))
  if (tls) words.push('--tls', join(folder, 'certificate.pem'), join(folder, 'key.pem'))
  const { code, stderr } = await postern({}, words)
  if (code !== 0) throw new Error(`postern ${words.join(' ')}: ${stderr}`)
}

const inherited = (): Record<string, string> => ({
  PATH: `${process.env['PATH'] ?? ''}:/usr/sbin`,
  HOME: process.env['HOME'] ?? '/',
})

interface Program {
  readonly program: string
  readonly args: readonly string[]
  /** The file that includes the written ones, and what is in it. */
  readonly wrapper: string
  readonly config: string
}

const asRoot = process.getuid?.() === 0

const programs: Readonly<Record<FrontKind, (folder: string) => Program>> = {
  nginx: (folder) => ({
    program: 'nginx',
    args: ['-p', join(folder, 'files'), '-c', 'nginx.conf', '-g', 'daemon off;'],
    // Beside the others: what they include is looked for from here.
    wrapper: 'files/nginx.conf',
    config: [
      asRoot ? 'user root;' : '',
      `pid ${folder}/pid; error_log ${folder}/logs/error.log; worker_processes 1;`,
      'events { worker_connections 512; }',
      'http {',
      '  include /etc/nginx/mime.types; default_type application/octet-stream;',
      ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${folder}/tmp/${name};`),
      '  gzip on; gzip_types *; gzip_proxied any; gzip_min_length 1;',
      '  include conf.d/*.conf;',
      '}',
    ].join('\n'),
  }),
  apache: (folder) => ({
    program: 'apache2',
    wrapper: 'apache2.conf',
    args: ['-f', join(folder, 'apache2.conf'), '-DFOREGROUND'],
    config: [
      `ServerRoot ${folder}`,
      `DefaultRuntimeDir ${folder}`,
      `Mutex file:${folder}/tmp`,
      `PidFile ${folder}/pid`,
      `ErrorLog ${folder}/logs/error.log`,
      'ServerName localhost',
      ...apacheModules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
      asRoot ? 'User www-data\nGroup www-data' : '',
      'SetOutputFilter DEFLATE',
      'Include files/sites-available/postern.conf',
    ].join('\n'),
  }),
  caddy: (folder) => ({
    program: 'caddy',
    wrapper: 'Caddyfile',
    args: ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
    config: `{\n  admin off\n  auto_https disable_redirects\n  skip_install_trust\n  storage file_system ${folder}/tmp\n}\nimport files/Caddyfile\n`,
  }),
}

const apacheModules =
  'mpm_event authz_core authn_core authn_file auth_basic authz_user authz_host alias setenvif headers proxy proxy_http ssl http2 filter deflate'.split(
    ' ',
  )

/** @returns what ends it */
async function start(program: string, args: readonly string[], folder: string, port: number): Promise<() => Promise<void>> {
  const child = spawn(program, args, { cwd: folder, env: inherited(), stdio: ['ignore', 'ignore', 'pipe'] })
  const said: Buffer[] = []
  child.stderr.on('data', (part: Buffer) => said.push(part))
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
  }
  for (let tries = 0; tries < 400 && child.exitCode === null; tries++) {
    if (await takesConnections(port)) return stop
    await sleep(25)
  }
  await stop()
  throw new Error(`${program} does not start: ${Buffer.concat(said).toString()}`)
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
