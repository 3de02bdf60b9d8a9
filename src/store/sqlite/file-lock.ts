// Shared and exclusive locks between processes. A lock is SQLite's own lock on an empty file. The operating system releases it when
// the process ends in any way, so a lock is never stale. The purpose of a lock is defined by the code that takes it.

import { open } from 'node:fs/promises'
import type sqlite3 from 'sqlite3'
import { loadDriver } from './driver.ts'
import { codeOf } from './errors.ts'

/** A lock that was taken. */
export interface FileLock {
  /** Releases the lock; a second call does nothing. */
  release(): Promise<void>
}

/** A `shared` lock allows other shared locks; an `exclusive` lock allows no other lock. */
export type LockMode = 'shared' | 'exclusive'

/**
 * The statements that take a lock. They use no journal, because nothing is written and a kill would leave the journal's file
 * behind.
 */
const steps: Readonly<Record<LockMode, readonly string[]>> = {
  shared: ['pragma journal_mode = off', 'begin', 'select count(*) from sqlite_schema'],
  exclusive: ['pragma journal_mode = off', 'begin exclusive'],
}

/**
 * Takes a lock, waiting up to `waitMs`. Returns undefined if another lock still excludes it.
 * @throws Error of the file system, such as `EACCES`, if the file can't be created or opened
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

/** Creates a missing file. An existing file is not opened here: closing it would release this process's own locks on it (POSIX). */
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

/**
 * SQLite doesn't report why it can't open an existing file. The reason is almost always the permissions, so the error becomes
 * `EACCES`.
 */
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
