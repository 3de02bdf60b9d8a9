// Two nodes of a site on one PostgreSQL database. Each has a home of its own, with the site's key and the shared folder of its files.

import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { fillHome } from './home-template.ts'
import { dropDatabase, findAddress, keepAddress, makePostgresDatabase, type PostgresServer } from './postgres.ts'
import { inheritedEnvironment, runPostern } from './run-postern.ts'
import { type Answer, openSite, type SendOptions, type TestSite } from './site.ts'

/** One node. Calls are made with the site's own token unless another one is given. */
export interface TestNode extends TestSite {
  /** Starts a node again that was stopped or killed: with its home, its port, and perhaps more settings. */
  restart(env?: Readonly<Record<string, string>>): Promise<void>
}

export interface TwoNodes extends AsyncDisposable {
  readonly one: TestNode
  readonly two: TestNode
  /** The owner's token, of scope admin. */
  readonly token: string
  /** The address of the database, as the first node has it. */
  readonly url: string
}

export interface TwoNodesOptions {
  /** Settings of both nodes. */
  readonly env?: Readonly<Record<string, string>>
  /** Settings of the second node alone. */
  readonly envOfTwo?: Readonly<Record<string, string>>
  /** Another server than that of the run. */
  readonly server?: PostgresServer
  /** The address by which a node reaches the database. @param url a Unix socket and a database */
  readonly reach?: (url: string, node: 'one' | 'two') => string
  /** Runs each node as a process. */
  readonly ownProcess?: boolean
}

export async function openTwoNodes(options: TwoNodesOptions = {}): Promise<TwoNodes> {
  const { reach = (url) => url } = options
  const folder = await mkdtemp(join(tmpdir(), 'postern-nodes-'))
  const homes = { one: join(folder, 'one'), two: join(folder, 'two') }
  await mkdir(homes.one)
  const { token, url } = await (options.server ? fillOn(homes.one, options.server) : fillShared(homes.one))
  await mkdir(join(homes.two, 'data'), { recursive: true, mode: 0o700 })
  await cp(join(homes.one, 'data', 'site.key'), join(homes.two, 'data', 'site.key'), { preserveTimestamps: true })
  await symlink(join(homes.one, 'user-content'), join(homes.two, 'user-content'))
  const open = async (name: 'one' | 'two') => {
    await keepAddress(homes[name], reach(url, name))
    return openNode(homes[name], token, { ...options, env: { ...options.env, ...(name === 'two' ? options.envOfTwo : {}) } })
  }
  const one = await open('one')
  const two = await open('two')
  return {
    one,
    two,
    token,
    url,
    async [Symbol.asyncDispose]() {
      await Promise.all([one.stop(), two.stop()])
      await rm(folder, { recursive: true, force: true })
      // A server of the test's own ends with the run.
      if (!options.server) await dropDatabase(url)
    },
  }
}

interface Filled {
  readonly token: string
  readonly url: string
}

/** A site on the server of the run, with an account and a token. */
async function fillShared(home: string): Promise<Filled> {
  const token = await fillHome(home, true)
  return { token, url: (await findAddress(home)) ?? '' }
}

/** The same on another server, where nothing is prepared. */
async function fillOn(home: string, server: PostgresServer): Promise<Filled> {
  const { url } = await makePostgresDatabase('template1', server)
  const env = { ...inheritedEnvironment(), POSTERN_HOME: home, POSTERN_DATABASE_URL: url }
  const made = await runPostern(env, ['admin', 'create', '--email', 'owner@example.org', '--name', 'Owner'], `${password}\n`)
  if (made.code !== 0) throw new Error(`admin create: ${made.stderr}`)
  const minted = await runPostern(env, ['token', 'create', '--name', 'test'])
  if (minted.code !== 0) throw new Error(`token create: ${minted.stderr}`)
  return { token: minted.stdout.trim(), url }
}

const password = 'correct horse battery staple'

async function openNode(home: string, token: string, { env = {}, ownProcess = false }: TwoNodesOptions): Promise<TestNode> {
  const port = await freePort()
  const start = (more: Readonly<Record<string, string>>): Promise<TestSite> => {
    const settings = {
      POSTERN_PORT: String(port),
      POSTERN_ALLOWED_HOSTS: 'localhost',
      POSTERN_RATE_LIMITS: 'off',
      ...env,
      ...more,
    }
    const site = { home, bare: true, database: 'postgres', env: settings } as const
    return ownProcess ? openSite({ ...site, ownProcess: true }) : openSite(site)
  }
  let site = await start({})
  const mine = (options: SendOptions = {}): SendOptions => ({ token, ...options })
  const api: TestSite['api'] = (call, input, options): Promise<Answer> => site.api(call, input, mine(options))
  return {
    address: site.address,
    base: site.base,
    home,
    port,
    token,
    get log() {
      return site.log
    },
    get words() {
      return site.words
    },
    get pid() {
      return site.pid
    },
    send: (path, options) => site.send(path, mine(options)),
    api,
    call: (call, input, options) => site.call(call, input, mine(options)),
    postern: (args, input) => site.postern(args, input),
    stop: () => site.stop(),
    async restart(more = {}) {
      site = await start(more)
    },
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  }
}
