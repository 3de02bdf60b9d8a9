// Reads the address of a PostgreSQL database: hosts, names and TLS options. Of several hosts, the store uses the one that can be
// written to.

import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { errorMessage } from '../../base/error-message.ts'

/** The place of a database, and the role to sign in with. */
export interface PostgresAddress {
  readonly hosts: readonly PostgresHost[]
  readonly user: string
  readonly database: string
  /** The schema with all tables of the site. */
  readonly schema: string
  /** The TLS options, which `tlsOf` completes for a host. */
  readonly tls: TlsMode
  readonly connectMs: number
  /** Not enumerable, so that no log line, error or dump shows it. */
  readonly password?: string
}

export interface PostgresHost {
  /** A host name, an address, or the folder of a Unix socket. */
  readonly host: string
  readonly port: number
}

interface TlsMode {
  readonly mode: (typeof sslModes)[number] | undefined
  readonly files: Readonly<Partial<Record<'ca' | 'cert' | 'key', string>>>
}

const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const
const form = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/

const parameters = ['host', 'port', 'user', 'schema', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'connect_timeout'] as const

/** The form of an address, for messages with "must be". */
export const addressExpected = 'an address such as postgres://postern@db.example.org/postern'

/**
 * Reads an address.
 * @param password overrides the password in the address
 * @throws Error with one sentence, which never contains the password
 */
export function readPostgresAddress(text: string, password?: string): PostgresAddress {
  const [, userInfo = '', hostList = '', path = '', query = ''] = form.exec(text) ?? []
  if (!form.test(text)) throw new Error(`The address of the database must be ${addressExpected}.`)
  const given = new URLSearchParams(query)
  const unknown = [...given.keys()].find((name) => !(parameters as readonly string[]).includes(name))
  if (unknown !== undefined) {
    throw new Error(`The address of the database has the parameter ${unknown}, which is not one of ${parameters.join(', ')}.`)
  }
  const [name = '', secret] = userInfo.split(/:(.*)/s)
  const user = decode(name) || given.get('user') || 'postern'
  const address = {
    hosts: readHosts(hostList || (given.get('host') ?? 'localhost'), given.get('port') ?? '5432'),
    user,
    database: decode(path) || user,
    schema: readSchema(given.get('schema') ?? 'postern'),
    tls: readTls(given),
    connectMs: readSeconds(given.get('connect_timeout') ?? '5') * 1000,
  }
  const known = password ?? (secret === undefined ? undefined : decode(secret))
  return known === undefined ? address : Object.defineProperty(address, 'password', { value: known, enumerable: false })
}

/** Returns the address without its password, for people. */
export function showAddress({ hosts, user, database, schema }: PostgresAddress): string {
  const places = hosts.map(({ host, port }) => (host.startsWith('/') ? host : `${host}:${port}`)).join(',')
  return `${user}@${places}/${database}, schema ${schema}`
}

function readHosts(list: string, ports: string): readonly PostgresHost[] {
  const listed = ports.split(',')
  const hosts = list.split(',').map((item, place) => {
    const [, host = '', port = listed[place] ?? listed[0] ?? ''] =
      /^(\[[0-9A-Fa-f:.%]+\]|[^:]+)(?::(\d+))?$/.exec(decode(item)) ?? []
    return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }
  })
  const wrong = hosts.some(({ host, port }) => host === '' || !(port >= 1 && port <= 65_535))
  if (wrong) throw new Error('The address of the database must name each host as HOST or HOST:PORT, separated by commas.')
  return hosts
}

function readSchema(schema: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(schema) && !schema.startsWith('pg_') && schema !== 'information_schema') return schema
  throw new Error('The schema of the database must be a name of lower-case letters, digits and underscores, such as postern.')
}

function readTls(given: URLSearchParams): TlsMode {
  const asked = given.get('sslmode') ?? undefined
  const mode = sslModes.find((one) => one === asked)
  if (asked !== undefined && mode === undefined) {
    throw new Error(`The sslmode of the database must be one of ${sslModes.join(', ')}.`)
  }
  const named = { ca: given.get('sslrootcert'), cert: given.get('sslcert'), key: given.get('sslkey') }
  const files: Partial<Record<'ca' | 'cert' | 'key', string>> = {}
  for (const [what, path] of Object.entries(named)) if (path) files[what as 'ca'] = readTlsFile(path)
  return { mode, files }
}

function readTlsFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`The file ${path}, which the address of the database names, can not be read: ${errorMessage(error)}`, {
      cause: error,
    })
  }
}

function readSeconds(text: string): number {
  const seconds = Number(text)
  if (/^\d+$/.test(text) && seconds >= 1 && seconds <= 60) return seconds
  throw new Error('The connect_timeout of the database must be a whole number of seconds from 1 to 60.')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error(`The address of the database must be ${addressExpected}, with % only in escapes such as %40.`)
  }
}

/**
 * Returns the TLS options for a host; false for a connection without TLS. Without `sslmode`, TLS is off for hosts on the same
 * machine, and fully verified for all others.
 * @see https://www.postgresql.org/docs/current/libpq-ssl.html "sslmode"
 */
export function tlsOf({ tls: { mode, files } }: PostgresAddress, { host }: PostgresHost): ConnectionOptions | false {
  const effective = host.startsWith('/') ? 'disable' : (mode ?? (isLoopback(host) ? 'disable' : 'verify-full'))
  if (effective === 'disable') return false
  // As in libpq, an address that names an authority requires a verified certificate.
  if (effective === 'require' && files.ca === undefined) return { ...files, rejectUnauthorized: false }
  return effective === 'verify-full' ? { ...files } : { ...files, checkServerIdentity: () => undefined }
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
