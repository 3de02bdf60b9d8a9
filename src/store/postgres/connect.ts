// Opens connections to a PostgreSQL database. Of several hosts, it uses the one that can be written to. While no host answers,
// attempts follow a back-off, and calls between two attempts fail at once.

import type { Socket } from 'node:net'
import type pg from 'pg'
import { errorMessage } from '../../base/error-message.ts'
import { Failure } from '../../base/failure.ts'
import { type PostgresAddress, type PostgresHost, showAddress, tlsOf } from './address.ts'
import { typesOf } from './driver.ts'
import type { Role } from '../core/errors.ts'
import { codeOf, connectionLost } from './errors.ts'

/** An open connection, prepared for its role. */
export interface ServerSession {
  readonly client: pg.Client
  /** The number of the server's process, by which its running query can be cancelled. */
  readonly pid: number
  readonly place: PostgresHost
  /** False once the connection is lost. */
  readonly isOpen: boolean
  /** True while an answer is due. */
  readonly isWaiting: boolean
  /** The number of bytes that have arrived. */
  readonly received: number
  /** Drops the connection without waiting for anything. */
  destroy(): void
  /** Ends the connection properly, or drops it after `endMs`. */
  end(): Promise<void>
}

/** The reason why no connection could be opened, for the owner. Callers of the site don't see the details. */
export class ConnectFault extends Error {
  /** True if waiting may help. */
  readonly mayPass: boolean
  /** True if a standby was found, but no primary. */
  readonly isStandby: boolean

  constructor(sentence: string, mayPass: boolean, cause?: unknown, isStandby = false) {
    super(sentence, { cause })
    this.name = 'ConnectFault'
    this.mayPass = mayPass
    this.isStandby = isStandby
  }
}

/** Returns the error for the owner, at a start or in a command. It includes the reason of a failed connection. */
export function toOwner(error: unknown): unknown {
  const fault = error instanceof Failure ? error.cause : error
  if (!(fault instanceof ConnectFault)) return error
  return new Failure(fault.mayPass ? 'unavailable' : 'refused', fault.message, fault.mayPass ? { retry_after: 5 } : {}, {
    cause: fault,
  })
}

export interface SessionSettings {
  readonly role: Role
  /** The longest wait of a statement for a lock. */
  readonly lockMs: number
  /** The time without a query after which the server ends an open transaction, because its process hangs. */
  readonly idleMs: number
}

export interface Connector {
  readonly address: PostgresAddress
  /** The open connections. */
  readonly sessions: ReadonlySet<ServerSession>
  /** @throws Failure `unavailable`, whose cause is a `ConnectFault` */
  connect(settings: SessionSettings): Promise<ServerSession>
}

/** The oldest PostgreSQL with all functions that the store uses. */
const oldest = { version: 13, number: 130_000 }

const pauses = { firstMs: 50, mostMs: 1000 }

/** The longest time for ending a connection. */
const endMs = 1000

export function createConnector(address: PostgresAddress): Connector {
  const sessions = new Set<ServerSession>()
  // The last host that worked is tried first, so that a host that is off delays only one connection.
  let { hosts } = address
  let failures = 0
  let failed: { readonly until: number; readonly fault: ConnectFault } | undefined
  return {
    address,
    sessions,
    async connect(settings) {
      if (failed && performance.now() < failed.until) throw connectionLost(failed.fault)
      try {
        const session = await connectToAny(address, hosts, settings)
        sessions.add(session)
        session.client.once('end', () => sessions.delete(session))
        hosts = [session.place, ...address.hosts.filter((host) => host !== session.place)]
        failures = 0
        failed = undefined
        return session
      } catch (error) {
        if (!(error instanceof ConnectFault)) throw error
        const pauseMs = Math.min(pauses.firstMs * 2 ** failures++, pauses.mostMs)
        failed = { until: performance.now() + pauseMs, fault: error }
        throw connectionLost(error)
      }
    },
  }
}

/** Tries the hosts in their order. */
async function connectToAny(
  address: PostgresAddress,
  hosts: readonly PostgresHost[],
  settings: SessionSettings,
): Promise<ServerSession> {
  const faults: ConnectFault[] = []
  for (const host of hosts) {
    try {
      return await connectTo(address, host, settings)
    } catch (error) {
      if (!(error instanceof ConnectFault)) throw error
      faults.push(error)
    }
  }
  const [first] = faults
  if (first && faults.length === 1) throw first
  throw new ConnectFault(
    faults.map(({ message }) => message).join(' '),
    faults.some(({ mayPass }) => mayPass),
    first,
    faults.some(({ isStandby }) => isStandby),
  )
}

async function connectTo(address: PostgresAddress, place: PostgresHost, settings: SessionSettings): Promise<ServerSession> {
  const { default: driver } = await import('pg')
  const client = new driver.Client({
    host: place.host,
    port: place.port,
    user: address.user,
    database: address.database,
    password: address.password ?? '',
    ssl: tlsOf(address, place),
    connectionTimeoutMillis: address.connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    fallback_application_name: 'postern',
    types: typesOf(driver),
    pipeline: true,
  })
  let isOpen = true
  const closed = () => (isOpen = false)
  // Without a listener, the loss of an idle or lent connection would end the process.
  client.on('error', closed)
  client.on('end', closed)
  const destroy = () => (closed(), client.connection.stream.destroy())
  // The driver's own time limit covers only the sign-in, and the server may fall silent after it.
  const timer = setTimeout(destroy, 2 * address.connectMs)
  try {
    await client.connect()
    const pid = await prepareSession(client, address, place, settings)
    // The socket is read only now, because TLS replaces it while connecting.
    const stream = client.connection.stream as Socket
    let answered = stream.bytesWritten
    client.on('drain', () => (answered = stream.bytesWritten))
    return {
      client,
      pid,
      place,
      get isOpen() {
        return isOpen
      },
      get isWaiting() {
        return stream.bytesWritten !== answered
      },
      get received() {
        return stream.bytesRead
      },
      destroy,
      async end() {
        const late = setTimeout(destroy, endMs)
        await client.end().finally(() => clearTimeout(late))
      },
    }
  } catch (error) {
    destroy()
    throw error instanceof ConnectFault ? error : faultOf(error, address, place)
  } finally {
    clearTimeout(timer)
  }
}

interface SessionFacts {
  readonly pid: number
  readonly standby: number
  readonly version: number
  readonly encoding: string
}

/**
 * Sets the options that the store relies on, independently of the defaults of server, database and role. @returns the number of the
 * server's process
 */
async function prepareSession(
  client: pg.Client,
  address: PostgresAddress,
  place: PostgresHost,
  { role, lockMs, idleMs }: SessionSettings,
): Promise<number> {
  const wanted = {
    search_path: `"${address.schema}"`,
    lock_timeout: String(Math.max(1, Math.floor(lockMs))),
    statement_timeout: '0',
    idle_in_transaction_session_timeout: String(Math.floor(idleMs)),
    // If the process's machine can't be reached, the server ends its transaction and frees its lock.
    tcp_keepalives_idle: '10',
    tcp_keepalives_interval: '5',
    tcp_keepalives_count: '3',
    tcp_user_timeout: '15000',
    default_transaction_isolation: 'read committed',
    default_transaction_read_only: role === 'reader' ? 'on' : 'off',
    client_min_messages: 'warning',
    TimeZone: 'UTC',
  }
  const sets = Object.keys(wanted).map((name, place) => `set_config('${name}', $${place + 1}, false)`)
  const { rows } = await client.query<SessionFacts>(
    `select pg_backend_pid() as pid, pg_is_in_recovery() as standby, current_setting('server_version_num')::int as version,
      current_setting('server_encoding') as encoding, ${sets.join(', ')}`,
    Object.values(wanted),
  )
  const [facts] = rows
  if (!facts) throw new Error('PostgreSQL answered nothing to the first query.')
  if (facts.standby === 1) {
    throw new ConnectFault(
      `${nameOf(place)} is a standby (in recovery), which can't be written to: name the primary, or all hosts, in POSTERN_DATABASE_URL.`,
      true,
      undefined,
      true,
    )
  }
  if (facts.version < oldest.number) {
    throw new ConnectFault(
      `${nameOf(place)} is PostgreSQL ${Math.floor(facts.version / 10_000)}: Postern needs ${oldest.version} or newer.`,
      false,
    )
  }
  if (facts.encoding !== 'UTF8') {
    throw new ConnectFault(
      `The database ${address.database} has the encoding ${facts.encoding}: create it anew with encoding 'UTF8'.`,
      false,
    )
  }
  return facts.pid
}

const nameOf = ({ host, port }: PostgresHost): string => (host.startsWith('/') ? host : `${host}:${port}`)

/** Messages for PostgreSQL's error codes at the connection, each with a remedy. */
const refusals: Readonly<Record<string, (address: PostgresAddress) => string>> = {
  '28P01': ({ user }) => `The password of ${user} is wrong: check POSTERN_DATABASE_URL or POSTERN_DATABASE_PASSWORD_FILE.`,
  '28000': ({ user }) => `The server doesn't let ${user} in from this machine: check the role, and the server's pg_hba.conf.`,
  '3D000': ({ user, database }) => `There is no database ${database}: create it with: create database ${database} owner ${user}.`,
  '42501': ({ user, database }) =>
    `The role ${user} may not connect to ${database}: grant connect on database ${database} to ${user}.`,
}

const unknownAuthority = (place: string) =>
  `The certificate of ${place} is not signed by an authority that this machine knows: name the file of that authority as sslrootcert in POSTERN_DATABASE_URL.`

/** Messages for failed TLS connections, by the driver's code or message, each with a remedy. */
const tlsFaults: Readonly<Record<string, (place: string) => string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  CERT_SIGNATURE_FAILURE: unknownAuthority,
  CERT_HAS_EXPIRED: (place) => `The certificate of ${place} has expired: renew it on the server of the database.`,
  ERR_TLS_CERT_ALTNAME_INVALID: (place) =>
    `The certificate of ${place} is for another name: write that name in POSTERN_DATABASE_URL, or use sslmode=verify-ca.`,
  'The server does not support SSL connections': (place) =>
    `The server ${place} offers no TLS: turn on ssl in its postgresql.conf, or use sslmode=disable on a network that you trust.`,
}

function faultOf(error: unknown, address: PostgresAddress, place: PostgresHost): ConnectFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const tls = tlsFaults[code] ?? tlsFaults[errorMessage(error)]
  if (tls) return new ConnectFault(tls(nameOf(place)), false, error)
  const refusal = refusals[codeOf(error)]
  if (refusal) return new ConnectFault(refusal(address), false, error)
  const said = errorMessage(error).trim() || 'no answer'
  return new ConnectFault(`The database ${showAddress(address)} can't be reached at ${nameOf(place)}: ${said}.`, true, error)
}
