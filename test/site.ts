// A whole site in one line: the built service as its own process, a home of its own, a free port; all of it gone at the end.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { checkDeclared } from './declared-failures.ts'
import { fillHome } from './home-template.ts'
import { inheritedEnvironment, root, runPostern } from './run-postern.ts'

export { root, runPostern } from './run-postern.ts'

export interface SiteOptions {
  /** `POSTERN_COMPAT`. */
  readonly release?: '0.9' | '0.10' | '0.11' | '1'
  /** Slug of a subdirectory install, such as `/blog`. */
  readonly basePath?: string
  readonly env?: Readonly<Record<string, string>>
  /** An existing home, which then outlives the site. */
  readonly home?: string
  /** Skips making an account and a token. */
  readonly bare?: boolean
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; throws where it is none. */
  readonly json: any // oxlint-disable-line no-explicit-any -- what came over the wire, looked at by assertions
}

export interface SendOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** The site's own admin token unless given; null for none. */
  readonly token?: string | null
}

export interface TestSite extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, without the slug. */
  readonly address: string
  /** With the slug. */
  readonly base: string
  readonly port: number
  readonly home: string
  /** A personal token of scope admin; `''` on a bare site. */
  readonly token: string
  /** What the service has logged so far, a line each. */
  readonly log: readonly string[]
  /** What it told whoever started it. */
  readonly words: readonly string[]
  readonly process: ChildProcess
  /** Sends a request below the slug; a path that begins with `//` is taken from the origin's root. */
  send(path: string, options?: SendOptions): Promise<Answer>
  /** A call on `/api/`. */
  api(call: string, input?: Readonly<Record<string, unknown>>, options?: SendOptions): Promise<Answer>
  /** The `data` of a call that must succeed. */
  call(call: string, input?: Readonly<Record<string, unknown>>, options?: SendOptions): Promise<any> // oxlint-disable-line no-explicit-any
  /** Runs `scripts/postern` on this home. */
  postern(args: readonly string[], input?: string): Promise<{ code: number; stdout: string; stderr: string }>
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts the built service and waits until it answers. */
export async function openSite(options: SiteOptions = {}): Promise<TestSite> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'postern-test-')))
  const env = environment(home, options)
  const token = options.bare || options.home !== undefined ? '' : await fillHome(home)
  const child = spawn(process.execPath, ['--enable-source-maps', join(root, 'dist', 'main.js')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log: string[] = []
  const words: string[] = []
  const port = await listening(child, log, words)
  const address = `http://127.0.0.1:${port}`
  const base = `${address}${options.basePath ?? ''}`

  const postern: TestSite['postern'] = (args, input = '') => runPostern(env, args, input)

  const send: TestSite['send'] = async (path, { method = 'GET', headers = {}, body, token: shown = token } = {}) => {
    const authorization: Record<string, string> = shown ? { authorization: `Bearer ${shown}` } : {}
    const url = path.startsWith('//') ? `${address}${path.slice(1)}` : `${base}${path}`
    const response = await fetch(url, {
      method,
      headers: { ...authorization, ...headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    })
    return answerOf(response)
  }
  const api: TestSite['api'] = async (call, input = {}, more = {}) => {
    const answer = await send('/api/', { method: 'POST', body: JSON.stringify({ action: call, ...input }), ...more })
    if (answer.status >= 400) await checkDeclared(call, answer.text)
    return answer
  }

  const stop: TestSite['stop'] = async (signal = 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal)
      await once(child, 'exit')
    }
    return child.exitCode
  }
  return {
    address,
    base,
    port,
    home,
    token,
    log,
    words,
    process: child,
    send,
    api,
    async call(call, input, more) {
      const answer = await api(call, input, more)
      if (answer.json.success !== true) throw new Error(`${call}: ${answer.text}`)
      return answer.json.data
    },
    postern,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      if (options.home === undefined) await rm(home, { recursive: true, force: true })
    },
  }
}

function environment(home: string, { release, basePath, env = {} }: SiteOptions): Record<string, string> {
  return {
    ...inheritedEnvironment(),
    POSTERN_HOME: home,
    POSTERN_PORT: '0',
    POSTERN_LOG_LEVEL: 'info',
    ...(release ? { POSTERN_COMPAT: release } : {}),
    ...(basePath ? { POSTERN_BASE_PATH: basePath } : {}),
    ...env,
  }
}

async function listening(child: ChildProcess, log: string[], words: string[]): Promise<number> {
  child.stderr?.on('data', (part: Buffer) => words.push(part.toString()))
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}: ${words.join('')}${log.join('\n')}`)))
    createInterface({ input: child.stdout! }).on('line', (line) => {
      log.push(line)
      const told = line.includes('"event":"listening"') ? (JSON.parse(line) as { port: number }) : undefined
      if (told) resolve(told.port)
    })
  })
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    get json() {
      return JSON.parse(text)
    },
  }
}
