// The PostgreSQL server of this run, which the first test that needs one starts (scripts/test-postgres.mjs), and databases on it.

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { unlessMissing } from '../src/base/missing.ts'
import { readPostgresAddress } from '../src/store/postgres/address.ts'
import { typesOf } from '../src/store/postgres/driver.ts'
import { root } from './run-postern.ts'
import { needTool } from './tools.ts'

/** How to reach the server of this run. */
export interface PostgresServer {
  /** The folder of its Unix socket, and of its data. */
  readonly socket: string
  /** Its port, of the socket and of 127.0.0.1. */
  readonly port: number
  /** The folder of its programs. */
  readonly bin: string
  readonly data: string
  readonly uid?: number
  readonly gid?: number
}

/** A database of one test. */
export interface PostgresDatabase extends AsyncDisposable {
  readonly name: string
  /** The address of the database, as `POSTERN_DATABASE_URL` has it. */
  readonly url: string
  /** Runs statements as the server's owner. */
  query(text: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
}

let server: Promise<PostgresServer> | undefined

/** The server of this run. */
export const postgresServer = (): Promise<PostgresServer> => (server ??= findServer())

async function findServer(): Promise<PostgresServer> {
  needTool('postgres')
  const outdir = process.env['TEST_OUTDIR']
  if (outdir === undefined) return openServer()
  const folder = join(outdir, 'postgres')
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  )
  if (isFirst) startServer(folder)
  return serverOf(folder)
}

/** A server of one test's own, which it may stop. It ends with the run. */
export async function openServer(): Promise<PostgresServer> {
  needTool('postgres')
  const folder = await mkdtemp(join(tmpdir(), 'postern-pg-run-'))
  startServer(folder)
  return serverOf(folder)
}

/** Stops a server as a crash does, starts it again, or makes a standby the primary. */
export async function control(server: PostgresServer, what: 'stop' | 'start' | 'promote'): Promise<void> {
  const how = { stop: ['-m', 'immediate'], start: ['-l', join(server.data, 'again.log')], promote: [] }
  await runProgram(server, 'pg_ctl', [what, '-D', server.data, '-w', ...how[what]])
}

async function runProgram({ bin, socket, uid, gid }: PostgresServer, program: string, args: readonly string[]): Promise<void> {
  const child = spawn(join(bin, program), args, {
    stdio: 'ignore',
    cwd: socket,
    ...(uid === undefined ? {} : { uid, gid }),
  })
  const [code] = (await once(child, 'exit')) as [number]
  if (code !== 0) throw new Error(`${program} ${args[0]} ended with ${code}.`)
}

/**
 * Starts a standby of a server, to which each commit is replicated before it is acknowledged. It ends with the server's folder at the latest.
 * @param port that nobody listens on
 */
export async function openStandby(primary: PostgresServer, port: number): Promise<PostgresServer & AsyncDisposable> {
  const folder = join(primary.socket, `standby-${port}`)
  const data = join(folder, 'data')
  await runProgram(
    primary,
    'pg_basebackup',
    ['-D', data, '-R', '-X', 'stream', '-c', 'fast', '-h', primary.socket].concat(['-p', String(primary.port), '-U', 'postgres']),
  )
  await appendFile(join(data, 'postgresql.auto.conf'), `port = '${port}'\nunix_socket_directories = '${folder}'\n`)
  const standby: PostgresServer = { ...primary, socket: folder, port, data }
  await control(standby, 'start')
  await asOwner(
    'postgres',
    async (client) => {
      await client.query(`alter system set synchronous_standby_names = '*'`)
      await client.query('select pg_reload_conf()')
    },
    primary,
  )
  return { ...standby, [Symbol.asyncDispose]: () => control(standby, 'stop') }
}

/** Runs a query as a server's owner. */
export const queryServer = (
  server: PostgresServer,
  database: string,
  text: string,
): Promise<readonly Record<string, unknown>[]> => asOwner(database, async (client) => (await client.query(text)).rows, server)

async function serverOf(folder: string): Promise<PostgresServer> {
  for (const end = Date.now() + 90_000; ; await sleep(50)) {
    if (existsSync(join(folder, 'address.json'))) return JSON.parse(await readFile(join(folder, 'address.json'), 'utf8'))
    if (existsSync(join(folder, 'error.txt'))) throw new Error(await readFile(join(folder, 'error.txt'), 'utf8'))
    if (Date.now() > end) throw new Error('The PostgreSQL server of the tests has not started.')
  }
}

function startServer(folder: string): void {
  const runner = process.env['TEST_RUNNER'] ?? String(process.pid)
  const script = join(root, 'scripts', 'test-postgres.mjs')
  spawn(process.execPath, [script, folder, runner], { detached: true, stdio: 'ignore' }).unref()
}

/** Connects as the server's owner. */
async function connectAsOwner(database: string, server: PostgresServer): Promise<pg.Client> {
  const { socket, port } = server
  const client = new pg.Client({ host: socket, port, user: 'postgres', database })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function asOwner<T>(database: string, work: (client: pg.Client) => Promise<T>, on?: PostgresServer): Promise<T> {
  const client = await connectAsOwner(database, on ?? (await postgresServer()))
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Makes a database with a role that has no rights but on its own schema. @param on the server; that of the run by default */
export async function makePostgresDatabase(template = 'template1', on?: PostgresServer): Promise<PostgresDatabase> {
  const { socket, port } = on ?? (await postgresServer())
  const name = `test_${randomBytes(6).toString('hex')}`
  const run = async (client: pg.Client) => {
    await client.query(`create database ${name} template ${template}`)
    await client.query(
      `do $$ begin create role site login; exception when duplicate_object or unique_violation then null; end $$`,
    )
  }
  await asOwner('postgres', run, on)
  await asOwner(name, (client) => client.query('create schema if not exists postern authorization site'), on)
  return {
    name,
    url: `postgres://site@/${name}?host=${encodeURIComponent(socket)}&port=${port}`,
    query: (text, values = []) => asOwner(name, async (client) => (await client.query(text, [...values])).rows, on),
    [Symbol.asyncDispose]: () => drop(name, on),
  }
}

const drop = (name: string, on?: PostgresServer): Promise<void> =>
  asOwner('postgres', async (client) => void (await client.query(`drop database if exists ${name} with (force)`)), on)

/** Deletes the database of an address. */
export const dropDatabase = (url: string): Promise<void> => drop(readPostgresAddress(url).database)

/** The file in a test's home that has the address of its database. */
const addressFile = 'test-database'

/** Whether whole sites run on PostgreSQL, where a test doesn't say which database it means. */
export const usesPostgres = process.env['TEST_DATABASE'] === 'postgres'

/** Notes which database the site of a home uses. */
export const keepAddress = (home: string, url: string): Promise<void> => writeFile(join(home, addressFile), url)

/** The address of a home's database; undefined if it is the file in the home. */
export async function findAddress(home: string): Promise<string | undefined> {
  return unlessMissing(readFile(join(home, addressFile), 'utf8'))
}

/** The settings with which another process opens the site of a home, besides the home itself. */
export async function databaseSettings(home: string): Promise<Readonly<Record<string, string>>> {
  const url = await findAddress(home)
  return url === undefined ? {} : { POSTERN_DATABASE_URL: url }
}

type Query = (statement: string, values?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>

/** Does something on a connection to a home's database, if it is a PostgreSQL database. Statements have `?` for their values. */
export async function withHome<T>(home: string, work: (query: Query) => Promise<T>): Promise<T | undefined> {
  const url = await findAddress(home)
  if (url === undefined) return undefined
  return asOwner(readPostgresAddress(url).database, async (client) => {
    await client.query('set search_path to postern')
    return work(async (statement, values = []) => {
      let place = 0
      const text = statement.replaceAll('?', () => `$${++place}`)
      return (await client.query({ text, values: [...values], types: typesOf(pg) })).rows
    })
  })
}

/** Runs one statement on a home's database, if it is a PostgreSQL database. */
export const queryHome = (
  home: string,
  statement: string,
  values?: readonly unknown[],
): Promise<readonly Record<string, unknown>[] | undefined> => withHome(home, (query) => query(statement, values))
