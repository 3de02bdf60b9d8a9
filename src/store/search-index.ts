// Keeps the search index and the folded texts of entries up to date. The database notes each entry whose text changes, in the same transaction
// (`entry_search_due`). This job takes those entries in small batches, each in one transaction, so it continues where it stopped. After an
// upgrade all entries are due, and the site is served meanwhile.
//
// The job must not keep other writers waiting: it reads and folds the texts before its transaction, and a batch is as large as the writer's last one
// allows. Between two batches the writers that wait get their turn.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import { LRUCache } from 'lru-cache'
import { Failure } from '../failure.ts'
import type { Log } from '../log.ts'
import { repeat } from '../repeating.ts'
import { type BatchSize, createBatchSize } from './batch-size.ts'
import { compileOnce, withValues } from './compile-once.ts'
import type { Db, Store } from './database.ts'
import { foldLate } from './folded-entries.ts'
import { jsonTexts } from './json-rows.ts'
import { queueWrite, settle } from './queued-writes.ts'
import type { Schema } from './schema.ts'
import { searchOf, type SearchDocument } from './search.ts'
import { putTerms, sweepTerms } from './search-terms.ts'
import { foldForSearch } from './search-text.ts'
import { raiseCounters } from './versions.ts'

export interface SearchIndex {
  /** The searches that a moment ago found more entries than can be ranked. */
  readonly frequent: LRUCache<string, true>
  /**
   * Brings the index up to date before a search, unless that takes long. Returns the number of entries whose new text the search does not
   * find yet; `maxBehind` where there are more.
   */
  freshen(): Promise<number>
  /**
   * Puts all entries into the index anew, and what is gone out of it. Entries that are still due when this is interrupted are indexed later.
   * @returns the number of entries
   */
  reindex(signal: AbortSignal, progress: (done: number, total: number) => void): Promise<number>
  /** Puts all entries that are due when this is called into the index. */
  run(): Promise<void>
  /**
   * Calls `fn` after each commit that wrote the terms and the media of entries which an older release had changed.
   * @param fn gets the counter of the area `content`, which the commit raised: lists may show these entries only now
   */
  onLate(fn: AfterLate): void
  /** Ends the job and waits for the batch in progress. */
  stop(): Promise<void>
}

type Counters = ReadonlyMap<'content', number>
type AfterLate = (counters: Counters) => Promise<void>

/** The most entries, and the most bytes of bodies, in one batch; one entry is always written, however long its text is. */
const atOnce = { entries: 50, bytes: 64 * 1024 }

/** The longest time that a batch may keep other writers waiting, in milliseconds. */
const holdMs = 3

/** The time for which a search is remembered as finding too many entries. */
const frequentMs = 10 * 60_000

const everyMs = 250
/** The longest wait of a search for the index. */
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
  /** A run in progress may have begun before the latest change, so this waits for one that begins later. */
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
      // The job reports its own failures, and goes on at its next run. If it gets nowhere, this ends.
      for (let [due, fruitless] = [total, 0]; due > 0;) {
        signal.throwIfAborted()
        await run()
        const left = await countAllDue(store.read)
        fruitless = left < due ? 0 : fruitless + 1
        if (fruitless > maxFruitless) throw notIndexed(left)
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

/** The most runs of the job in a row after which no fewer entries wait to be indexed. */
const maxFruitless = 20

const notIndexed = (left: number) =>
  new Failure('unavailable', `${left} entries could not be put into the search index. The log says why.`, { retry_after: 60 })

/** The number of entries that are marked in one transaction. */
const markedAtOnce = 500

async function markAll(store: Store, signal: AbortSignal): Promise<void> {
  const search = searchOf(store.write)
  await search.markGone(store.write)
  for (let last: string | undefined = ''; last !== undefined;) {
    signal.throwIfAborted()
    last = await search.markNext(store.write, last, markedAtOnce)
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

/** Removes words that no entry has any more: one walk through all words after the texts have changed, in small steps while nothing is due. */
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

/** @returns whether anything was due */
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
    // With the commit, which writes most of the index.
    size.wrote(due.length, performance.now() - began)
    if (counters.size > 0) await afterLate(counters)
    await search.merge(store.write, sizeOf(documents))
    // Entries that became due meanwhile are left to the next run: with many writers this loop would never end, and each batch would be small.
    if (isLast) break
  }
  return true
}

const sizeOf = (documents: readonly SearchDocument[]): number => documents.reduce((sum, { text }) => sum + text.length, 0)

/** The next entries that are due, and whether no more are. */
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

/** A document, and the revision of the entry that it was made from. */
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

/** The length at which a text is folded in parts, so that other work is done between them. */
const partLength = 64 * 1024

/** Parts end at a line break. Only a line that is longer than a part is cut elsewhere. */
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

/** Writes a batch. An entry that changed after its document was made stays due. @returns the counters that it raised */
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
