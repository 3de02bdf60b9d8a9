// A fault that no caller can cause: a table that is missing for a while, taken away beside the running service.

import { join } from 'node:path'
import sqlite3 from 'sqlite3'
import { queryHome } from './postgres.ts'

/** Runs SQL on a home's database, on a connection of its own. */
export async function alterDatabase(home: string, sql: string): Promise<void> {
  if (await queryHome(home, sql)) return
  const db = new sqlite3.Database(join(home, 'data', 'postern.db'))
  await new Promise<void>((resolve, reject) => db.exec(sql, (error) => (error ? reject(error) : resolve())))
  await new Promise((closed) => db.close(closed))
}

/** Runs something while a table is missing. */
export async function withoutTable<T>(home: string, table: string, run: () => Promise<T>): Promise<T> {
  await alterDatabase(home, `alter table "${table}" rename to gone`)
  try {
    return await run()
  } finally {
    await alterDatabase(home, `alter table gone rename to "${table}"`)
  }
}
