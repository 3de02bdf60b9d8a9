// All rows of a site's database as they are, read beside the running service: what a call changed, and what it didn't.

import { join } from 'node:path'
import sqlite3 from 'sqlite3'
import { findAddress, queryHome, withHome } from './postgres.ts'

type Row = Readonly<Record<string, unknown>>

/** Every row of every table, by table, except those of the search index, which follows the entries a little later. */
export type Rows = Readonly<Record<string, readonly Row[]>>

/** What each visit and each call leaves behind, some seconds later. */
const counts: readonly string[] = ['visit_count', 'visit_salt', 'visitor_seen', 'call_count']

/** The rows of a table that recurring work does not write: what a call changed, also while a minute begins. */
const lasting: Readonly<Record<string, string>> = {
  job: 'where name is null',
  mail: "where kind not in ('proposals', 'comments', 'trouble')",
  site_fact: "where name <> 'mailed_faults'",
}

/** What a write leaves behind of itself besides the objects: counts, history, records, keys, uses. */
export const traces: readonly string[] = [
  'activity',
  'activity_object',
  'entry_revision',
  'theme_revision',
  'version',
  'idempotency',
  'token_use',
  'job',
  'media_picture',
  'recent_change',
  'preview',
  'import_run',
  'import_item',
  ...counts,
]

/**
 * Reads all tables of a home's database.
 * Rows of recurring work are left out, because they change by themselves.
 * @param leftOut tables to leave out; `token_use` and the counts at least, as every call is a use
 */
export async function readRows(home: string, leftOut: readonly string[] = ['token_use', ...counts]): Promise<Rows> {
  const isPostgres = (await findAddress(home)) !== undefined
  return (isPostgres ? withPostgres : withFile)(home, async (all) => {
    const tables = await all(isPostgres ? listPostgres : listFile)
    const names = tables.map(({ name }) => String(name)).filter((name) => !leftOut.includes(name))
    const rows: Record<string, readonly Row[]> = {}
    for (const name of names)
      rows[name] = await all(`select * from "${name}" ${lasting[name] ?? ''} order by ${name === 'visitor_seen' ? '1' : '1, 2'}`)
    return rows
  })
}

type Ask = (sql: string) => Promise<readonly Row[]>

const listFile =
  "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like 'entry_search%' order by name"
const listPostgres = `select table_name as name from information_schema.tables where table_schema = 'postern' and table_name <> 'postern_commit'
  and table_name not like 'entry_search%' order by table_name collate "C"`

async function withFile<T>(home: string, work: (all: Ask) => Promise<T>): Promise<T> {
  const db = new sqlite3.Database(join(home, 'data', 'postern.db'), sqlite3.OPEN_READONLY)
  try {
    return await work(
      (sql) => new Promise((resolve, reject) => db.all<Row>(sql, (error, rows) => (error ? reject(error) : resolve(rows)))),
    )
  } finally {
    await new Promise((closed) => db.close(closed))
  }
}

/** On one connection, as the server starts a process for each. */
const withPostgres = <T>(home: string, work: (all: Ask) => Promise<T>): Promise<T> => withHome(home, work) as Promise<T>

/** Objects without what counts their writes: what an undo must restore. */
export async function readObjects(home: string): Promise<Rows> {
  const rows = await readRows(home, traces)
  const bare = ({ revision: _revision, updated_at: _updatedAt, ...row }: Row): Row => row
  return Object.fromEntries(Object.entries(rows).map(([table, all]) => [table, all.map(bare)]))
}

/** Runs a statement on a home's database, beside the running service. */
export async function writeRows(home: string, statement: string, values: readonly unknown[] = []): Promise<void> {
  if (await queryHome(home, statement, values)) return
  const db = new sqlite3.Database(join(home, 'data', 'postern.db'))
  try {
    db.configure('busyTimeout', 5000)
    await new Promise<void>((resolve, reject) => db.run(statement, values, (error) => (error ? reject(error) : resolve())))
  } finally {
    await new Promise((closed) => db.close(closed))
  }
}
