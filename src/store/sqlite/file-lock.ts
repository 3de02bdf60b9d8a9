// A lock that processes share, or that one has alone. It is SQLite's own lock on an empty file, so the system lets go of it when a process
// ends, however it ends: there is no stale lock. What is locked by it is its users' agreement.

import { open } from 'node:fs/promises'
import sqlite3 from 'sqlite3'

/** A lock that is held. */
export interface FileLock {
  /** Lets go of it; a second call does nothing. */
  release(): Promise<void>
}

/** `shared`: beside others who share it; `alone`: beside nobody. */
export type LockMode = 'shared' | 'alone'

/** A journal of its own would be left behind by a kill; nothing is ever written. */
const steps: Readonly<Record<LockMode, readonly string[]>> = {
  shared: ['pragma journal_mode = off', 'begin', 'select count(*) from sqlite_schema'],
  alone: ['pragma journal_mode = off', 'begin exclusive'],
}

/**
 * Takes a lock; undefined when somebody else's stands against it for so long.
 * @throws Error of the file system where the file can't be made, of SQLite where it can't be locked
 */
export async function lockFile(path: string, mode: LockMode, waitMs = 0): Promise<FileLock | undefined> {
  await makeFile(path)
  const db = await openDatabase(path)
  try {
    await run(db, `pragma busy_timeout = ${Math.floor(waitMs)}`)
    for (const step of steps[mode]) await run(db, step)
  } catch (error) {
    await close(db)
    if ((error as { code?: unknown }).code === 'SQLITE_BUSY') return undefined
    throw error
  }
  let released: Promise<void> | undefined
  return { release: () => (released ??= close(db)) }
}

/** Only where there is none: to open and close a file would end the locks that this process has on it (POSIX). */
async function makeFile(path: string): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600)
    await file.close()
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error
  }
}

function openDatabase(path: string): Promise<sqlite3.Database> {
  return new Promise((resolve, reject) => {
    const db = new sqlite3.Database(path, sqlite3.OPEN_READWRITE | sqlite3.OPEN_FULLMUTEX, (error) =>
      error ? reject(error) : resolve(db),
    )
  })
}

function run(db: sqlite3.Database, sql: string): Promise<void> {
  return new Promise((resolve, reject) => db.all(sql, (error) => (error ? reject(error) : resolve())))
}

function close(db: sqlite3.Database): Promise<void> {
  return new Promise((resolve, reject) => db.close((error) => (error ? reject(error) : resolve())))
}
