// Prepares the schema of a site when its store is opened: the schema and the table of commits must exist.

import type pg from 'pg'
import type { PostgresAddress } from './address.ts'
import { type Commits, commitTable } from './commits.ts'
import { ConnectFault } from './connect.ts'
import { codeOf } from './errors.ts'
import { restoreSign } from './site-lock.ts'

const tableOfCommits = `create table if not exists ${commitTable}
  (writer text collate "C" primary key, commits bigint not null, at bigint not null)`

/** The age at which rows of stores without new commits are deleted. A store that is still open writes its row again. */
const forgetAfter = '7 days'

/**
 * Creates the schema if it is missing, and the table of commits.
 * @throws ConnectFault if the role lacks rights, with the statement that grants them
 */
export async function prepareSchema(client: pg.Client, address: PostgresAddress, commits: Commits): Promise<void> {
  const { schema } = address
  const { rows } = await client.query<{ schema_exists: number; table_exists: number }>(
    `select exists (select 1 from pg_catalog.pg_namespace where nspname = $1) as schema_exists,
      exists (select 1 from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
        where n.nspname = $1 and c.relname = '${commitTable}') as table_exists`,
    [schema],
  )
  const [found] = rows
  const steps = [
    ...(found?.schema_exists ? [] : [`create schema if not exists "${schema}"`]),
    ...(found?.table_exists ? [] : [tableOfCommits]),
    `delete from ${commitTable} where at < extract(epoch from now() - interval '${forgetAfter}') * 1000
      and writer not like '${restoreSign}%'`,
  ]
  try {
    await client.query(`${commits.begin}; ${steps.join('; ')}; commit`)
  } catch (error) {
    await client.query('rollback')
    throw rightsFault(address, found?.schema_exists === 1, error) ?? error
  }
}

/** Returns the fault of a role that lacks rights, with the statement that grants them; undefined for any other error. */
export function rightsFault(
  { schema, user, database }: PostgresAddress,
  hasSchema: boolean,
  error: unknown,
): ConnectFault | undefined {
  // A schema without usage rights counts as missing (3F000).
  if (!['42501', '3F000'].includes(codeOf(error))) return undefined
  const grant = hasSchema ? `grant usage, create on schema ${schema} to ${user}` : `create schema ${schema} authorization ${user}`
  return new ConnectFault(`The role ${user} lacks rights in the database ${database}: run as its owner: ${grant};`, false, error)
}
