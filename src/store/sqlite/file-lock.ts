// A lock that processes share or one process holds alone. It is SQLite's lock on an empty file, which the system releases when the process
// ends, however it ends: no lock is ever stale. What a lock stands for is agreed among those who take it.

import { open } from 'node:fs/promises'
import type sqlite3 from 'sqlite3'
import { loadDriver } from './driver.ts'
import { codeOf } from './errors.ts'

/** A lock that is held. */
export interface FileLock {
  /** Releases the lock; a second call does nothing. */
  release(): Promise<void>
}

/** `shared` allows other shared locks; `alone` allows no other lock. */
export type LockMode = 'shared' | 'alone'

/** Without a journal, because a kill would leave it behind; nothing is ever written. */
const steps: Readonly<Record<LockMode, readonly string[]>> = {
  shared: ['pragma journal_mode = off', 'begin', 'select count(*) from sqlite_schema'],
  alone: ['pragma journal_mode = off', 'begin exclusive'],
}

/**
 * Takes a lock; undefined when somebody else's lock excludes it for the whole of `waitMs`.
 * @throws Error of the file system, such as `EACCES`, where the file can't be created or opened
 */
export async function lockFile(path: string, mode: LockMode, waitMs = 0): Promise<FileLock | undefined> {
  await createFile(path)
  const db = await openDatabase(path)
  try {
    await run(db, `pragma busy_timeout = ${Math.floor(waitMs)}`)
    for (const step of steps[mode]) await run(db, step)
  } catch (error) {
    await close(db)
    if (codeOf(error) === 'SQLITE_BUSY') return undefined
    throw error
  }
  let released: Promise<void> | undefined
  return { release: () => (released ??= close(db)) }
}

/** Creates the file where there is none. Opening and closing it otherwise would end this process's own locks on it (POSIX). */
async function createFile(path: string): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600)
    await file.close()
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

async function openDatabase(path: string): Promise<sqlite3.Database> {
  const driver = await loadDriver()
  return new Promise((resolve, reject) => {
    const db = new driver.Database(path, driver.OPEN_READWRITE | driver.OPEN_FULLMUTEX, (error) =>
      error ? reject(openError(path, error)) : resolve(db),
    )
  })
}

/** SQLite doesn't say why it can't open a file that is there; almost always its permissions forbid it. */
const openError = (path: string, cause: Error): Error =>
  codeOf(cause) === 'SQLITE_CANTOPEN'
    ? Object.assign(new Error(`${path} can't be opened.`, { cause }), { code: 'EACCES' })
    : cause

function run(db: sqlite3.Database, sql: string): Promise<void> {
  return new Promise((resolve, reject) => db.all(sql, (error) => (error ? reject(error) : resolve())))
}

function close(db: sqlite3.Database): Promise<void> {
  return new Promise((resolve, reject) => db.close((error) => (error ? reject(error) : resolve())))
}
