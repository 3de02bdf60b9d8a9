// Changes rows of a running site's database from beside: for what would otherwise take hours to come about.

import { join } from 'node:path'
import sqlite3 from 'sqlite3'
import { queryHome } from '../postgres.ts'

/** Runs one statement on a home's database. */
export async function editRows(home: string, sql: string, ...values: readonly (string | number)[]): Promise<void> {
  if (await queryHome(home, sql, values)) return
  const db = new sqlite3.Database(join(home, 'data', 'postern.db'), sqlite3.OPEN_READWRITE)
  try {
    await new Promise<void>((resolve, reject) => db.run(sql, values, (error) => (error ? reject(error) : resolve())))
  } finally {
    await new Promise((closed) => db.close(closed))
  }
}
