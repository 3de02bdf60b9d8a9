// Keeps the search index and the folded texts of entries up to date. The database notes each entry whose text changes, in the same transaction
// (`entry_search_due`). This job takes those entries in small batches, each in one transaction, so it continues where it stopped. After an
// upgrade all entries are due, and the site is served meanwhile.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import type { Log } from '../log.ts'
import { repeat } from '../repeating.ts'
import type { Db, Store } from './database.ts'
import { foldLate } from './folded-entries.ts'
import type { Schema } from './schema.ts'
import { searchOf, type SearchDocument } from './search.ts'
import { foldForSearch } from './search-text.ts'

export interface SearchIndex {
  /**
   * Brings the index up to date before a search, unless that takes long. Returns the number of entries whose new text the search does not
   * find yet; `maxBehind` where there are more.
   */
  freshen(): Promise<number>
  /** Puts all entries that are due into the index. */
  run(): Promise<void>
  /** Ends the job and waits for the batch in progress. */
  stop(): Promise<void>
}

/** The most entries, and the most bytes of bodies, in one batch. A batch keeps other writers waiting for a few milliseconds. */
const atOnce = { entries: 50, bytes: 256 * 1024 }

const everyMs = 250
/** How long a search waits for the index. */
const waitMs = 200

/** The highest number that `freshen` returns. */
export const maxBehind = 1000

/** Starts the job. */
export function createSearchIndex(store: Store, log: Log): SearchIndex {
  const failed = (error: unknown) => log.warn('search index not updated', { error: String(error) })
  const job = repeat(everyMs, (signal) => indexAll(store, signal), failed)
  return {
    async freshen() {
      const behind = await countDue(store.read)
      if (behind === 0) return 0
      await Promise.race([job.run(), delay(waitMs)])
      return countDue(store.read)
    },
    run: () => job.run(),
    stop: () => job.stop(),
  }
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())

async function countDue(db: Db): Promise<number> {
  const some = await db.selectFrom('entry_search_due').select('entry_id').limit(maxBehind).execute()
  return some.length
}

async function indexAll(store: Store, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const due = await listDue(store.read)
    if (due.length === 0) return
    // Folding is done outside the transaction, so that other writers don't wait for it.
    const documents = await documentsOf(store.read, due)
    await store.transaction((db) => putBatch(db, due, documents))
  }
}

async function listDue(db: Db): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('entry_search_due')
    .leftJoin('entry', 'entry.id', 'entry_search_due.entry_id')
    .select(['entry_search_due.entry_id', sql<number | null>`octet_length(entry.body)`.as('bytes')])
    .orderBy('entry_search_due.entry_id')
    .limit(atOnce.entries)
    .execute()
  let sum = 0
  const tooMany = rows.findIndex(({ bytes }, place) => (sum += bytes ?? 0) > atOnce.bytes && place > 0)
  return rows.slice(0, tooMany === -1 ? undefined : tooMany).map((row) => row.entry_id)
}

/** A document, and the revision of the entry that it was made from. */
interface Prepared extends SearchDocument {
  readonly revision: number
}

async function documentsOf(db: Db, ids: readonly string[]): Promise<readonly Prepared[]> {
  const rows = await db
    .selectFrom('entry')
    .select(['id', 'revision', 'title', 'excerpt', 'body'])
    .where('id', 'in', ids)
    .execute()
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

/** Writes a batch. An entry that changed after its document was made stays due. */
async function putBatch(db: Transaction<Schema>, due: readonly string[], documents: readonly Prepared[]): Promise<void> {
  const search = searchOf(db)
  const present = await db.selectFrom('entry').select(['id', 'revision']).where('id', 'in', due).execute()
  const revisions = new Map(present.map(({ id, revision }) => [id, revision]))
  const current = documents.filter(({ id, revision }) => revisions.get(id) === revision)
  const gone = due.filter((id) => !revisions.has(id))
  await search.put(db, current)
  await search.drop(db, gone)
  await foldLate(
    db,
    current.map(({ id }) => id),
  )
  const done = [...current.map(({ id }) => id), ...gone]
  if (done.length > 0) await db.deleteFrom('entry_search_due').where('entry_id', 'in', done).execute()
}
