// Reports damage to pages and indexes that PostgreSQL has found. It checks a page when it reads it, so this costs nothing.

import { type Kysely, sql } from 'kysely'
import type { Schema } from '../core/schema.ts'

interface Counted {
  /** Null if the server has no checksums of its pages. */
  readonly failures: number | null
  readonly last: string | null
}

/** Returns sentences about pages with wrong checksums, and about incomplete indexes, which the server does not use. */
export async function findDamage(db: Kysely<Schema>, schema: string): Promise<readonly string[]> {
  const checksums = await sql<Counted>`select checksum_failures as failures, checksum_last_failure::text as last
    from pg_catalog.pg_stat_database where datname = current_database()`.execute(db)
  const indexes = await sql<{ name: string }>`select c.relname as name from pg_catalog.pg_index as i
    join pg_catalog.pg_class as c on c.oid = i.indexrelid
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = ${schema} and not (i.indisvalid and i.indisready) order by c.relname limit 2`.execute(db)
  const { failures = 0, last = null } = checksums.rows[0] ?? {}
  const pages = failures === null || failures === 0 ? [] : [`${failures} pages had a wrong checksum, the last at ${last}`]
  return [...pages, ...indexes.rows.map(({ name }) => `the index ${name} is invalid: reindex index ${schema}.${name}`)]
}
