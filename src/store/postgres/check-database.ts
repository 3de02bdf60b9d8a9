// Checks a database before there is a site: it must be reachable, and have all features that a store relies on. The checks leave
// nothing behind.

import { randomBytes } from 'node:crypto'
import type { PostgresAddress } from './address.ts'
import { channelOf, commitTable } from './commits.ts'
import { ConnectFault, createConnector, type ServerSession } from './connect.ts'
import { rightsFault } from './prepare-schema.ts'
import { checkLocks, checkOwnProcess } from './site-lock.ts'

/** The checks in their order. Without a connection, the others can't run. */
export const databaseChecks = ['connection', 'sessions', 'rights', 'locks'] as const

export interface ServerFacts {
  /** The host that can be written to, with its port. */
  readonly host: string
  /** The version of PostgreSQL. */
  readonly version: string
  readonly encoding: string
  readonly collation: string
  readonly schema: string
  /** True if the schema already has a site. */
  readonly site: boolean
}

export interface CheckedDatabase {
  readonly facts: ServerFacts | undefined
  /** The faults by check. */
  readonly faults: ReadonlyMap<(typeof databaseChecks)[number], ConnectFault>
}

const settings = { lockMs: 5000, idleMs: 5000 } as const

/** The longest time for a notification, in milliseconds. */
const notifiedMs = 5000

/** @throws Failure `unavailable` if the connection is lost during the checks */
export async function checkDatabase(address: PostgresAddress): Promise<CheckedDatabase> {
  const connector = createConnector(address)
  const faults = new Map<(typeof databaseChecks)[number], ConnectFault>()
  const note = async (check: (typeof databaseChecks)[number], work: () => Promise<void>) => {
    const fault = await work().then(() => undefined, faultIn)
    if (fault) faults.set(check, fault)
  }
  let facts: ServerFacts | undefined
  try {
    await note('connection', async () => {
      const writer = await connector.connect({ ...settings, role: 'writer' })
      const reader = await connector.connect({ ...settings, role: 'reader' })
      facts = await readFacts(writer, address)
      await note('sessions', () => checkOwnProcess(writer, reader))
      await note('rights', () => checkRights(writer, address))
      await note('locks', async () => {
        await reader.client.query(`listen "${channelOf(address.schema)}"`)
        await checkLocks(writer, reader, address.schema, notifiedMs)
      })
    })
  } finally {
    for (const session of connector.sessions) session.destroy()
  }
  return { facts, faults }
}

/** Returns the fault that caused a refused connection. */
function faultIn(error: unknown): ConnectFault {
  const fault = error instanceof Error && !(error instanceof ConnectFault) ? error.cause : error
  if (fault instanceof ConnectFault) return fault
  throw error
}

interface Described extends Pick<ServerFacts, 'version' | 'encoding' | 'collation'> {
  readonly has_site: number
}

async function readFacts({ client, place }: ServerSession, { schema }: PostgresAddress): Promise<ServerFacts> {
  // The columns of the locale differ between releases of PostgreSQL.
  const { rows } = await client.query<Described>(
    `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
      coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale', d.datcollate) as collation,
      exists (select 1 from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
        where n.nspname = $1 and c.relname = '${commitTable}') as has_site
    from pg_catalog.pg_database as d where d.datname = current_database()`,
    [schema],
  )
  const [row] = rows
  if (!row) throw new Error('PostgreSQL does not know its own database.')
  const { has_site: site, ...described } = row
  return { host: `${place.host}:${place.port}`, ...described, schema, site: site === 1 }
}

/** Creates a table as a migration does, and rolls back. @throws ConnectFault */
async function checkRights({ client }: ServerSession, address: PostgresAddress): Promise<void> {
  const { schema, user } = address
  const known = await client.query<{ schema_exists: number }>(
    'select exists (select 1 from pg_catalog.pg_namespace where nspname = $1) as schema_exists',
    [schema],
  )
  const exists = known.rows[0]?.schema_exists === 1
  const table = `postern_check_${randomBytes(6).toString('hex')}`
  const steps = [
    ...(exists ? [] : [`create schema "${schema}"`]),
    `create table "${schema}".${table} (id text collate "C" primary key)`,
    `insert into "${schema}".${table} values ('x')`,
  ]
  try {
    await client.query(`begin; ${steps.join('; ')}; rollback`)
  } catch (error) {
    await client.query('rollback')
    throw rightsFault(address, exists, error) ?? error
  }
  const { rows } = await client.query<{ name: string; owner: string }>(
    `select c.relname as name, pg_catalog.pg_get_userbyid(c.relowner) as owner
    from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = $1 and c.relkind = 'r' and not pg_catalog.pg_has_role(c.relowner, 'USAGE') limit 1`,
    [schema],
  )
  const [foreign] = rows
  if (!foreign) return
  throw new ConnectFault(
    `The table ${schema}.${foreign.name} belongs to the role ${foreign.owner}, so ${user} can't change it: run as its owner, for each table of the schema: alter table ${schema}.${foreign.name} owner to ${user};`,
    false,
  )
}
