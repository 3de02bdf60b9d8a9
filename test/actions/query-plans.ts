// The plans by which a database answers the queries of calls, and rows enough for it to have a choice.

import { AsyncLocalStorage } from 'node:async_hooks'
import { type CompiledQuery, type Kysely, sql } from 'kysely'
import type { Store } from '../../src/store/core/database.ts'
import { PostgresConnection } from '../../src/store/postgres/connection.ts'
import { SqliteConnection } from '../../src/store/sqlite/connection.ts'

interface Plan {
  readonly text: string
  /** Lines of the plan. */
  readonly plan: readonly string[]
  /** Whether rows are sorted, instead of being read in their order. */
  readonly sorts: boolean
  /** Whether a table is read without an index. */
  readonly scans: boolean
  /** Whether rows that the query names are searched among others, such as all public entries. */
  readonly passesOver: boolean
}

/** Notes queries. */
export interface Explained {
  /** Does something, and tells the plans of its selects. What the service reads for itself meanwhile, at any time, is not among them. */
  of<T>(work: () => Promise<T>): Promise<{ readonly answer: T; readonly plans: readonly Plan[] }>
  stop(): void
}

type Query = Pick<CompiledQuery, 'sql' | 'parameters'>

interface Column {
  readonly name: string
  readonly isText: boolean
  readonly nullable: boolean
}

interface OfEngine {
  readonly connection: { readonly prototype: Pick<SqliteConnection, 'execute'> }
  explain(store: Store, query: Query): Promise<Omit<Plan, 'text'>>
  columns(store: Store, table: string): Promise<readonly Column[]>
  withoutReferences(store: Store): Promise<void>
}

/** The columns by which queries name rows. */
const named = /"(?:id|path|translation_of)" in \(\?(?:, \?)*\)/g
/** SQLite goes by the length of a list: it takes any other column to choose ten rows. */
const longList = `in (${Array.from({ length: 100 }, () => '?').join(', ')})`

const ask = async <Row>(db: Kysely<never>, { sql: text, parameters }: Query): Promise<readonly Row[]> =>
  (await db.executeQuery<Row>({ sql: text, parameters, query: { kind: 'RawNode' } } as never)).rows

const engines: Readonly<Record<Store['engine'], OfEngine>> = {
  SQLite: {
    connection: SqliteConnection,
    async explain({ read }, query) {
      const rows = await ask<{ detail: string }>(read as never, { ...query, sql: `explain query plan ${query.sql}` })
      const plan = rows.map(({ detail }) => detail)
      const text = query.sql.replace(named, (one) => one.replace(/in .*/, longList))
      const long = await ask<{ detail: string }>(read as never, { sql: `explain query plan ${text}`, parameters: [] })
      return {
        plan,
        passesOver: text !== query.sql && !long.some(({ detail }) => /INDEX \w+ \((?:id|path|translation_of)=\?/.test(detail)),
        sorts: plan.some((detail) => /TEMP B-TREE/.test(detail)),
        scans: plan.some(
          (detail) => /^SCAN (?!counted|hit|below|\(subquery)\S+$/.test(detail) && !/SCAN \d+ CONSTANT/.test(detail),
        ),
      }
    },
    async columns({ write }, table) {
      const { rows } = await sql<{ name: string; type: string; notnull: number; pk: number }>`
        pragma table_info(${sql.table(table)})`.execute(write)
      return rows.map(({ name, type, notnull, pk }) => ({
        name,
        isText: type.toLowerCase() === 'text',
        nullable: notnull === 0 && pk === 0,
      }))
    },
    withoutReferences: async ({ write }) => void (await sql`pragma foreign_keys = off`.execute(write)),
  },
  PostgreSQL: {
    connection: PostgresConnection,
    /**
     * Tables this small are rightly read as a whole, and few rows are rightly sorted. So these plans are those with both switched off, which makes
     * PostgreSQL do it only where no index has the rows, or has them in their order. With many rows it then takes that index by itself.
     */
    async explain(store, query) {
      const plan = await store.transaction(async (db) => {
        await sql`set local enable_seqscan = off`.execute(db)
        // The search index is read by bitmaps only.
        await sql`set local enable_bitmapscan = ${sql.lit(query.sql.includes(' @@ ') ? 'on' : 'off')}`.execute(db)
        await sql`set local enable_sort = off`.execute(db)
        const rows = await ask<{ 'QUERY PLAN': string }>(db as never, { ...query, sql: `explain (costs off) ${query.sql}` })
        return rows.map((row) => row['QUERY PLAN'].trim())
      })
      const has = (pattern: RegExp) => plan.some((line) => pattern.test(line))
      // Behind an index whose values are unique, an incremental sort sorts rows one by one.
      const isInOrder = has(/Scan .*using \w+_p?key /)
      return {
        plan,
        // PostgreSQL counts the rows of each value.
        passesOver: false,
        sorts: has(/^(?:-> +)?Sort$/) || (has(/Incremental Sort$/) && !isInOrder),
        // Rows without a value are at one end of their index. Another index would be read to where the first of them happens to be.
        // An entry read by its id, a value that may also be another one, the password that few entries have, and the import that few
        // records are a part of, are none of these.
        scans:
          has(/Seq Scan on /) ||
          (has(/^Filter: .*(?<!OR )\((?!password_hash|part_of)\w+ IS NULL\)(?! OR)/) && !has(/^Index Cond: \(id = /)),
      }
    },
    async columns({ write }, table) {
      const { rows } = await sql<{ name: string; type: string; nullable: string }>`
        select column_name as name, data_type as type, is_nullable as nullable from information_schema.columns
        where table_schema = 'postern' and table_name = ${table} order by ordinal_position`.execute(write)
      return rows.map(({ name, type, nullable }) => ({ name, isText: type === 'text', nullable: nullable === 'YES' }))
    },
    async withoutReferences({ write }) {
      const { rows } = await sql<{ name: string; table: string }>`select conname as name, relname as table
        from pg_catalog.pg_constraint join pg_catalog.pg_class on pg_class.oid = conrelid
        where contype = 'f' and connamespace = 'postern'::regnamespace`.execute(write)
      for (const { name, table } of rows)
        await sql`alter table ${sql.table(table)} drop constraint ${sql.id(name)}`.execute(write)
    },
  },
}

/** Whether what runs was started by the work that is looked at. */
const lookedAt = new AsyncLocalStorage<Query[]>()

/** Begins to note queries. */
export async function explainQueries(store: Store): Promise<Explained> {
  const { connection, explain } = engines[store.engine]
  if (store.engine === 'PostgreSQL') await sql`analyze`.execute(store.write)
  const { execute } = connection.prototype
  /** The same query has the same plan: neither the tables nor what the database knows of them change. */
  const known = new Map<string, Plan>()
  connection.prototype.execute = function (query, ...more) {
    if (/^select/i.test(query.sql)) lookedAt.getStore()?.push({ sql: query.sql, parameters: query.parameters })
    return execute.call(this, query, ...more)
  }
  return {
    async of(work) {
      const seen: Query[] = []
      const answer = await lookedAt.run(seen, work)
      const plans: Plan[] = []
      for (const query of seen.splice(0)) {
        const key = JSON.stringify([query.sql, query.parameters])
        const plan = known.get(key) ?? { text: query.sql, ...(await explain(store, query)) }
        known.set(key, plan)
        plans.push(plan)
      }
      return { answer, plans }
    },
    stop: () => void (connection.prototype.execute = execute),
  }
}

/** The columns of a table, in their order. */
export const listColumns = (store: Store, table: string): Promise<readonly Column[]> =>
  engines[store.engine].columns(store, table)

/** Lets rows refer to rows that are not there. */
export const withoutReferences = (store: Store): Promise<void> => engines[store.engine].withoutReferences(store)

/**
 * Fills a table with rows whose texts are `same` and whose numbers are 5.
 * @param values by column: null for a value of each row's own (`e1001`, `e1002` …), undefined for no value
 */
export async function fillTable(
  store: Store,
  table: string,
  count: number,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  const cells = (await listColumns(store, table)).map(({ name, isText }) => {
    if (name in values && values[name] === undefined) return sql`null`
    if (values[name] === null) return name === 'revision' ? sql`n` : sql`'e' || (1000 + n)`
    return sql.val(values[name] ?? (isText ? 'same' : 5))
  })
  await sql`delete from ${sql.table(table)}`.execute(store.write)
  await sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
    insert into ${sql.table(table)} select ${sql.join(cells)} from numbers`.execute(store.write)
}
