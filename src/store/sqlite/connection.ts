// One SQLite connection, on the asynchronous module `sqlite3`. It sets Postern's pragmas, runs queries in order, and caches
// prepared statements. `pool.ts` lends connections to borrowers.

import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, type QueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'
import type sqlite3 from 'sqlite3'
import { bindable, type BoundValue } from '../core/bindable.ts'
import { type StoreConnection, FailedWrite, type QueuedWrite, runAlone } from '../core/connection.ts'
import { ConstraintError, endedEarly, QueryError, unavailable } from '../core/errors.ts'
import { loadDriver } from './driver.ts'
import { codeOf, type Role, storeError } from './errors.ts'
import { toFollowing, type FollowingQuery, Programs, rowsFound } from './programs.ts'
import { all, isLong, prepare, returnsRows, run } from './statement.ts'

export interface ConnectionOptions {
  readonly path: string
  readonly role: Role
  /** The longest wait of a statement for another process's lock. */
  readonly busyMs?: number
  /** Number of prepared statements to cache. With 0, each query is prepared again. */
  readonly statements?: number
}

const interruptEveryMs = 20

const beginOf: Readonly<Record<Role, CompiledQuery>> = {
  writer: CompiledQuery.raw('begin immediate'),
  reader: CompiledQuery.raw('begin'),
}

const endings = { commit: CompiledQuery.raw('commit'), rollback: CompiledQuery.raw('rollback') }

/** A connection. `execute` may be called at any time; queries run in the order of the calls. */
export class SqliteConnection implements StoreConnection {
  readonly #db: sqlite3.Database
  readonly #role: Role
  readonly #statements: LRUCache<string, sqlite3.Statement> | undefined
  readonly #programs = new Programs()
  #last: Promise<void> = Promise.resolve()
  #closed: Promise<void> | undefined

  constructor(db: sqlite3.Database, role: Role, statements: number) {
    this.#db = db
    this.#role = role
    this.#statements =
      statements > 0 ? new LRUCache({ max: statements, dispose: (statement) => void statement.finalize() }) : undefined
  }

  /** Begins a transaction. The writer takes its lock at once, because an upgrade of a read lock can't wait for another process. */
  async begin(_signal?: AbortSignal, onBegun?: () => void): Promise<void> {
    await this.execute(beginOf[this.#role]).finally(onBegun)
  }

  async commit(queued: readonly QueuedWrite[] = []): Promise<void> {
    await this.execute(endings.commit, undefined, queued)
  }

  async rollback(): Promise<void> {
    try {
      await this.execute(endings.rollback)
    } catch (error) {
      // On a full disk, SQLite rolls back automatically, and this rollback fails. The earlier error is the one to report.
      if (!(error instanceof QueryError && error.message.includes('no transaction is active'))) throw error
    }
  }

  async execute(query: CompiledQuery, signal?: AbortSignal, queued: readonly QueuedWrite[] = []): Promise<QueryResult<unknown>> {
    if (queued.length === 0) return this.#executeOne(query, signal)
    const groups = [...groupsOf(queued)]
    const after = toFollowing(query)
    const last = after && !groups.at(-1)?.[0]?.check ? groups.pop() : undefined
    await this.#writeGroups(groups, signal)
    if (last) {
      const result = await this.#executeTogether(last, signal, after)
      if (result) return result
      await this.#writeAlone(last, signal)
    }
    return this.#executeOne(query, signal)
  }

  write(queued: readonly QueuedWrite[], signal?: AbortSignal): Promise<void> {
    return this.#writeGroups(groupsOf(queued), signal)
  }

  async #writeGroups(groups: readonly (readonly QueuedWrite[])[], signal: AbortSignal | undefined): Promise<void> {
    for (const group of groups)
      if (group.length === 1 || !(await this.#executeTogether(group, signal))) await this.#writeAlone(group, signal)
  }

  async #writeAlone(writes: readonly QueuedWrite[], signal: AbortSignal | undefined): Promise<void> {
    for (const write of writes) await runAlone(write, (query) => this.#executeOne(query, signal))
  }

  async #executeOne(query: CompiledQuery, signal: AbortSignal | undefined): Promise<QueryResult<unknown>> {
    const before = this.#last
    let done = (): void => undefined
    this.#last = new Promise((resolve) => (done = resolve))
    await before
    const stopWatching = signal && this.#interruptAt(signal)
    try {
      if (signal?.aborted) throw endedEarly()
      return await this.#run(query.sql, query.parameters.map(bindable), returnsRows(query))
    } finally {
      stopWatching?.()
      done()
    }
  }

  /**
   * Interrupts the running query when the signal aborts. SQLite ignores an interrupt before the query's first step, while it still
   * waits for a thread, so the interrupt is repeated. Returns a function that stops this, to be called at the end of the query.
   * @see https://www.sqlite.org/c3ref/interrupt.html
   */
  #interruptAt(signal: AbortSignal): () => void {
    let repeated: NodeJS.Timeout | undefined
    const interrupt = () => {
      this.#db.interrupt()
      repeated ??= setInterval(interrupt, interruptEveryMs)
    }
    signal.addEventListener('abort', interrupt, { once: true })
    return () => {
      clearInterval(repeated)
      signal.removeEventListener('abort', interrupt)
    }
  }

  /** Runs an SQL text without parameters, such as a pragma, and returns its rows. */
  async rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const { rows } = await this.#run(sql, [], true)
    return rows as Record<string, unknown>[]
  }

  /**
   * Runs several statements, and the query after them, in one trip to the database's thread, all or none. Returns undefined if
   * nothing was done. The statements must then run one by one, which also finds the statement that fails.
   */
  async #executeTogether(
    writes: readonly QueuedWrite[],
    signal: AbortSignal | undefined,
    after?: FollowingQuery,
  ): Promise<QueryResult<unknown> | undefined> {
    const program = this.#programs.of(
      writes.map((write) => write.query),
      after,
    )
    if (!program) return undefined
    try {
      for (const definition of program.definitions) await this.#executeOne(definition, signal)
      const result = await this.#executeOne(program.call, signal)
      return after ? { rows: [...rowsFound(after, result.rows)] } : result
    } catch (error) {
      if (!(error instanceof QueryError)) throw new FailedWrite({ query: program.call }, error)
      if (!(error instanceof ConstraintError)) this.#programs.forget(program)
      return undefined
    }
  }

  /** Waits for running queries, finalizes the statements and closes the file. Further calls return the same promise. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close())
  }

  async #close(): Promise<void> {
    await this.#last
    this.#statements?.clear()
    await new Promise<void>((resolve, reject) => {
      this.#db.close((error) => (error ? reject(storeError(error, 'close', this.#role)) : resolve()))
    })
  }

  async #cached(sql: string): Promise<sqlite3.Statement> {
    const kept = this.#statements?.get(sql)
    if (kept) return kept
    const statement = await prepare(this.#db, sql)
    this.#statements?.set(sql, statement)
    return statement
  }

  async #run(sql: string, parameters: readonly BoundValue[], rows: boolean): Promise<QueryResult<unknown>> {
    const keep = this.#statements !== undefined && !parameters.some(isLong)
    try {
      const statement = keep ? await this.#cached(sql) : await prepare(this.#db, sql)
      try {
        return await (rows ? all(statement, parameters) : run(statement, parameters))
      } finally {
        if (!keep) statement.finalize()
      }
    } catch (error) {
      // A statement that failed because of a lock stays in progress, and no transaction can commit until it is finalized.
      this.#statements?.delete(sql)
      throw storeError(error, sql, this.#role)
    }
  }
}

/**
 * Opens a connection. The writer creates a missing file and switches it to WAL, so it must be opened before the readers.
 * @throws Failure `unavailable` if the file can't be opened or can't use WAL
 */
export async function openConnection({
  path,
  role,
  busyMs = 5000,
  statements = 200,
}: ConnectionOptions): Promise<SqliteConnection> {
  const driver = await loadDriver()
  const mode = driver.OPEN_READWRITE | driver.OPEN_FULLMUTEX | (role === 'writer' ? driver.OPEN_CREATE : 0)
  const db = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened = new driver.Database(path, mode, (error) => (error ? reject(storeError(error, 'open', role)) : resolve(opened)))
  })
  const connection = new SqliteConnection(db, role, statements)
  try {
    await connection.rows(`pragma busy_timeout = ${Math.floor(busyMs)}`)
    if (role === 'writer') await setWal(connection, busyMs)
    for (const pragma of ['synchronous = normal', 'foreign_keys = on', ...pragmas[role]])
      await connection.rows(`pragma ${pragma}`)
    return connection
  } catch (error) {
    await connection.close()
    throw error
  }
}

/**
 * The pragmas by role, in addition to those of every connection. A large WAL is truncated at the next checkpoint. `checkpoints.ts`
 * makes a checkpoint before the writer has to, which would copy 32 MB within a commit. A reader's cache is in KiB and fills as
 * pages are read: SQLite's default of 2 MB is less than one search reads on a large site, and 16 MB are no faster than 8.
 */
const pragmas: Readonly<Record<Role, readonly string[]>> = {
  writer: ['journal_size_limit = 67108864', 'wal_autocheckpoint = 8000'],
  reader: ['query_only = on', 'cache_size = -8192'],
}

/**
 * Switches to WAL. SQLite doesn't wait for a lock when it changes the journal mode, so this retries. Otherwise one of two
 * simultaneous first starts could fail.
 */
async function setWal(connection: SqliteConnection, busyMs: number): Promise<void> {
  const until = performance.now() + busyMs
  for (;;) {
    try {
      const [row] = await connection.rows('pragma journal_mode = wal')
      if (row?.['journal_mode'] === 'wal') return
      throw unavailable('The database can not use write-ahead logging in its present place: keep it on a local disk.', 60)
    } catch (error) {
      if (performance.now() > until || !isBusy(error)) throw error
      await sleep(20)
    }
  }
}

const isBusy = (error: unknown): boolean => error instanceof Error && codeOf(error.cause) === 'SQLITE_BUSY'

/** Groups statements that can run together: those with a check of their result run alone. */
function groupsOf(writes: readonly QueuedWrite[]): readonly QueuedWrite[][] {
  const groups: QueuedWrite[][] = []
  for (const write of writes) {
    const last = groups.at(-1)
    if (last && !write.check && !last.at(-1)?.check) last.push(write)
    else groups.push([write])
  }
  return groups
}
