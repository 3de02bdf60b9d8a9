// Copies a whole site out of a PostgreSQL schema, or into it. Both directions use one connection with the lock of the site. A site
// is loaded in one transaction: after a kill at any moment, the schema has either its old content or the complete new site.

import { Failure } from '../../base/failure.ts'
import {
  copyTables,
  type CopyOptions,
  findDifference,
  quoted,
  type ReadableTables,
  sumTables,
  type TableSums,
} from '../core/copy-tables.ts'
import { QueryError } from '../core/errors.ts'
import { migrateInTransaction } from '../core/migrate.ts'
import { createPool } from '../core/pool.ts'
import { createQueries } from '../core/queries.ts'
import type { PostgresAddress } from './address.ts'
import { commitTable, createCommits } from './commits.ts'
import { createConnector, type ServerSession, toOwner } from './connect.ts'
import { PostgresConnection } from './connection.ts'
import { postgresDialect } from './dialect.ts'
import { prepareSchema } from './prepare-schema.ts'
import { ask, hasTable, schemaTables } from './schema-tables.ts'
import { searchFunctions } from './search.ts'
import { restoreSign, shareSite, takeSiteAlone } from './site-lock.ts'

/** A connection to the schema of a site, with the site's lock. The lock ends with the connection. */
export interface SchemaSession {
  readonly address: PostgresAddress
  readonly session: ServerSession
  readonly tables: ReturnType<typeof schemaTables>
  close(): Promise<void>
}

/** The longest wait for another connection's lock. */
const lockMs = 5000

/**
 * Connects to the schema of a site.
 * @param how `shared` allows others to use the site at the same time; `exclusive` is refused while anyone has it open
 * @throws Failure `unavailable` if the database can't be reached or a restore is running; `refused` if it can't be used or is in
 * use
 */
export async function openSchema(address: PostgresAddress, how: 'shared' | 'exclusive'): Promise<SchemaSession> {
  let session: ServerSession | undefined
  try {
    session = await createConnector(address).connect({ role: how === 'exclusive' ? 'writer' : 'reader', lockMs, idleMs: 0 })
    await (how === 'exclusive' ? takeSiteAlone : shareSite)(session, address.schema)
    const { client } = session
    return { address, session, tables: schemaTables(session, address.schema), close: () => client.end() }
  } catch (error) {
    session?.destroy()
    throw toOwner(error)
  }
}

/** Runs a function in a snapshot of the schema. Writers don't wait for it. */
export async function inSnapshot<T>({ session }: SchemaSession, run: () => Promise<T>): Promise<T> {
  await ask(session, 'begin transaction isolation level repeatable read read only')
  try {
    return await run()
  } finally {
    if (session.isOpen) await ask(session, 'rollback').catch(() => session.destroy())
  }
}

/** True if the schema has the tables of a site. */
export const hasSite = ({ session, address }: SchemaSession): Promise<boolean> =>
  hasTable(session, address.schema, 'kysely_migration')

/** Returns the bytes of the tables that a copy contains. */
export async function measureSchema({ session, address }: SchemaSession): Promise<number> {
  const rows = await ask<{ bytes: number }>(
    session,
    `select coalesce(sum(pg_table_size(c.oid)), 0) as bytes from pg_catalog.pg_class as c
      join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
      where n.nspname = $1 and c.relkind = 'r' and c.relname !~ '^entry_search'`,
    [address.schema],
  )
  return rows[0]?.bytes ?? 0
}

/** Creates the schema if it is missing. @throws Failure `refused` if the role lacks rights, with the statement that grants them */
export async function prepareTarget({ session, address }: SchemaSession): Promise<void> {
  try {
    await prepareSchema(session.client, address, commitsOf(address))
  } catch (error) {
    throw toOwner(error)
  }
}

/** True if a copy with this mark has begun in the schema. */
export async function hasMark({ session, address }: SchemaSession, mark: string): Promise<boolean> {
  if (!(await hasTable(session, address.schema, commitTable))) return false
  return (await ask(session, `select 1 from ${commitTable} where writer = $1`, [mark])).length > 0
}

/** Sets a mark in the schema. `loadSite` removes it. */
export async function setMark({ session }: SchemaSession, mark: string): Promise<void> {
  await ask(session, `insert into ${commitTable} (writer, commits, at) values ($1, 0, ${nowMs}) on conflict do nothing`, [mark])
}

const nowMs = '(extract(epoch from now()) * 1000)::bigint'

/** The mark of a completed restore. */
export const restoreMark = (id: string): string => `${restoreSign}${id}`

export interface LoadOptions extends CopyOptions {
  /** True to replace existing tables. Otherwise the schema must have none. */
  readonly replace: boolean
  /** The marks to set and to remove in the transaction of the load. */
  readonly marks?: { readonly set?: string; readonly remove?: string }
  /** Called before the commit, after all rows are written and compared. */
  readonly beforeCommit?: (() => Promise<void>) | undefined
}

/**
 * Fills the schema with the rows of a database that has all migrations of this code, and compares the two, in one transaction.
 * @throws Failure `unprocessable` if a row can't be stored; `failed` if a table differs afterwards. The schema is then unchanged
 */
export async function loadSite(target: SchemaSession, from: ReadableTables, options: LoadOptions): Promise<TableSums> {
  const { session, address, tables } = target
  const { replace, marks = {}, beforeCommit } = options
  await ask(session, commitsOf(address).begin)
  try {
    if (replace) await dropTables(target)
    await createTables(target)
    const read = await copyTables(from, tables, options).catch((error: unknown) => {
      throw error instanceof QueryError ? unstorable(error) : error
    })
    const difference = findDifference(read, await sumTables(tables))
    if (difference !== undefined)
      throw new Failure('failed', `The table ${difference} differs after the copy: nothing was changed.`)
    await ask(session, `analyze ${[...read.keys()].map(quoted).join(', ')}`)
    if (marks.remove !== undefined) await ask(session, `delete from ${commitTable} where writer = $1`, [marks.remove])
    if (marks.set !== undefined) await setMark(target, marks.set)
    await beforeCommit?.()
    await ask(session, 'commit')
    return read
  } catch (error) {
    if (session.isOpen) await ask(session, 'rollback').catch(() => session.destroy())
    throw error
  }
}

const unstorable = (cause: QueryError): Failure =>
  new Failure(
    'unprocessable',
    `PostgreSQL can't store a row: ${cause.message.split(' in: ')[0]}. Nothing was changed.`,
    {},
    { cause },
  )

const commitsOf = ({ schema }: PostgresAddress) =>
  createCommits(schema, () => Promise.reject(new Error('This connection is not opened again.')), 0)

/** Drops all tables of the site, but not the table of commits. It fails if objects of others depend on a table. */
async function dropTables({ session, tables }: SchemaSession): Promise<void> {
  const names = [...(await tables.listColumns()).keys()]
  if (names.length > 0) await ask(session, `drop table ${names.map(quoted).join(', ')}`)
  await ask(session, `drop function if exists ${searchFunctions}`)
}

async function createTables({ session, address }: SchemaSession): Promise<void> {
  const connection = new PostgresConnection({
    connector: { address, sessions: new Set([session]), connect: async () => session },
    settings: { role: 'writer', lockMs, idleMs: 0 },
    cancel: async () => undefined,
  })
  const { db } = createQueries(createPool([connection], lockMs), postgresDialect(address.schema))
  await migrateInTransaction(db)
}
