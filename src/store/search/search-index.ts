// Keeps the search index and the folded texts of entries up to date. Each transaction that changes a text also notes the entry in
// `entry_search_due`. This job indexes those entries in small batches, one transaction each, so it resumes where it stopped. After
// an upgrade all entries are due, and the site is served while they are indexed.
// Other writers must not wait for the job: it reads and folds the texts before its transaction, and the size of a batch follows the
// time that the last batch took. Waiting writers get their turn between two batches.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import { LRUCache } from 'lru-cache'
import { Failure } from '../../base/failure.ts'
import type { Log } from '../../base/log.ts'
import { repeat } from '../../base/repeating.ts'
import { type BatchSize, createBatchSize } from '../core/batch-size.ts'
import { compileOnce, withValues } from '../core/compile-once.ts'
import type { Db, Store } from '../core/database.ts'
import { foldLate } from './folded-entries.ts'
import { jsonTexts } from '../core/json-rows.ts'
import { queueWrite, settle } from '../core/queued-writes.ts'
import type { Schema } from '../core/schema.ts'
import { markGone, markNext, searchOf, type SearchDocument } from './search.ts'
import { putTerms, sweepTerms } from './search-terms.ts'
import { foldForSearch } from './search-text.ts'
import { raiseCounters } from '../change/versions.ts'

export interface SearchIndex {
  /** Searches that recently found more entries than can be ranked. */
  readonly frequent: LRUCache<string, true>
  /**
   * Indexes the due entries before a search, for at most `waitMs`. Returns the number of entries that are still due, at most
   * `maxBehind`.
   */
  freshen(): Promise<number>
  /**
   * Marks all entries as due, including deleted ones, and waits until they are indexed. If it is aborted, the job indexes the rest
   * later.
   * @returns the number of entries
   */
  reindex(signal: AbortSignal, progress: (done: number, total: number) => void): Promise<number>
  /** Indexes all entries that are due at the call. */
  run(): Promise<void>
  /**
   * Calls `fn` after each commit that wrote the terms and media of entries which an older release had changed.
   * @param fn gets the counter of the area `content`, which the commit raised: lists may show these entries only now
   */
  onLate(fn: AfterLate): void
  /** Ends the job and waits for the batch in progress. */
  stop(): Promise<void>
}

type Counters = ReadonlyMap<'content', number>
type AfterLate = (counters: Counters) => Promise<void>

/** The most entries, and the most bytes of bodies, in one batch. A longer text is a batch by itself. */
const atOnce = { entries: 50, bytes: 64 * 1024 }

/** The longest time that a batch may keep other writers waiting, in milliseconds. */
const holdMs = 3

/** The time for which a search is remembered as too frequent. */
const frequentMs = 10 * 60_000

const everyMs = 250
/** The longest time that a search waits for the index. */
const waitMs = 200

/** The highest number that `freshen` returns. */
export const maxBehind = 1000

/** Starts the job. */
export function createSearchIndex(store: Store, log: Log): SearchIndex {
  const failed = (error: unknown) => log.warn('search index not updated', { error: String(error) })
  const size = createBatchSize({ most: atOnce.entries, holdMs })
  let runs = 0
  let afterLate: AfterLate = () => Promise.resolve()
  const sweep = createSweep(store)
  const runAll = async (signal: AbortSignal) => {
    runs += 1
    if (await indexAll(store, size, (counters) => afterLate(counters), signal)) sweep.begin()
    else await sweep.next()
  }
  const job = repeat(everyMs, runAll, failed)
  /** Waits for a run that begins after the call: a run in progress may have missed the latest change. */
  const run = async () => {
    const begun = runs
    await job.run()
    if (runs === begun) await job.run()
  }
  return {
    frequent: new LRUCache({ max: 1000, ttl: frequentMs }),
    async freshen() {
      const behind = await countDue(store.read)
      if (behind === 0) return 0
      await Promise.race([run(), delay(waitMs)])
      return countDue(store.read)
    },
    async reindex(signal, progress) {
      await markAll(store, signal)
      const total = await countAllDue(store.read)
      // The job logs its own failures and tries again in its next run. This loop ends after too many runs without progress.
      for (let [due, fruitless] = [total, 0]; due > 0;) {
        signal.throwIfAborted()
        await run()
        const left = await countAllDue(store.read)
        fruitless = left < due ? 0 : fruitless + 1
        if (fruitless > maxFruitless)
          throw new Failure('unavailable', `${left} entries could not be put into the search index. The log says why.`, {
            retry_after: 60,
          })
        if (fruitless > 0) await delay(everyMs)
        due = left
        progress(Math.max(total - due, 0), total)
      }
      return total
    },
    run,
    onLate: (fn) => void (afterLate = fn),
    stop: () => job.stop(),
  }
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())

/** The most consecutive runs without progress. */
const maxFruitless = 20

/** The number of entries that are marked in one transaction. */
const markedAtOnce = 500

async function markAll(store: Store, signal: AbortSignal): Promise<void> {
  await markGone(store.write)
  for (let last: string | undefined = ''; last !== undefined;) {
    signal.throwIfAborted()
    last = await markNext(store.write, last, markedAtOnce)
  }
}

async function countAllDue(db: Db): Promise<number> {
  const { due } = await db
    .selectFrom('entry_search_due')
    .select((eb) => eb.fn.countAll<number | string>().as('due'))
    .executeTakeFirstOrThrow()
  return Number(due)
}

async function countDue(db: Db): Promise<number> {
  const some = compileOnce(db, 'search due', () => db.selectFrom('entry_search_due').select('entry_id').limit(maxBehind))
  return (await db.executeQuery(some)).rows.length
}

/**
 * Removes words that no entry contains any more. After the texts have changed, it walks through all words once, in small steps
 * while no entry is due.
 */
function createSweep(store: Store): { begin(): void; next(): Promise<void> } {
  let at: string | undefined
  let again = false
  return {
    begin() {
      again = at !== undefined
      at ??= ''
    },
    async next() {
      if (at === undefined) return
      at = (await sweepTerms(store, at)) ?? (again ? '' : undefined)
      if (at === '') again = false
    },
  }
}

/** Returns true if an entry was due. */
async function indexAll(store: Store, size: BatchSize, afterLate: AfterLate, signal: AbortSignal): Promise<boolean> {
  const search = searchOf(store.read)
  for (let batches = 0; !signal.aborted; batches += 1) {
    const { due, isLast } = await listDue(store.read, size.entries)
    if (due.length === 0) return batches > 0
    const documents = await documentsOf(store.read, due)
    await putTerms(store, documents)
    const { began, counters } = await store.transaction(async (db) => {
      const now = performance.now()
      return { began: now, counters: await putBatch(db, due, documents) }
    })
    // The commit counts too, because it writes most of the index.
    size.wrote(due.length, performance.now() - began)
    if (counters.size > 0) await afterLate(counters)
    const length = documents.reduce((sum, { text }) => sum + text.length, 0)
    await search.merge(store.write, length)
    // Entries that became due during this run are left to the next one. With many writers this loop would not end, and its batches
    // would be small.
    if (isLast) break
  }
  return true
}

/** Returns the next due entries. `isLast` is true if no others are due. */
async function listDue(db: Db, most: number): Promise<{ readonly due: readonly string[]; readonly isLast: boolean }> {
  const query = compileOnce(db, 'next due', () =>
    db
      .selectFrom('entry_search_due')
      .leftJoin('entry', 'entry.id', 'entry_search_due.entry_id')
      .select(['entry_search_due.entry_id', sql<number | null>`octet_length(entry.body)`.as('bytes')])
      .orderBy('entry_search_due.entry_id')
      .limit(most),
  )
  const { rows } = await db.executeQuery(withValues(query, most))
  let sum = 0
  const tooMany = rows.findIndex(({ bytes }, place) => (sum += bytes ?? 0) > atOnce.bytes && place > 0)
  const due = rows.slice(0, tooMany === -1 ? undefined : tooMany).map((row) => row.entry_id)
  return { due, isLast: rows.length < most && tooMany === -1 }
}

/** A document with the revision of the entry that it was made from. */
interface Prepared extends SearchDocument {
  readonly revision: number
}

async function documentsOf(db: Db, ids: readonly string[]): Promise<readonly Prepared[]> {
  const query = compileOnce(db, 'texts due', () =>
    db.selectFrom('entry').select(['id', 'revision', 'title', 'excerpt', 'body']).where('id', 'in', jsonTexts(db, ids)),
  )
  const { rows } = await db.executeQuery(withValues(query, JSON.stringify(ids)))
  const documents: Prepared[] = []
  for (const { id, revision, title, excerpt, body } of rows) {
    const text = `${await foldInParts(excerpt ?? '')}\n${await foldInParts(body)}`
    documents.push({ id, revision, title: foldForSearch(title), text })
  }
  return documents
}

/** The length above which a text is folded in parts, so that the process can do other work between them. */
const partLength = 64 * 1024

/** Folds a text in parts that end at line breaks. A line longer than a part is split. */
async function foldInParts(text: string): Promise<string> {
  if (text.length <= partLength) return foldForSearch(text)
  const parts: string[] = []
  for (let start = 0; start < text.length;) {
    const lineEnd = text.lastIndexOf('\n', start + partLength)
    const end = lineEnd > start ? lineEnd + 1 : start + partLength
    parts.push(foldForSearch(text.slice(start, end)))
    start = end
    await nextTurn()
  }
  return parts.join('')
}

/** Writes a batch. An entry that changed after its document was made stays due. @returns the counters that the batch raised */
async function putBatch(db: Transaction<Schema>, due: readonly string[], documents: readonly Prepared[]): Promise<Counters> {
  const search = searchOf(db)
  const present = await revisionsOf(db, due)
  const revisions = new Map(present.map(({ id, revision }) => [id, revision]))
  const current = documents.filter(({ id, revision }) => revisions.get(id) === revision)
  const gone = due.filter((id) => !revisions.has(id))
  const late = present.filter(({ revision, folded }) => revision !== folded).map(({ id }) => id)
  await foldLate(db, late)
  search.put(db, current)
  search.drop(db, gone)
  const done = JSON.stringify([...current.map(({ id }) => id), ...gone])
  const forget = compileOnce(db, 'no longer due', () =>
    db.deleteFrom('entry_search_due').where('entry_id', 'in', jsonTexts(db, [])),
  )
  queueWrite(db, { query: withValues(forget, done) })
  const counters = await raiseCounters(db, late.length > 0 ? (['content'] as const) : [])
  await settle(db)
  return counters
}

/** The revisions of entries, and of their folded texts. Entries that are gone are left out. */
async function revisionsOf(db: Db, ids: readonly string[]) {
  const query = compileOnce(db, 'revisions due', () =>
    db
      .selectFrom('entry')
      .leftJoin('entry_folded', 'entry_folded.entry_id', 'entry.id')
      .select(['entry.id', 'entry.revision', 'entry_folded.revision as folded'])
      .where('entry.id', 'in', jsonTexts(db, ids)),
  )
  return (await db.executeQuery(withValues(query, JSON.stringify(ids)))).rows
}
