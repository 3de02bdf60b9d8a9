// A whole site in one line: the service with a home and a free port of its own; all of it is gone at the end. The service runs in the
// process of the test, behind a real socket, as a process takes half a second to start. It is a process of its own where a test asks for that.

import type { ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkDeclared } from './declared-failures.ts'
import { fillHome } from './home-template.ts'
import { isDeep } from './deep-run.ts'
import { type PlainAnswer, sendPlain } from './plain-send.ts'
import { postern } from './postern.ts'
import { dropDatabase, findAddress, keepAddress, makePostgresDatabase, usesPostgres } from './postgres.ts'
import { inheritedEnvironment } from './run-postern.ts'
import { type Running, serveHere, spawnService } from './service.ts'

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
  /** The database. `TEST_DATABASE=postgres` runs all sites on PostgreSQL that don't say which. */
  readonly database?: 'sqlite' | 'postgres'
  /** Runs the built service as a process: for tests of signals, of several processes on a home, and of what a process uses. A deep run always does. */
  readonly ownProcess?: boolean
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
  /** Sends a request below the slug; a path that begins with `//` is taken from the origin's root. */
  send(path: string, options?: SendOptions): Promise<Answer>
  /** A call on `/api/`. */
  api(call: string, input?: Readonly<Record<string, unknown>>, options?: SendOptions): Promise<Answer>
  /** The `data` of a call that must succeed. */
  call(call: string, input?: Readonly<Record<string, unknown>>, options?: SendOptions): Promise<any> // oxlint-disable-line no-explicit-any
  /** The process that serves. */
  readonly pid: number
  /** Runs a command on this home. */
  postern(args: readonly string[], input?: string): Promise<{ code: number; stdout: string; stderr: string }>
  /** Stops the service as SIGTERM does. @returns its exit code */
  stop(): Promise<number | null>
}

/** A site whose service is a process of its own. */
export interface ProcessSite extends TestSite {
  readonly process: ChildProcess
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts the service and waits until it answers. */
export async function openSite(options: SiteOptions & { readonly ownProcess: true }): Promise<ProcessSite>
export async function openSite(options?: SiteOptions): Promise<TestSite>
export async function openSite(options: SiteOptions = {}): Promise<TestSite & Partial<ProcessSite>> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'postern-test-')))
  const onPostgres = options.database === undefined ? usesPostgres : options.database === 'postgres'
  const token = options.bare || options.home !== undefined ? '' : await fillHome(home, onPostgres)
  const url = onPostgres ? await addressOf(home) : undefined
  const env = environment(home, options, url)
  const apart = options.ownProcess === true || isDeep
  const running: Running = await (apart ? spawnService(inheritedEnvironment(), env) : serveHere(env))
  const { port, stop } = running
  const address = `http://127.0.0.1:${port}`
  const base = `${address}${options.basePath ?? ''}`

  const send: TestSite['send'] = async (path, { method = 'GET', headers = {}, body, token: shown = token } = {}) => {
    const authorization: Record<string, string> = shown ? { authorization: `Bearer ${shown}` } : {}
    const url = path.startsWith('//') ? `${address}${path.slice(1)}` : `${base}${path}`
    const sent = { method, headers: { ...authorization, ...headers }, ...(body === undefined ? {} : { body }) }
    return answerOf(await sendPlain(url, sent))
  }
  const api: TestSite['api'] = async (call, input = {}, more = {}) => {
    const answer = await send('/api/', { method: 'POST', body: JSON.stringify({ action: call, ...input }), ...more })
    if (answer.status >= 400) await checkDeclared(call, answer.text)
    return answer
  }

  return {
    address,
    base,
    home,
    token,
    ...running,
    pid: running.process?.pid ?? process.pid,
    send,
    api,
    async call(call, input, more) {
      const answer = await api(call, input, more)
      if (answer.json.success !== true) throw new Error(`${call}: ${answer.text}`)
      return answer.json.data
    },
    postern: (args, input) => postern({ ...inheritedEnvironment(), ...env }, args, input),
    async [Symbol.asyncDispose]() {
      await stop()
      if (options.home !== undefined) return
      await rm(home, { recursive: true, force: true })
      if (url !== undefined) await dropDatabase(url)
    },
  }
}

/** The address of the home's PostgreSQL database, which is made if there is none. */
async function addressOf(home: string): Promise<string> {
  const known = await findAddress(home)
  if (known !== undefined) return known
  const { url } = await makePostgresDatabase()
  await mkdir(home, { recursive: true })
  await keepAddress(home, url)
  return url
}

/** A busy machine needs longer for everything. The tests of a time limit set their own. */
const patience = { POSTERN_ACTION_SECONDS: '120', POSTERN_WRITER_MS: '60000', POSTERN_RENDER_SECONDS: '10' }

function environment(
  home: string,
  { release, basePath, env = {} }: SiteOptions,
  url: string | undefined,
): Record<string, string> {
  return {
    POSTERN_HOME: home,
    ...(url === undefined ? {} : { POSTERN_DATABASE_URL: url }),
    POSTERN_PORT: '0',
    POSTERN_LOG_LEVEL: 'info',
    ...patience,
    ...(release ? { POSTERN_COMPAT: release } : {}),
    ...(basePath ? { POSTERN_BASE_PATH: basePath } : {}),
    ...env,
  }
}

const answerOf = (answer: PlainAnswer): Answer => ({
  ...answer,
  get json() {
    return JSON.parse(answer.text)
  },
})
