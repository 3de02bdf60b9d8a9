// Every change of a site object goes through this file, which records each row before and after. The activity record, the diff of a
// dry run, undo and cache invalidation use these records. The caller begins and ends the transaction. Statements are queued: if one
// fails, the next query of the transaction or its commit fails with its error (`queued-writes.ts`).

import type { Kysely, QueryResult, Transaction } from 'kysely'
import { Failure } from '../../base/failure.ts'
import { ConstraintError } from '../core/errors.ts'
import { createExpectedRevision } from './expected-revision.ts'
import { keepDerivedRows, keepStaged } from './history.ts'
import { insertOf } from '../core/compile-once.ts'
import { changesUses } from './media-uses.ts'
import { areas, type Area, bookkeeping, type Kind, kinds, labelColumns, type RowOf, withArticle } from './kinds.ts'
import { queueWrite } from '../core/queued-writes.ts'
import { differing, pick, revisionOf } from './row-columns.ts'
import type { EntryPendingRow, EntryRow, Schema } from '../core/schema.ts'
import { liveCounters, stagedCounters } from './staged-counters.ts'

/** A row of any kind, as JSON values. */
export type AnyRow = Readonly<Record<string, string | number | null>>

/**
 * A change of one object. For an update, `before` and `after` have only the changed columns. `before` is null for a new object,
 * `after` for a removed one.
 */
export interface RowChange {
  readonly kind: Kind
  readonly id: string
  readonly before: AnyRow | null
  readonly after: AnyRow | null
  /** The object's revision after the change; null if its kind has no revisions, or it was removed. */
  readonly revision: number | null
  /** The title and path of the object. Absent in stored records. */
  readonly label?: ObjectLabel
  /** For staged changes: the live values of columns that were not staged before. */
  readonly live?: AnyRow
  /** The place of the call in its batch. Absent in stored records. */
  readonly place?: number | undefined
  /** The whole row before and after an update or staging, for caches. Absent in stored records. */
  readonly rows?: { readonly before: AnyRow; readonly after: AnyRow }
}

/** The title and path of an object. */
export interface ObjectLabel {
  readonly title: string
  readonly path: string | null
}

/** The account, app or token that makes the changes, for the history. */
export interface Author {
  readonly accountId: string | null
  readonly name: string
  readonly door: string
  readonly action: string
}

export interface ChangeOptions {
  readonly now: number
  readonly author: Author
  /** The revision that the caller has read. It is compared with the first object that is written. */
  readonly ifRevision?: number | undefined
  /** The list of records to add to, if this change is part of a larger one. */
  readonly records?: RowChange[] | undefined
  readonly place?: number | undefined
  /** True to write the times of objects that come from another site as they are given. */
  readonly keepsTimes?: boolean | undefined
}

/** The staged changes of an entry before and after; undefined for none. */
export interface PendingChange {
  readonly before: EntryPendingRow | undefined
  readonly after: EntryPendingRow | undefined
  readonly shown: EntryRow
  /** The live values of columns that are staged for the first time. */
  readonly live: AnyRow
}

/** The changes of one call, in its transaction. */
export interface Change {
  readonly db: Transaction<Schema>
  readonly now: number
  readonly author: Author
  readonly records: readonly RowChange[]
  /** Must be called after all writes. @throws Failure `conflict` if a revision was given, but no object was compared with it */
  checkRevisionUsed(): void
  /** Drops the records from a place on, because their statements were rolled back. */
  forget(from: number): void
  /** Returns a part of this change with its own author and expected revision. Its records are added to this change. */
  part(author: Author, ifRevision: number | undefined, place: number): Change
  /**
   * Adds an object. A revisioned kind starts at revision 1.
   * @throws Failure `exists` if another object has one of its unique values
   */
  insert<K extends Kind>(
    kind: K,
    row: Omit<RowOf<K>, 'revision' | 'created_at' | 'updated_at'> & Partial<RowOf<K>>,
  ): Promise<RowOf<K>>
  /**
   * Changes an object. If all values are already equal, nothing is written and `changed` is empty.
   * @throws Failure `conflict` if the caller's `if_revision` is not the object's revision, or another writer was faster; `exists`
   * as `insert` does
   */
  update<K extends Kind>(
    kind: K,
    before: RowOf<K>,
    patch: Partial<RowOf<K>>,
  ): Promise<{ row: RowOf<K>; changed: readonly string[] }>
  /**
   * Writes the staged changes of an entry as a new revision of the entry. The entry's own columns and its `updated_at` stay as they
   * are.
   * @param staging.shown the entry with the staged changes
   * @throws Failure `conflict` as `update` does
   */
  stage(before: EntryRow, staging: PendingChange): Promise<EntryRow>
  /** Removes an object. @throws Failure `conflict` as `update` does */
  remove<K extends Kind>(kind: K, before: RowOf<K>): Promise<void>
}

/** Starts recording changes in an open transaction. */
export function createChange(
  db: Transaction<Schema>,
  { now, author, ifRevision, records = [], place, keepsTimes = false }: ChangeOptions,
): Change {
  // One cast for all kinds, because Kysely can't follow a table name that is a type variable.
  const tables = db as unknown as Kysely<Record<string, Record<string, string | number | null>>>
  const expected = createExpectedRevision(ifRevision)
  const updatedAt = (given: object) => (keepsTimes ? (given as AnyRow)['updated_at'] : undefined) ?? now
  const checkRevision = (kind: Kind, row: AnyRow) => {
    const { key, revisioned } = kinds[kind]
    if (revisioned) expected.check({ id: String(row[key]), revision: Number(row['revision']) })
  }

  return {
    db,
    now,
    author,
    records,

    checkRevisionUsed: () => expected.checkUsed(),

    forget: (from) => void records.splice(from),

    part: (partAuthor, partRevision, partPlace) =>
      createChange(db, { now, author: partAuthor, ifRevision: partRevision, records, place: partPlace }),

    async insert(kind, given) {
      const { table, key, revisioned } = kinds[kind]
      const row = {
        ...given,
        ...(revisioned
          ? {
              created_at: given['created_at' as never] ?? now,
              updated_at: updatedAt(given),
              revision: given['revision' as never] ?? 1,
            }
          : {}),
      }
      queueWrite(db, { query: insertOf(db, table, row), toError: toExistsFailure(kind) })
      const after = row as unknown as AnyRow
      const label = labelOf(kind, after)
      records.push({ kind, id: String(after[key]), before: null, after, revision: revisionOf(after), label, place })
      keepDerivedRows(db, kind, after, { author, now, newBody: true, before: null })
      return row as never
    },

    async update(kind, beforeRow, patch) {
      const { table, key, revisioned } = kinds[kind]
      const before = beforeRow as unknown as AnyRow
      checkRevision(kind, before)
      const columns = differing(before, patch as AnyRow)
      if (columns.length === 0) return { row: beforeRow, changed: [] }
      const counted = revisioned ? { updated_at: updatedAt(patch), ...liveCounters(before, patch as AnyRow) } : {}
      const after: AnyRow = { ...before, ...pick(patch as AnyRow, columns), ...counted }
      let query = tables
        .updateTable(table)
        .set({ ...pick(after, columns), ...counted })
        .where(key, '=', before[key] ?? '')
      if (revisioned) query = query.where('revision', '=', before['revision'] ?? 0)
      queueWrite(db, { query: query.compile(), toError: toExistsFailure(kind), check: checkChangedOne(String(before[key])) })
      records.push({
        kind,
        id: String(before[key]),
        before: pick(before, columns),
        after: pick(after, columns),
        revision: revisionOf(after),
        label: labelOf(kind, after, before),
        rows: { before, after },
        place,
      })
      const newBody = columns.includes('body')
      keepDerivedRows(db, kind, after, { author, now, newBody, changed: columns, ...(changesUses(columns) && { before }) })
      return { row: after as never, changed: columns }
    },

    async stage(beforeRow, { before: stagedBefore, after: stagedAfter, shown, live }) {
      const before = beforeRow as unknown as AnyRow
      checkRevision('entry', before)
      const counted = stagedCounters(beforeRow, stagedAfter !== undefined)
      if (stagedAfter === undefined)
        queueWrite(db, { query: db.deleteFrom('entry_pending').where('entry_id', '=', beforeRow.id).compile() })
      else queueWrite(db, { query: insertOf(db, 'entry_pending', stagedAfter, 'entry_id') })
      const update = db.updateTable('entry').set(counted).where('id', '=', beforeRow.id)
      queueWrite(db, {
        query: update.where('revision', '=', beforeRow.revision).compile(),
        check: checkChangedOne(beforeRow.id),
      })
      records.push({
        kind: 'entry_pending',
        id: beforeRow.id,
        before: (stagedBefore ?? null) as AnyRow | null,
        after: (stagedAfter ?? null) as AnyRow | null,
        revision: counted.revision,
        live,
        label: labelOf('entry', before),
        rows: { before, after: { ...before, ...counted } },
        place,
      })
      const after = { ...beforeRow, ...counted }
      keepStaged(db, after, { ...shown, ...counted }, { author, now })
      return after
    },

    async remove(kind, beforeRow) {
      const { table, key, revisioned } = kinds[kind]
      const before = beforeRow as unknown as AnyRow
      checkRevision(kind, before)
      let query = tables.deleteFrom(table).where(key, '=', before[key] ?? '')
      if (revisioned) query = query.where('revision', '=', before['revision'] ?? 0)
      queueWrite(db, { query: query.compile(), check: checkChangedOne(String(before[key])) })
      records.push({ kind, id: String(before[key]), before, after: null, revision: null, label: labelOf(kind, before), place })
    },
  }
}

/** Returns the areas whose caches these changes make stale. */
export function areasOf(records: readonly RowChange[]): readonly Area[] {
  return areas.filter((area) => records.some((record) => kinds[record.kind].area === area))
}

/** Returns one row per changed field, without secrets and bookkeeping, as `dry_run` and `SVC_Activity.get` show them. */
export function diffOf(
  records: readonly RowChange[],
): { id: string; kind: Kind; field: string; before: unknown; after: unknown }[] {
  return records.flatMap((record) => {
    const { kind, id } = record
    const { before, after } = kind === 'entry_pending' ? stagedRows(record) : record
    const { secret, hashed } = kinds[kind]
    const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
    return [...fields]
      .filter((field) => !bookkeeping.has(field) && !secret.includes(field))
      .map((field) => ({ id, kind, field, before: before?.[field] ?? null, after: after?.[field] ?? null }))
      .filter((row) => row.before !== row.after)
      .map((row) => (hashed.includes(row.field) ? { ...row, before: row.before !== null, after: row.after !== null } : row))
  })
}

/** @param before the row before the change, whose path names an object that has lost its path */
function labelOf(kind: Kind, row: AnyRow, before: AnyRow = row): ObjectLabel {
  const { title = '', path } = labelColumns(kind)
  const at = path === undefined ? null : (row[path] ?? before[path] ?? null)
  return { title: String(row[title] ?? ''), path: at === null ? null : String(at).replace(/^(?!\/)/, '/') }
}

/**
 * Converts staged changes to rows with a column such as `staged.title` for each. A column that is staged for the first time had its
 * live value before.
 */
function stagedRows({ before, after, live = {} }: RowChange): { readonly before: AnyRow; readonly after: AnyRow } {
  const columnsOf = (row: AnyRow | null): AnyRow => {
    const changes = JSON.parse(String(row?.['changes'] ?? '{}')) as Record<string, { readonly to: AnyRow[string] }>
    return Object.fromEntries(Object.entries(changes).map(([column, { to }]) => [column, to]))
  }
  const named = (row: AnyRow): AnyRow =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [`staged.${column}`, value]))
  return { before: named({ ...live, ...columnsOf(before) }), after: named(columnsOf(after)) }
}

/** Converts a violation of a unique key to a failure `exists` that names the column. Other errors stay as they are. */
const toExistsFailure =
  (kind: Kind) =>
  (error: unknown): unknown => {
    if (!(error instanceof ConstraintError) || error.constraint !== 'unique') return error
    const field = error.columns.join(', ')
    return new Failure(
      'exists',
      `There is ${withArticle(kind)} with this ${field || 'key'} already.`,
      { field },
      { cause: error },
    )
  }

const checkChangedOne =
  (id: string) =>
  ({ numAffectedRows }: QueryResult<unknown>): void => {
    if (numAffectedRows === 0n) throw overtaken(id)
  }

const overtaken = (id: string): Failure =>
  new Failure('conflict', 'Another writer changed this at the same moment: read it again and repeat the call.', { id })
